"""Use: how a record was used. Asked: a question that was asked. Noted: what searches left of both.

Every search from the shell writes them when its answer is out, so they are cheap to load.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple


class Use(NamedTuple):
    """`times`, last at `used_at`, when the strength [0, 1] of the record was `strength`. For
    spaced repetition: `stability` in days, `difficulty` from 1 to 10, and how often and when it was
    last reviewed."""

    times: int
    used_at: datetime
    strength: float
    stability: float
    difficulty: float
    reviews: int
    reviewed_at: datetime | None = None


class Asked(NamedTuple):
    """A question, and what came of it: the kinds of the hits and their number, and how long it
    took."""

    at: datetime
    text: str
    profile: str
    kinds: tuple[str, ...]
    found: int
    ms: float


class Noted(NamedTuple):
    """`used`: record id to its use as it is now, but for `times` and `reviews`, which say how many
    were added. Of the log only the newest `keep` stay, and those since `keep_since`."""

    used: Mapping[str, Use] = MappingProxyType({})
    asked: Sequence[Asked] = ()
    keep: int = 10_000
    keep_since: datetime | None = None
