"""Slices: the same figures for parts of the questions: by category, by length, by route."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pinyon.evaluate.collection import Question
from pinyon.evaluate.metrics import MEASURES
from pinyon.evaluate.run import Outcome

LENGTHS = {"1-3 words": 3, "4-8 words": 8, "9+ words": math.inf}
"""The longest question of each slice."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The means of every measure over some of the questions."""

    queries: int
    means: Mapping[str, float]


def slices(questions: Sequence[Question], outcome: Outcome) -> dict[str, dict[str, Slice]]:
    """By what the questions are told apart, then by its values, in the order of their names.
    Questions without a category are in no slice of categories."""
    sliced = {by: _sliced(questions, outcome, name_of) for by, name_of in SLICERS.items()}
    return {by: found for by, found in sliced.items() if found}


def length_of(text: str) -> str:
    words = len(text.split())
    return next(name for name, most in LENGTHS.items() if words <= most)


NameOf = Callable[[Question, Outcome], str]

SLICERS: Mapping[str, NameOf] = {
    "category": lambda question, outcome: question.category,
    "length": lambda question, outcome: length_of(question.text),
    "route": lambda question, outcome: outcome.routes.get(question.id, ""),
}


def _sliced(questions: Sequence[Question], outcome: Outcome, name_of: NameOf) -> dict[str, Slice]:
    groups: dict[str, list[Mapping[str, float]]] = defaultdict(list)
    for question in questions:
        if name := name_of(question, outcome):
            groups[name].append(outcome.each[question.id])
    return {
        name: Slice(
            len(group),
            {each: math.fsum(values[each] for values in group) / len(group) for each in MEASURES},
        )
        for name, group in sorted(groups.items())
    }
