"""Facts: the few numbers and words of a record that ranking needs, apart from its text."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import NamedTuple

NONE: Mapping[str, int] = MappingProxyType({})

DAY_US = 86_400_000_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(date: datetime) -> int:
    """Since 1970: as facts have their dates, which cost less as numbers."""
    return (date - _EPOCH) // _MICROSECOND


class Facts(NamedTuple):
    """Dates are microseconds since 1970. `strength`, as it was when the record was last used, at
    `used_us`, after `uses` uses; one that was never used has strength 1 since its last change.
    `tags` are ordered by name. `terms` counts the stems that were asked for, those that it holds.
    `tier` is the name of the store that it came from, where several are asked together, and
    `priority` what that counts."""

    id: str
    kind: str
    domain: str
    severity: str
    importance: int
    mentions: int
    doc_type: str
    memory_type: str
    author: str
    scope: str
    created_us: int
    updated_us: int
    valid_from_us: int | None
    valid_until_us: int | None
    half_life: float | None
    strength: float = 1.0
    used_us: int | None = None
    uses: int = 0
    tags: tuple[str, ...] = ()
    terms: Mapping[str, int] = NONE
    tier: str = ""
    priority: float = 1.0
