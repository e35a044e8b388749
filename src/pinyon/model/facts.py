"""Facts: the few numbers and words of a record that ranking needs, apart from its text."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Facts:
    """`terms` counts the stems of each field that has any."""

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
    terms: Mapping[str, Mapping[str, int]]
