"""Metrics: how good a ranking is, by what people found right, and how sure the mean of many is.

The conventions of trec_eval, pytrec_eval and so of BEIR: nDCG gains are the labels themselves, not
powers of two, and a label above 0 is relevant.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

RESAMPLES = 1_000
SEED = 7598
CONFIDENCE = 0.95

Labels = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, and the interval that holds the true one with a confidence of 95 %."""

    value: float
    low: float
    high: float


def measure(ranking: Sequence[str], labels: Labels) -> dict[str, float]:
    """Every measure of one question: the ids that were found, best first, against its labels."""
    return {name: compute(ranking, labels) for name, compute in MEASURES.items()}


def ndcg(ranking: Sequence[str], labels: Labels, k: int) -> float:
    """The gain of the first k, each discounted by the logarithm of its rank, as a share of the best
    possible. 0 where nothing is relevant."""
    ideal = _dcg(sorted(labels.values(), reverse=True)[:k])
    return _dcg([labels.get(id, 0) for id in ranking[:k]]) / ideal if ideal else 0.0


def recall(ranking: Sequence[str], labels: Labels, k: int) -> float:
    """The share of the relevant documents that stand among the first k."""
    relevant = {id for id, label in labels.items() if label > 0}
    return len(relevant.intersection(ranking[:k])) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking: Sequence[str], labels: Labels, k: int) -> float:
    """One divided by the rank of the first relevant document; 0 when none is among the first k."""
    ranks = (rank for rank, id in enumerate(ranking[:k], 1) if labels.get(id, 0) > 0)
    return 1 / next(ranks, math.inf)


MEASURES: dict[str, Callable[[Sequence[str], Labels], float]] = {
    "ndcg@10": partial(ndcg, k=10),
    "recall@5": partial(recall, k=5),
    "recall@10": partial(recall, k=10),
    "recall@100": partial(recall, k=100),
    "mrr@10": partial(reciprocal_rank, k=10),
}


def mean(values: Sequence[float], *, seed: int = SEED) -> Mean:
    """The mean with its bootstrap interval: as many values are drawn again, with repetition, a
    thousand times, and the middle 95 % of those means are kept. The same values, the same answer.
    """
    draw = random.Random(seed).choices
    drawn = sorted(_mean(draw(values, k=len(values))) for _ in range(RESAMPLES))
    outside = round(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Mean(_mean(values), drawn[outside], drawn[-1 - outside])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _dcg(gains: Sequence[int]) -> float:
    return math.fsum(max(gain, 0) / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
