"""Facts: the few numbers and words of a record that ranking needs, apart from its text."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

NONE: Mapping[str, int] = MappingProxyType({})


class Facts(NamedTuple):
    """`strength`, as it was when the record was last used, at `used_at`, after `uses` uses; one
    that was never used has strength 1 since its last change. `terms` counts the stems of the fields
    that were asked for. `tier` is the name of the store that it came from, where several are asked
    together, and `priority` what that counts."""

    id: str
    kind: str
    tags: tuple[str, ...]
    domain: str
    severity: str
    importance: int
    mentions: int
    doc_type: str
    memory_type: str
    author: str
    scope: str
    created_at: datetime
    updated_at: datetime
    valid_from: datetime | None
    valid_until: datetime | None
    half_life: float | None
    strength: float = 1.0
    used_at: datetime | None = None
    uses: int = 0
    terms: Mapping[str, int] = NONE
    tier: str = ""
    priority: float = 1.0
