"""Scale: how the scores of a channel become its signal, one number for each candidate.

A candidate that the channel neither found nor judged has no score, and the signal 0.
"""

from collections.abc import Callable, Mapping, Sequence

from pinyon.model.hit import Candidate
from pinyon.search.rank.known import Known

Scale = Callable[[Sequence[Candidate], str, Known], list[float]]


def raw(candidates: Sequence[Candidate], channel: str, known: Known) -> list[float]:
    """As it is."""
    return [candidate.signals.get(channel, 0.0) for candidate in candidates]


def positive(candidates: Sequence[Candidate], channel: str, known: Known) -> list[float]:
    """As it is, but never below 0."""
    return [max(candidate.signals.get(channel, 0.0), 0.0) for candidate in candidates]


def rank(candidates: Sequence[Candidate], channel: str, known: Known) -> list[float]:
    """The share of the best possible part of a fusion by ranks: 1 for the first."""
    best = known.k + 1
    return [
        best / (known.k + candidate.sources[channel]) if channel in candidate.sources else 0.0
        for candidate in candidates
    ]


def range(candidates: Sequence[Candidate], channel: str, known: Known) -> list[float]:
    """From 0, the lowest of the answer, to 1, the highest; all are 1 where all are equal."""
    scores = _scores(candidates, channel)
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    width = high - low
    return [
        ((candidate.signals[channel] - low) / width if width else 1.0)
        if channel in candidate.signals
        else 0.0
        for candidate in candidates
    ]


def best(candidates: Sequence[Candidate], channel: str, known: Known) -> list[float]:
    """By the highest of the answer, never below 0."""
    high = max(_scores(candidates, channel), default=0.0)
    if high <= 0:
        return [0.0] * len(candidates)
    return [max(candidate.signals.get(channel, 0.0) / high, 0.0) for candidate in candidates]


SCALES: Mapping[str, Scale] = {
    "raw": raw,
    "positive": positive,
    "rank": rank,
    "range": range,
    "best": best,
}


def _scores(candidates: Sequence[Candidate], channel: str) -> list[float]:
    return [candidate.signals[channel] for candidate in candidates if channel in candidate.signals]
