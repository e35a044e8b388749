"""Channels: what each channel thinks of a candidate, on the scale of the profile; and whether they
agree."""

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


def _scaled(
    channel: str, candidates: Sequence[Candidate], known: Known, how: RankSection
) -> list[float]:
    return SCALES[how.scale.get(channel, "raw")](candidates, channel, known)
