"""Channels: what each channel thinks of a candidate, on the scale of the profile; and whether they
agree."""

import math
from collections.abc import Sequence

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known
from pinyon.search.rank.scale import SCALES


def lexical(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    return _scaled("lexical", candidates, known, how)


def vector(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    return _scaled("vector", candidates, known, how)


def graph(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    return _scaled("graph", candidates, known, how)


def agreement(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """The share of the channels that found it, of those that answered."""
    answered = len(known.channels) or 1
    return [len(candidate.sources) / answered for candidate in candidates]


def context(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """What words say of what stands around it, less where they are trusted less. Not meaning: what
    is near to a turn is near to the next one too, and says the same twice (measured)."""
    scaled = SCALES[how.scale.get("lexical", "raw")](candidates, "lexical", known)
    times = min(known.trust.get("lexical", 1.0), 1.0)
    values = {one.id: times * value for one, value in zip(candidates, scaled, strict=True)}
    return [
        math.fsum(
            share * values.get(id, 0.0) for id, share in known.around.get(candidate.id, {}).items()
        )
        for candidate in candidates
    ]


def _scaled(
    channel: str, candidates: Sequence[Candidate], known: Known, how: RankSection
) -> list[float]:
    """Times how far the channel is trusted in this search."""
    values = SCALES[how.scale.get(channel, "raw")](candidates, channel, known)
    times = known.trust.get(channel)
    return values if times is None else [times * value for value in values]
