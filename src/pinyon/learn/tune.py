"""Tune: the weights under which judged questions are answered best, and how to hold some of them
back.

Pairs of a hit that is relevant and one that is not are fitted first, as verdicts are: that is
convex, and finds the way. Then single weights are moved as long as nDCG@10 itself grows by more
than the move costs: what is far from the start must be worth it.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from pinyon.learn.feedback import SHOWN
from pinyon.learn.held_back import fit_to
from pinyon.learn.learned import Weights
from pinyon.learn.lessons import Lesson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

FOLDS = 5

LEAST_QUESTIONS = 20
"""Four are held back at a time then; of fewer, single questions would decide."""

DEEP = 10
"""Ranks that count."""

FACTORS = (0.8, 1.25, 0.5, 2.0, 0.0)
"""What a weight is tried times, the small moves first: of equals the first one is made. A weight of
0 is tried as SMALL of all."""

SMALL = 0.05
ROUNDS = 20
DIGITS = 4

WORTHWHILE = 5e-4
"""A move that gains less is not made: it follows single questions."""

HOLD = 0.03
"""What a move costs: so much nDCG times the sum of the changes of all shares. Measured on questions
that were held back: without it loc_requests gained .013 (p .30), with it .023 (p .02), with .1
nothing; pyfaq gained .05 each time."""


class Found(NamedTuple):
    """A hit: its signals, 0 where one is missing, and its label: 0 where it is not relevant."""

    id: str
    signals: Mapping[str, float]
    label: int


class Case(NamedTuple):
    """A judged question, called by its `key`. `labels` are those of everything that is relevant to
    it, found or not."""

    key: str
    hits: Sequence[Found]
    labels: Sequence[int]


def folds(keys: Sequence[str]) -> list[frozenset[str]]:
    """The questions in five parts of about the same size, to be held back one after the other. The
    same for the same questions, in whatever order."""
    ordered = sorted(set(keys), key=_digest)
    return [frozenset(ordered[number::FOLDS]) for number in range(FOLDS)]


def told_apart(cases: Sequence[Case], names: Sequence[str]) -> list[str]:
    """The signals in which the hits of some question differ: of the others no question says
    anything."""
    return [name for name in names if any(_differs(case, name) for case in cases)]


def tuned(cases: Sequence[Case], start: Weights, towards: float) -> dict[str, float]:
    """The weights that answer these questions best, with the names and the sum of those at the
    start; `towards` is how firmly the fit holds to these. What no question says anything of stays
    as it is, and so does everything where nothing is better."""
    import numpy as np

    names = told_apart(cases, list(start))
    total = math.fsum(start[name] for name in names)
    if len(names) < 2 or total <= 0:
        return dict(start)
    shipped = np.array([start[name] / total for name in names])
    table = _table(cases, names)

    def value(weights: "Array") -> float:
        return table.ndcg(weights) - HOLD * towards * float(abs(weights - shipped).sum())

    begins = [shipped, *_fitted(cases, names, shipped, towards)]
    best = max((_climbed(begin, value) for begin in begins), key=value)
    if value(best) < value(shipped) + WORTHWHILE:
        return dict(start)
    found = zip(names, (best * total).tolist(), strict=True)
    return {**start, **{name: round(weight, DIGITS) for name, weight in found}}


def _digest(key: str) -> bytes:
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _differs(case: Case, name: str) -> bool:
    return len({hit.signals.get(name, 0.0) for hit in case.hits}) > 1


def _fitted(
    cases: Sequence[Case], names: Sequence[str], shipped: "Array", towards: float
) -> Iterator["Array"]:
    """The weights by pairs; none where there is no pair."""
    lessons = [lesson for case in cases for lesson in _lessons(case, names, shipped)]
    if lessons:
        yield fit_to(lessons, shipped, towards)


def _lessons(case: Case, names: Sequence[str], shipped: "Array") -> Iterator[Lesson]:
    """Each relevant hit beside the first that are not."""
    rows = _rows(case.hits, names)
    order = (-(rows @ shipped)).argsort(kind="stable")
    wrong = [at for at in order if case.hits[at].label <= 0][:SHOWN]
    for at in order:
        if wrong and case.hits[at].label > 0:
            yield Lesson(case.key, case.hits[at].id, True, 1.0, rows[at] - rows[wrong])


class _Table(NamedTuple):
    """`signals` by question, hit and name; `worth`, by question and hit, is the part of the best
    possible nDCG that it would have in the first place. There is room for the most hits of one
    question; what is `absent` is minus infinity, else 0."""

    signals: "Array"
    worth: "Array"
    absent: "Array"

    def ndcg(self, weights: "Array") -> float:
        """The mean nDCG@10 over the questions, ties by id, as the pipeline ranks."""
        import numpy as np

        scores = self.signals @ weights + self.absent
        order = np.argsort(-scores, axis=1, kind="stable")[:, :DEEP]
        worth = np.take_along_axis(self.worth, order, axis=1)
        return float((worth @ _discounts(worth.shape[1])).mean())


def _table(cases: Sequence[Case], names: Sequence[str]) -> _Table:
    import numpy as np

    size = (len(cases), max(1, *(len(case.hits) for case in cases)))
    signals, worth = np.zeros((*size, len(names))), np.zeros(size)
    absent = np.full(size, -np.inf)
    for at, case in enumerate(cases):
        hits = sorted(case.hits, key=lambda hit: hit.id)
        best = sorted((max(label, 0) for label in case.labels), reverse=True)[:DEEP]
        ideal = float(np.array(best) @ _discounts(len(best)))
        signals[at, : len(hits)] = _rows(hits, names)
        absent[at, : len(hits)] = 0.0
        if ideal > 0:
            worth[at, : len(hits)] = [max(hit.label, 0) / ideal for hit in hits]
    return _Table(signals, worth, absent)


def _climbed(weights: "Array", value: Callable[["Array"], float]) -> "Array":
    """The move that gains most, again and again until none is worthwhile."""
    best = value(weights)
    for _ in range(ROUNDS):
        moves = list(_moves(weights))
        reached = [value(moved) for moved in moves]
        if max(reached) < best + WORTHWHILE:
            break
        best = max(reached)
        weights = moves[reached.index(best)]
    return weights


def _moves(weights: "Array") -> Iterator["Array"]:
    """One weight times a factor, and all of them as shares again."""
    for at, weight in enumerate(weights):
        for factor in FACTORS:
            moved = weights.copy()
            moved[at] = (weight or SMALL) * factor
            if (total := moved.sum()) > 0:
                yield moved / total


def _rows(hits: Sequence[Found], names: Sequence[str]) -> "Array":
    import numpy as np

    rows = [[hit.signals.get(name, 0.0) for name in names] for hit in hits]
    return np.array(rows, dtype=float).reshape(len(hits), len(names))


def _discounts(count: int) -> "Array":
    import numpy as np

    return 1 / np.log2(np.arange(2, count + 2))
