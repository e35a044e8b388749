"""Record: one thing that is known. Edge: how two belong together. Version: what one used to be.

Text is kept as it was given. Dates are aware datetimes in UTC; in JSON they are ISO 8601 text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

KINDS = (
    "entry",
    "memory",
    "entity",
    "note",
    "resource",
    "page",
    "doc",
    "code",
    "task",
    "skill",
    "file",
)
FILE = "file:"
"""The id of the record of a file itself begins with this; then comes its path, as in `source`."""

SEVERITIES = ("critical", "warning", "suggestion")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """An empty `id` asks the engine for one. `version` and `deleted_at` belong to the store: what a
    caller puts there is ignored, except by an import."""

    kind: str = "memory"
    id: str = ""
    title: str = ""
    aliases: tuple[str, ...] = ()
    body: str = ""
    context: str = ""
    tags: tuple[str, ...] = ()
    domain: str = ""
    severity: str = ""
    importance: int = 3
    mentions: int = 0
    doc_type: str = ""
    memory_type: str = ""
    author: str = ""
    status: str = ""
    due: datetime | None = None
    scope: str = ""
    source: str = ""
    lines: tuple[int, int] | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    half_life: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1
    deleted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """`from_id` stands in `relation` to `to_id`; the three together are its identity."""

    from_id: str
    relation: str
    to_id: str
    strength: float = 1.0
    evidence: str = ""
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """What a record was before `change` ("updated", "forgotten", "restored") at `changed_at`."""

    record: Record
    change: str
    changed_at: datetime
