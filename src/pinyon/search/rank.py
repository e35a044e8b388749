"""Rank: candidates in, candidates out, best first, by the weighted sum of their signals."""

import math
from collections.abc import Sequence

from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection


def rank(candidates: Sequence[Candidate], how: RankSection) -> list[Candidate]:
    """Without weights everything stays as it was fused, and so does what has no signals: what was
    only changed last. Ties break by id."""
    if not how.weights or not any(candidate.signals for candidate in candidates):
        return list(candidates)
    ranked = [candidate._replace(score=_score(candidate, how)) for candidate in candidates]
    ranked.sort(key=lambda candidate: (-candidate.score, candidate.id))
    return ranked


def _score(candidate: Candidate, how: RankSection) -> float:
    return math.fsum(
        how.weights.get(name, 0.0) * value for name, value in candidate.signals.items()
    )
