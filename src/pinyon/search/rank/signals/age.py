"""Age: what time did to a record, and whether it is of the time that is asked about."""

from collections.abc import Sequence

from pinyon.model.facts import DAY_US, Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.half_life import faded, half_life_of, strength_at
from pinyon.search.rank.known import Known

LAST = 0.25
"""The part of a validity window in which a record fades: the last quarter."""

LONGEST = 30.0
"""Days. Who speaks of years, or of all that was before a day, is no less sure where they end."""


def decay(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """1 for what was changed just now, half of it after each half-life. Where the validity ends, 1
    until the last quarter of the window, then in a line to 0."""
    now_us, half_lives, otherwise = known.now_us, how.half_lives, how.half_life
    return [
        faded((now_us - one.updated_us) / DAY_US, half_life_of(one, half_lives, otherwise))
        if one.valid_until_us is None
        else _windowed(one, one.valid_until_us, now_us)
        for one in facts
    ]


def recency(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """The strength of the record: what is used stays strong, the rest fades."""
    now_us = known.now_us
    return [strength_at(now_us, one, how) for one in facts]


def time(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """1 for what was created in the period that the question speaks of, half of it for each length
    of the period, but at least a day and at most a month, that lies between. 0 where it speaks of
    none."""
    if known.period_us is None:
        return [0.0] * len(candidates)
    start_us, end_us = known.period_us
    length = min(max((end_us - start_us) / DAY_US, 1.0), LONGEST)
    return [
        faded(max(start_us - one.created_us, one.created_us - end_us) / DAY_US, length)
        for one in facts
    ]


def _windowed(facts: Facts, until_us: int, now_us: int) -> float:
    from_us = facts.created_us if facts.valid_from_us is None else facts.valid_from_us
    left = (until_us - now_us) / DAY_US
    fading = LAST * ((until_us - from_us) / DAY_US)
    if left <= 0 or fading <= left:
        return float(left > 0)
    return left / fading
