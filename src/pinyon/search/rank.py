"""Rank: ranked lists in, candidates out, best first, by the weighted sum of their signals."""

import math
from collections.abc import Sequence

from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.model.query import RankedList

CHANNELS = {"lexical": "lexical", "substring": "lexical"}
"""The channel that a list speaks for. What was only changed last was not found by any."""


def rank(lists: Sequence[RankedList], how: RankSection) -> list[Candidate]:
    """Ties break by id."""
    candidates = [
        _candidate(found, place, how) for found in lists for place in range(len(found.matches))
    ]
    if any(found.channel in CHANNELS for found in lists):
        candidates.sort(key=lambda candidate: (-candidate.score, candidate.id))
    return candidates


def _candidate(found: RankedList, place: int, how: RankSection) -> Candidate:
    match = found.matches[place]
    channel = CHANNELS.get(found.channel)
    signals = {channel: match.score} if channel else {}
    score = math.fsum(how.weights.get(name, 0.0) * value for name, value in signals.items())
    sources = {channel: place + 1} if channel else {}
    return Candidate(match.id, score, match.share, signals, sources)
