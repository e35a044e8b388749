"""Feedback: verdicts of a user become questions with labels."""

from datetime import UTC, datetime, timedelta

import pytest

from pinyon.evaluate.collection import Question
from pinyon.evaluate.feedback import LABELS, LEAST, ONLY_SHOWN, judged
from pinyon.model.errors import InvalidInput
from pinyon.store.questions import VERDICTS, Feedback

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
ENOUGH = [("a", "accepted", f"question {number}") for number in range(LEAST)]


def given(*verdicts: tuple[str, str, str]) -> list[Feedback]:
    """Id, verdict and question, one a minute."""
    return [
        Feedback(BEGIN + timedelta(minutes=at), id, verdict, query)
        for at, (id, verdict, query) in enumerate(verdicts)
    ]


def test_every_verdict_has_a_label() -> None:
    assert tuple(LABELS) == VERDICTS


def test_verdicts_are_labels_of_their_question() -> None:
    more = [("b", "modified", "question 0"), ("c", "dismissed", "question 0")]
    found = judged(given(*ENOUGH, *more), {"a", "b", "c"})
    assert found.questions[0] == Question("question 0", "question 0", {"a": 2, "b": 1, "c": 0})
    assert (len(found.questions), found.remarks) == (LEAST, (ONLY_SHOWN,))


def test_the_last_verdict_counts() -> None:
    later = ("a", "modified", "question 3")
    assert judged(given(*ENOUGH, later), {"a"}).questions[3].labels == {"a": 1}


def test_what_cannot_be_measured_is_left_out_and_said() -> None:
    more = [
        ("a", "accepted", ""),
        ("gone", "accepted", "question 1"),
        ("a", "dismissed", "nothing was right"),
    ]
    found = judged(given(*ENOUGH, *more), {"a"})
    assert [question.labels for question in found.questions] == [{"a": 2}] * LEAST
    assert found.remarks == (
        ONLY_SHOWN,
        "1 verdicts without a question left out",
        "1 verdicts on records that are gone left out",
        "1 questions without a right hit left out",
    )


def test_too_few_are_refused_with_the_remedy() -> None:
    with pytest.raises(InvalidInput, match=rf"for {LEAST - 1} questions; {LEAST} are needed") as no:
        judged(given(*ENOUGH[1:]), {"a"})
    assert "pinyon feedback ID accepted --query" in no.value.remedy
