"""Feedback: what somebody said of the hits that were shown, as questions with labels."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from pinyon.evaluate.collection import Question
from pinyon.model.errors import InvalidInput
from pinyon.store.questions import Feedback

LABELS = {"accepted": 2, "modified": 1, "dismissed": 0}
"""How right a hit was, by its verdict."""

LEAST = 10
"""Questions: the means of fewer say nothing."""

ONLY_SHOWN = "only what was shown could be judged: what another profile would find counts as wrong"


@dataclass(frozen=True, slots=True)
class Judged:
    """The questions that a hit was right for, each named by its text."""

    questions: tuple[Question, ...]
    remarks: tuple[str, ...]


def judged(given: Sequence[Feedback], there: Container[str]) -> Judged:
    """By all verdicts, in the order of time: the last one on the same question and record counts.
    Those without a question, or on records that are not `there` any more, are left out. Raises
    InvalidInput where too few are left."""
    asked = [each for each in given if each.query]
    labels: dict[str, dict[str, int]] = {}
    for each in asked:
        if each.id in there:
            labels.setdefault(each.query, {})[each.id] = LABELS[each.verdict]
    questions = tuple(
        Question(query, query, found) for query, found in labels.items() if any(found.values())
    )
    if len(questions) < LEAST:
        raise InvalidInput(
            f"feedback names what was right for {len(questions):,} questions; {LEAST} are needed",
            remedy='give some: pinyon feedback ID accepted --query "the question"',
        )
    left_out = {
        "verdicts without a question left out": len(given) - len(asked),
        "verdicts on records that are gone left out": sum(each.id not in there for each in asked),
        "questions without a right hit left out": len(labels) - len(questions),
    }
    counted = (f"{count:,} {what}" for what, count in left_out.items() if count)
    return Judged(questions, (ONLY_SHOWN, *counted))
