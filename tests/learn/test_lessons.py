"""What a verdict says in numbers: what was preferred less what was passed over."""

from dataclasses import replace
from datetime import timedelta

from pinyon.learn.lessons import lessons
from pinyon.store.questions import Feedback
from tests.learn.judges import NOW

NAMES = ("lexical", "recency")
BEST = {"lexical": 0.9, "recency": 0.1}
NEXT = {"lexical": 0.5, "recency": 0.7}
LAST = {"lexical": 0.3}
ACCEPTED = Feedback(NOW, "best", "accepted", "a question", "mine", BEST, (NEXT, LAST))


def rounded(*values: float) -> list[float]:
    return [round(value, 6) for value in values]


def rows(given: list[Feedback]) -> dict[str, list[list[float]]]:
    return {one.record: one.apart.round(6).tolist() for one in lessons(given, NAMES)}


def test_a_row_is_the_preferred_hit_less_the_other() -> None:
    assert rows([ACCEPTED]) == {"best": [rounded(0.9 - 0.5, 0.1 - 0.7), rounded(0.9 - 0.3, 0.1)]}


def test_of_a_dismissed_hit_all_others_are_preferred() -> None:
    dismissed = replace(ACCEPTED, verdict="dismissed")
    assert rows([dismissed]) == {"best": [rounded(0.5 - 0.9, 0.7 - 0.1), rounded(0.3 - 0.9, -0.1)]}


def test_a_modified_hit_counts_half() -> None:
    given = [replace(ACCEPTED, id=verdict, verdict=verdict) for verdict in ("accepted", "modified")]
    worth = {one.record: one.worth for one in lessons(given, NAMES)}
    assert worth == {"accepted": 1.0, "modified": 0.5}


def test_what_was_accepted_later_was_not_passed_over() -> None:
    faded = {"lexical": 0.5, "recency": 0.699}
    later = Feedback(NOW, "next", "accepted", "A Question", "mine", faded, (LAST,))
    assert rows([ACCEPTED, later]) == {"best": [[0.6, 0.1]], "next": [[0.2, 0.699]]}


def test_what_was_accepted_for_another_question_was() -> None:
    later = Feedback(NOW, "next", "accepted", "another", "mine", NEXT, (LAST,))
    assert len(rows([ACCEPTED, later])["best"]) == 2


def test_what_was_dismissed_later_still_was_passed_over() -> None:
    later = Feedback(NOW, "next", "dismissed", "a question", "mine", NEXT, (BEST, LAST))
    assert len(rows([ACCEPTED, later])["best"]) == 2


def test_a_verdict_whose_question_did_not_find_the_record_says_nothing() -> None:
    lost = replace(ACCEPTED, signals={}, passed=())
    alone = replace(ACCEPTED, passed=())
    unasked = replace(ACCEPTED, query="")
    assert rows([lost, alone, unasked]) == {}


def test_of_one_record_the_newest_twenty_are_read() -> None:
    many = [
        replace(ACCEPTED, query=f"question {number}", at=NOW + timedelta(minutes=number))
        for number in range(100)
    ]
    read = {one.question for one in lessons(many, NAMES)}
    assert read == {f"question {number}" for number in range(80, 100)}
