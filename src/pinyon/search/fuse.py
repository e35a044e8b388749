"""Fuse: the channels' ranked lists in, one list of candidates out, best first.

A channel is heard in two ways. Its list holds what it found; beside it, `judged` holds its scores
for what only other channels found. Judged scores are signals, for the ranking to weigh; they are no
ranks, so the fusion does not see them.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pinyon.model.hit import Candidate, Evidence
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
    totals, best = _by_rank(sides, how)
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


def _by_rank(sides: Sequence[Side], how: FuseSection) -> tuple[Mapping[str, float], float]:
    """Reciprocal rank fusion (Cormack, Clarke, Buettcher 2009), with a bonus for agreement: the
    score of each record, and the best possible one."""
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
    known: dict[str, Evidence] = {}
    for channel, _, found, scored in sorted(sides, key=lambda side: side.channel):
        for rank, match in enumerate(found, 1):
            sources.setdefault(match.id, {})[channel] = rank
            if match.span:
                spans.setdefault(match.id, match.span)
            if match.via:
                ways[match.id] = match.via
        for id, match in scored.items():
            signals.setdefault(id, {})[channel] = match.score
            if match.share >= shares.get(id, 0.0):
                shares[id] = match.share
            if channel in _EVIDENCE:
                known[id] = _EVIDENCE[channel](known.get(id, Evidence()), match)
    return [
        Candidate(
            id,
            totals[id],
            shares[id],
            signals[id],
            ranks,
            spans.get(id),
            ways.get(id, ""),
            known.get(id, Evidence()),
        )
        for id, ranks in sources.items()
    ]


_EVIDENCE: Mapping[str, Callable[[Evidence, Match], Evidence]] = {
    "lexical": lambda known, match: known._replace(
        share=match.share, title=match.title, phrase=match.phrase
    ),
    "vector": lambda known, match: known._replace(cosine=match.share),
}
"""What a channel knows of a record, whatever else was found."""
