"""Rank: candidates in, candidates out, best first, by the weighted sum of their signals.

A signal that the profile names stands in every hit as it was weighed, also where its weight is 0.
"""

import math
from collections.abc import Mapping, Sequence
from operator import mul, neg

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known, gather
from pinyon.search.rank.signals import signal_of
from pinyon.search.rank.weights import signals_in, weights_in

__all__ = ["Known", "gather", "rank", "signal_of", "weights_in"]

Columns = Mapping[str, Sequence[float]]
"""Each signal, with a number for every candidate."""


def rank(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[Candidate]:
    """What has no signals, because it was only changed last, stays as it is. What has the same
    score, as all of one kind may, is ordered by its sum, then by id."""
    if not any(candidate.signals for candidate in candidates):
        return list(candidates)
    facts = [known.facts[candidate.id] for candidate in candidates] if known.facts else []
    columns = {
        name: signal_of(name)(candidates, facts, known, how)
        for name in signals_in(known.heard, how)
    }
    sums = _sums(candidates, weights_in(known.heard, how), columns)
    scores = sums
    for name in how.times:
        scores = list(map(mul, scores, columns[name])) if name in columns else scores
    scores = _valued(scores, facts, how.baseline)
    ranked = _scored(candidates, scores, columns)
    ids = [candidate.id for candidate in candidates]
    places = range(len(candidates))
    order = sorted(zip(map(neg, scores), map(neg, sums), ids, places, strict=True))
    return [ranked[at] for _, _, _, at in order]


def _sums(
    candidates: Sequence[Candidate], weights: Mapping[str, float], columns: Columns
) -> list[float]:
    """The signals times their weights; without any, the score as it was fused."""
    if not weights:
        return [candidate.score for candidate in candidates]
    parts = [
        map(share.__mul__, columns[name]) for name, share in weights.items() if name in columns
    ]
    # fsum, not sum: the order of the signals must not decide a tie.
    return list(map(math.fsum, zip(*parts, strict=True)))


def _valued(
    scores: list[float], facts: Sequence[Facts], baseline: Mapping[str, float]
) -> list[float]:
    """A kind may have a score of its own, whatever was found out; the tier counts for all."""
    if not facts:
        return scores
    return [
        baseline.get(one.kind, score) * one.priority
        for one, score in zip(facts, scores, strict=True)
    ]


def _scored(
    candidates: Sequence[Candidate], scores: Sequence[float], columns: Columns
) -> list[Candidate]:
    """In the same order. Made anew and not by `_replace`, and filled by `update`: half the time."""
    names = tuple(columns)
    rows = list(zip(*columns.values(), strict=True)) or [()] * len(candidates)
    scored = []
    for one, score, row in zip(candidates, scores, rows, strict=True):
        signals = dict(one.signals)
        signals.update(zip(names, row, strict=False))
        scored.append(
            Candidate(
                one.id,
                score,
                one.relevance,
                signals,
                one.sources,
                one.span,
                one.via,
                one.evidence,
            )
        )
    return scored
