"""State: everything that a memory store holds at one moment."""

from copy import deepcopy
from dataclasses import dataclass, field, replace

from pinyon.model.record import Edge, Record, Version
from pinyon.store.contract import FileState
from pinyon.text.fields import prepared_fields, stem_lines

Identity = tuple[str, str, str]
"""Of an edge: from, relation, to."""


@dataclass(slots=True)
class State:
    """Once a store shows it, it is never changed again. `records` holds the forgotten ones too;
    `lines` the stems of each record; `versions` goes from record id to version number."""

    revision: int = 0
    records: dict[str, Record] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    versions: dict[str, dict[int, Version]] = field(default_factory=dict)
    edges: dict[Identity, Edge] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    files: dict[str, dict[str, FileState]] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)

    def copy(self) -> "State":
        """One that can be changed without changing this one."""
        return State(
            self.revision,
            dict(self.records),
            dict(self.lines),
            {id: dict(versions) for id, versions in self.versions.items()},
            dict(self.edges),
            dict(self.folders),
            {name: dict(files) for name, files in self.files.items()},
            dict(self.settings),
        )

    def same_content(self, other: "State") -> bool:
        """Whether a search, a history or an edge could tell the two apart."""
        return (self.records, self.versions, self.edges) == (
            other.records,
            other.versions,
            other.edges,
        )

    def live(self) -> dict[str, Record]:
        """The records that are not forgotten."""
        return {id: record for id, record in self.records.items() if record.deleted_at is None}

    def put(self, record: Record) -> None:
        """Write a record as it is."""
        self.records[record.id] = detached(record)
        self.lines[record.id] = line_up(record)


def detached(record: Record) -> Record:
    """A copy that shares nothing that can be changed; all else in a record is immutable."""
    return replace(record, extra=deepcopy(dict(record.extra)))


def line_up(record: Record) -> str:
    """The stems of a record as they are stored."""
    return stem_lines(prepared_fields(record))


def identity(edge: Edge) -> Identity:
    """What makes two edges the same one."""
    return (edge.from_id, edge.relation, edge.to_id)
