"""State: everything that a memory store holds at one moment."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from pinyon.model.record import Edge, Record, Version
from pinyon.model.use import Asked, Use
from pinyon.store.questions import Feedback, FileState, Model
from pinyon.text.fields import prepared_fields, stem_lines
from pinyon.text.passages import digest, passages

Identity = tuple[str, str, str]
"""Of an edge: from, relation, to; of feedback: profile, question, record."""


class Held(NamedTuple):
    """A passage of a record that can be found. Its number is never used for another one."""

    number: int
    digest: bytes
    start: int
    end: int
    text: str


class Tried(NamedTuple):
    """What happened to a passage that waits: it is not handed out before `until`, because `owner`
    holds it or, without an owner, because it failed."""

    until: datetime
    owner: str = ""
    attempts: int = 0
    reason: str = ""


@dataclass(slots=True)
class State:
    """Once a store shows it, it is never changed again. `records` holds the forgotten ones too;
    `lines` the stems of each record; `versions` goes from record id to version number; `vectors`
    and `tried` from the name of a model to the number of a passage; `log` goes from old
    to new. What waits is not kept: it is every passage without a vector. `scratch` holds what was
    found out of this moment."""

    revision: int = 0
    records: dict[str, Record] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    versions: dict[str, dict[int, Version]] = field(default_factory=dict)
    edges: dict[Identity, Edge] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    files: dict[str, dict[str, FileState]] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    last_passage: int = 0
    passages: dict[str, tuple[Held, ...]] = field(default_factory=dict)
    models: dict[str, Model] = field(default_factory=dict)
    vectors: dict[str, dict[int, bytes]] = field(default_factory=dict)
    tried: dict[str, dict[int, Tried]] = field(default_factory=dict)
    uses: dict[str, Use] = field(default_factory=dict)
    log: tuple[Asked, ...] = ()
    feedback: dict[Identity, Feedback] = field(default_factory=dict)
    scratch: dict[str, Any] = field(default_factory=dict)

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
            self.last_passage,
            dict(self.passages),
            dict(self.models),
            {name: dict(vectors) for name, vectors in self.vectors.items()},
            {name: dict(tried) for name, tried in self.tried.items()},
            dict(self.uses),
            self.log,
            dict(self.feedback),
        )

    def same_content(self, other: "State") -> bool:
        """Whether a search, a history or an edge could tell the two apart."""
        return (self.records, self.versions, self.edges, self.models, self.vectors) == (
            other.records,
            other.versions,
            other.edges,
            other.models,
            other.vectors,
        )

    def live(self) -> dict[str, Record]:
        """The records that are not forgotten."""
        return {id: record for id, record in self.records.items() if record.deleted_at is None}

    def put(self, record: Record) -> None:
        """Write a record as it is."""
        self.records[record.id] = detached(record)
        self.derive(record)

    def derive(self, record: Record) -> None:
        """Make the stems and the passages of a record. A passage with the digest of an old one is
        that one, wherever it stands now; the others go, with their vectors."""
        self.lines[record.id] = line_up(record)
        old = self.passages.pop(record.id, ())
        numbers: dict[bytes, list[int]] = {}
        for held in reversed(old):
            numbers.setdefault(held.digest, []).append(held.number)
        new = []
        for start, end, text in passages(record) if record.deleted_at is None else ():
            stands_for = digest(text)
            same = numbers.get(stands_for)
            if not same:
                self.last_passage += 1
            new.append(
                Held(same.pop() if same else self.last_passage, stands_for, start, end, text)
            )
        if new:
            self.passages[record.id] = tuple(new)
        self._lose(number for left in numbers.values() for number in left)

    def erase(self, id: str) -> None:
        """Take a record away, with its history, its edges, its vectors and what came of it."""
        self.records.pop(id, None)
        self.lines.pop(id, None)
        self.versions.pop(id, None)
        self.uses.pop(id, None)
        for known in [known for known in self.feedback if known[2] == id]:
            del self.feedback[known]
        for key in [key for key in self.edges if id in (key[0], key[2])]:
            del self.edges[key]
        self._lose(held.number for held in self.passages.pop(id, ()))

    def _lose(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            for vectors in self.vectors.values():
                vectors.pop(number, None)
            for tried in self.tried.values():
                tried.pop(number, None)


def detached(record: Record) -> Record:
    """A copy that shares nothing that can be changed; all else in a record is immutable."""
    return replace(record, extra=deepcopy(dict(record.extra)))


def line_up(record: Record) -> str:
    """The stems of a record as they are stored."""
    return stem_lines(prepared_fields(record))


def identity(edge: Edge) -> Identity:
    """What makes two edges the same one."""
    return (edge.from_id, edge.relation, edge.to_id)
