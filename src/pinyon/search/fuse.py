"""Fuse: the channels' ranked lists in, one list of candidates out, best first.

A channel is heard in two ways. Its list holds what it found; beside it, `judged` holds its scores
for what only other channels found. Judged scores are signals, and count where scores are fused;
they are no ranks, so RRF does not see them.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pinyon.model.hit import Candidate
from pinyon.model.profile import FuseSection
from pinyon.model.query import Match, RankedList

SPEAKS_FOR = {"substring": "lexical", "recent": ""}
"""The channel of a list that is not called after it. What was only changed last was not found by
any."""


def fuse(
    lists: Sequence[RankedList], how: FuseSection, judged: Sequence[RankedList] = ()
) -> list[Candidate]:
    """At most one list per channel; their order does not matter. Ties break by id. What no channel
    found keeps its order and scores 0."""
    sides = [_side(found, how, judged) for found in lists if channel_of(found)]
    if not sides:
        matches = [match for found in lists for match in found.matches]
        return [Candidate(match.id, 0.0, match.share, {}, {}) for match in matches]
    totals, best = METHODS[how.method](sides, how)
    if how.normalise and best:
        # At most 1: the best possible score itself may be rounded down.
        totals = {id: min(total / best, 1.0) for id, total in totals.items()}
    candidates = _candidates(sides, totals)
    candidates.sort(key=lambda candidate: (-candidate.score, candidate.id))
    return candidates


class Side(NamedTuple):
    """What one channel says: what it found, in its order, and all that it scored."""

    channel: str
    weight: float
    found: Sequence[Match]
    scored: Mapping[str, Match]


def channel_of(found: RankedList) -> str:
    """The channel that a list speaks for; none where nothing was asked."""
    return SPEAKS_FOR.get(found.channel, found.channel)


def _side(found: RankedList, how: FuseSection, judged: Sequence[RankedList]) -> Side:
    channel = channel_of(found)
    scored = {
        match.id: match for more in judged if channel_of(more) == channel for match in more.matches
    }
    scored |= {match.id: match for match in found.matches}
    return Side(channel, how.weights.get(channel, 1.0), found.matches, scored)


Fused = tuple[Mapping[str, float], float]
"""The score of each record, and the best possible one."""


def by_rank(sides: Sequence[Side], how: FuseSection) -> Fused:
    """Reciprocal rank fusion (Cormack, Clarke, Buettcher 2009), with a bonus for agreement."""
    totals = _added(
        (match.id, side.weight / (how.k + rank))
        for side in sides
        for rank, match in enumerate(side.found, 1)
    )
    heard = [side for side in sides if side.weight]
    finders = Counter(match.id for side in heard for match in side.found)
    bonus = 1 + how.bonus
    best = math.fsum(side.weight / (how.k + 1) for side in heard)
    return (
        {id: total * bonus if finders[id] > 1 else total for id, total in totals.items()},
        best * bonus if len(heard) > 1 else best,
    )


def by_range(sides: Sequence[Side], how: FuseSection) -> Fused:
    """Each channel's scores from 0, its lowest, to 1, its highest; all are 1 where all are equal.
    What a channel did not score counts 0."""
    parts = []
    for side in sides:
        low, high = _bounds(side)
        width = high - low
        parts += [
            (id, side.weight * ((match.score - low) / width if width else 1.0))
            for id, match in side.scored.items()
        ]
    return _added(parts), _weight(sides)


def by_best(sides: Sequence[Side], how: FuseSection) -> Fused:
    """Each score by the highest of its channel, never below 0."""
    parts = []
    for side in sides:
        _, high = _bounds(side)
        parts += [
            (id, side.weight * max(match.score / high, 0.0) if high > 0 else 0.0)
            for id, match in side.scored.items()
        ]
    return _added(parts), _weight(sides)


METHODS: Mapping[str, Callable[[Sequence[Side], FuseSection], Fused]] = {
    "rrf": by_rank,
    "sum": by_range,
    "relative": by_best,
}


def _bounds(side: Side) -> tuple[float, float]:
    scores = [match.score for match in side.scored.values()]
    return min(scores, default=0.0), max(scores, default=0.0)


def _weight(sides: Sequence[Side]) -> float:
    return math.fsum(side.weight for side in sides)


def _added(parts: Iterable[tuple[str, float]]) -> dict[str, float]:
    of = defaultdict(list)
    for id, part in parts:
        of[id].append(part)
    # fsum, not sum: the order of the lists must not decide a tie.
    return {id: math.fsum(added) for id, added in of.items()}


def _candidates(sides: Sequence[Side], totals: Mapping[str, float]) -> list[Candidate]:
    """One for each record that a channel found, with everything that is known of it."""
    sources: dict[str, dict[str, int]] = {}
    signals: dict[str, dict[str, float]] = {}
    shares: dict[str, float] = {}
    spans: dict[str, tuple[int, int]] = {}
    ways: dict[str, str] = {}
    for channel, _, found, scored in sorted(sides, key=lambda side: side.channel):
        for rank, match in enumerate(found, 1):
            sources.setdefault(match.id, {})[channel] = rank
            if match.span:
                spans.setdefault(match.id, match.span)
            if match.via:
                ways[match.id] = match.via
        for id, (_, score, share, _, _) in scored.items():
            signals.setdefault(id, {})[channel] = score
            if share >= shares.get(id, 0.0):
                shares[id] = share
    return [
        Candidate(id, totals[id], shares[id], signals[id], ranks, spans.get(id), ways.get(id, ""))
        for id, ranks in sources.items()
    ]
