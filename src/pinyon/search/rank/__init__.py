"""Rank: candidates in, candidates out, best first, by the weighted sum of their signals.

A signal that the profile names stands in every hit as it was weighed, also where its weight is 0.
"""

import math
from collections.abc import Mapping, Sequence
from operator import mul

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known, gather
from pinyon.search.rank.signals import SIGNALS
from pinyon.search.rank.weights import signals_in, weights_in

__all__ = ["SIGNALS", "Known", "gather", "rank", "weights_in"]


def rank(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[Candidate]:
    """What has no signals, because it was only changed last, stays as it is. What has the same
    score, as all of one kind may, is ordered by its sum, then by id."""
    if not any(candidate.signals for candidate in candidates):
        return list(candidates)
    columns = {
        name: SIGNALS[name](candidates, known, how) for name in signals_in(known.channels, how)
    }
    sums = _sums(candidates, weights_in(known.channels, how), columns)
    scores = _multiplied(sums, [columns[name] for name in how.times if name in columns])
    ranked = [
        (
            candidate._replace(
                score=_valued(score, known.facts.get(candidate.id), how.baseline),
                signals={**candidate.signals, **dict(zip(columns, own, strict=True))},
            ),
            total,
        )
        for candidate, score, total, own in zip(
            candidates, scores, sums, _rows(columns, len(candidates)), strict=True
        )
    ]
    ranked.sort(key=lambda one: (-one[0].score, -one[1], one[0].id))
    return [candidate for candidate, _ in ranked]


def _sums(
    candidates: Sequence[Candidate],
    weights: Mapping[str, float],
    columns: Mapping[str, Sequence[float]],
) -> list[float]:
    """The signals times their weights; without any, the score as it was fused."""
    if not weights:
        return [candidate.score for candidate in candidates]
    counted = {name: columns[name] for name in weights if name in columns}
    shares = [weights[name] for name in counted]
    return [math.fsum(map(mul, shares, row)) for row in _rows(counted, len(candidates))]


def _multiplied(sums: Sequence[float], factors: Sequence[Sequence[float]]) -> list[float]:
    scores = list(sums)
    for factor in factors:
        scores = list(map(mul, scores, factor))
    return scores


def _rows(columns: Mapping[str, Sequence[float]], length: int) -> list[tuple[float, ...]]:
    return list(zip(*columns.values(), strict=True)) if columns else [()] * length


def _valued(score: float, facts: Facts | None, baseline: Mapping[str, float]) -> float:
    """A kind may have a score of its own, whatever was found out; the tier counts for all."""
    return baseline.get(facts.kind, score) * facts.priority if facts else score
