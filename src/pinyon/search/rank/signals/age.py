"""Age: what time did to a record, and whether it is of the time that is asked about."""

from collections.abc import Sequence
from datetime import datetime

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.half_life import days_between, faded, half_life_of, strength_at
from pinyon.search.rank.known import Known

LAST = 0.25
"""The part of a validity window in which a record fades: the last quarter."""


def decay(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[float]:
    """1 for what was changed just now, half of it after each half-life. Where the validity ends, 1
    until the last quarter of the window, then in a line to 0."""
    return [_decay(known.facts[candidate.id], known.now, how) for candidate in candidates]


def recency(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[float]:
    """The strength of the record: what is used stays strong, the rest fades."""
    return [strength_at(known.now, known.facts[candidate.id], how) for candidate in candidates]


def time(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[float]:
    """1 for what was created in the period that the question speaks of, half of it for each length
    of the period, but at least a day, that lies between. 0 where it speaks of none."""
    if known.period is None:
        return [0.0] * len(candidates)
    start, end = known.period
    length = max(days_between(start, end), 1.0)
    created = [known.facts[candidate.id].created_at for candidate in candidates]
    return [
        faded(max(days_between(then, start), days_between(end, then)), length) for then in created
    ]


def _decay(facts: Facts, now: datetime, how: RankSection) -> float:
    if facts.valid_until is None:
        days = days_between(facts.updated_at, now)
        return faded(days, half_life_of(facts, how.half_lives, how.half_life))
    left = days_between(now, facts.valid_until)
    fading = LAST * days_between(facts.valid_from or facts.created_at, facts.valid_until)
    if left <= 0 or fading <= left:
        return float(left > 0)
    return left / fading
