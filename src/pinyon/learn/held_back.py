"""Held back: whether weights that were fitted to some questions are better on the others."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from pinyon.learn.fit import fitted
from pinyon.learn.lessons import Lesson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SPLITS = 5
HELD = 3
"""One question of so many is held back."""

LEAST_QUESTIONS = 5
LEAST_PAIRS = 10
"""On each side of a split, else it says nothing."""

FLIPS = 9_999
SEED = 7598
EQUAL = 1e-9


class Proof(NamedTuple):
    """nDCG on what was held back, the mean over the questions, by the shipped weights and by those
    fitted to the rest; and how likely such a gain is by chance."""

    before: float
    after: float
    chance: float


class Measured(NamedTuple):
    """One lesson that was held back, with its nDCG by both weights."""

    lesson: Lesson
    before: float
    after: float


def proven(lessons: Sequence[Lesson], shipped: "Array", towards: float) -> Proof | None:
    """Over five fixed splits by question; None where one has too little on one of its sides."""
    splits = [split(lessons, number) for number in range(SPLITS)]
    if any(_too_few(side) for sides in splits for side in sides):
        return None
    measured: list[Measured] = []
    for held, rest in splits:
        weights = fit_to(rest, shipped, towards)
        measured += (Measured(one, ndcg(one, shipped), ndcg(one, weights)) for one in held)
    before = _mean(_grouped((one.lesson.question, one.before) for one in measured))
    after = _mean(_grouped((one.lesson.question, one.after) for one in measured))
    # A question with ten verdicts is one question, and a record with ten is one record: the gain
    # must be sure whichever of the two one takes for what was drawn.
    questions = _grouped((one.lesson.question, one.after - one.before) for one in measured)
    records = _grouped((one.lesson.record, one.after - one.before) for one in measured)
    return Proof(before, after, max(chance(questions), chance(records)))


def split(lessons: Sequence[Lesson], number: int) -> tuple[list[Lesson], list[Lesson]]:
    """Those held back, about a third of the questions, and the rest. The same for the same
    questions, whatever else is known of them."""
    questions = sorted(
        {lesson.question for lesson in lessons},
        key=lambda question: blake2b(f"{number} {question}".encode(), digest_size=16).digest(),
    )
    chosen = set(questions[: len(questions) // HELD])
    held = [lesson for lesson in lessons if lesson.question in chosen]
    return held, [lesson for lesson in lessons if lesson.question not in chosen]


def fit_to(lessons: Sequence[Lesson], shipped: "Array", towards: float) -> "Array":
    """Each verdict counts as its worth and what it tells: a choice of one among two is one bit, of
    one among ten 3.3 bits, though it makes nine pairs."""
    import numpy as np

    apart = np.vstack([lesson.apart for lesson in lessons])
    counts = [
        np.full(len(one.apart), one.worth * math.log2(1 + len(one.apart)) / len(one.apart))
        for one in lessons
    ]
    return fitted(apart, np.concatenate(counts), shipped, towards)


def ndcg(lesson: Lesson, weights: "Array") -> float:
    """Of the order in which the weights put the judged hit and those beside it. One that was liked
    is the only relevant one; beside one that was dismissed, all others are. Ties share a place."""
    leads = lesson.apart @ weights
    above = int((leads < -EQUAL).sum() if lesson.liked else (leads > EQUAL).sum())
    place = 1 + above + int((abs(leads) <= EQUAL).sum()) / 2
    if lesson.liked:
        return _gain(place)
    gains = [_gain(rank) for rank in range(1, len(leads) + 2)]
    return (math.fsum(gains) - _gain(place)) / math.fsum(gains[:-1])


def chance(gains: Sequence[float]) -> float:
    """How likely a sum as large would be if each gain could as well have been a loss: the share of
    10,000 draws of their signs, this one among them."""
    import numpy as np

    values = np.array(gains)
    total = values.sum() - EQUAL
    draw = np.random.Generator(np.random.PCG64(SEED))
    reached = 0
    for some in (FLIPS // 9,) * 9:  # a ninth at a time, for the memory's sake
        signs = draw.integers(0, 2, size=(some, len(values)), dtype=np.int8) * 2 - 1
        reached += int((signs @ values >= total).sum())
    return (reached + 1) / (FLIPS + 1)


def _too_few(lessons: Sequence[Lesson]) -> bool:
    pairs = sum(len(lesson.apart) for lesson in lessons)
    return len({one.question for one in lessons}) < LEAST_QUESTIONS or pairs < LEAST_PAIRS


def _grouped(values: Iterable[tuple[str, float]]) -> list[float]:
    """The mean of each group, in the order of their names."""
    groups: dict[str, list[float]] = defaultdict(list)
    for name, value in values:
        groups[name].append(value)
    return [_mean(groups[name]) for name in sorted(groups)]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _gain(place: float) -> float:
    return 1 / math.log2(place + 1)
