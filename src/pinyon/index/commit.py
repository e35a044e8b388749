"""Commit: what happened to files becomes commits, small enough that nobody waits long for them.

A file and its records are written together, so a run that is broken off leaves nothing half-known.
Nothing here keeps history: the file is the source, and its own history is kept where it lives.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pinyon.model.errors import DuplicateRecord, UnknownRecord
from pinyon.model.record import FILE, Edge, Record
from pinyon.store.contract import Batch, Store
from pinyon.store.questions import FileState, Identity

MOST_RECORDS = 500
LONGEST_S = 0.2
"""What has gathered for this long is committed: a save by another process waits about as long."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one file does to the store. `moves` maps old ids to the new ids of `records`; `leaving`
    are ids and `unlinking` edges that it no longer has; `gone` is the path under which it was known
    and is no longer."""

    records: Sequence[Record] = ()
    moves: Mapping[str, str] = field(default_factory=dict)
    leaving: Sequence[str] = ()
    edges: Sequence[Edge] = ()
    unlinking: Sequence[Identity] = ()
    state: FileState | None = None
    gone: str = ""


def written(
    folder: str,
    records: Sequence[Record],
    edges: Sequence[Edge],
    state: FileState,
    before: FileState | None,
) -> Change:
    """A file that was read. Where it was known under another path, its records move along."""
    state = replace(
        state,
        ids=tuple(record.id for record in records),
        edges=tuple(dict.fromkeys((edge.from_id, edge.relation, edge.to_id) for edge in edges)),
    )
    if before is None:
        return Change(records=records, edges=edges, state=state)
    staying = set(state.ids)
    moves = {}
    if before.path != state.path:
        old, new = f"{folder}/{before.path}", f"{folder}/{state.path}"
        renamed = ((id, _renamed(id, old, new)) for id in before.ids)
        moves = {id: target for id, target in renamed if target != id and target in staying}
    staying.update(moves)
    linked = {(moves.get(a, a), relation, moves.get(b, b)) for a, relation, b in before.edges}
    return Change(
        records=records,
        moves=moves,
        leaving=[id for id in before.ids if id not in staying],
        edges=edges,
        unlinking=sorted(linked.difference(state.edges)),
        state=state,
        gone=before.path if before.path != state.path else "",
    )


def _renamed(id: str, old: str, new: str) -> str:
    """The id that a record of a file has after the file was renamed."""
    for prefix in ("", FILE):
        if id.startswith(prefix + old):
            return prefix + new + id.removeprefix(prefix + old)
    return id


def removed(before: FileState) -> Change:
    """A file that is no longer there."""
    return Change(leaving=before.ids, gone=before.path)


class Commits:
    """Gathers changes to one folder and commits them; `written` counts the records so far, without
    those of the files themselves."""

    def __init__(self, store: Store, folder: str, now: datetime) -> None:
        self.written = 0
        self._store = store
        self._folder = folder
        self._now = now
        self._gathered: list[Change] = []
        self._records = 0
        self._begun = time.perf_counter()

    def add(self, change: Change) -> None:
        for portion in portions(change):
            weight = len(portion.records) + len(portion.leaving)
            if self._records + weight > MOST_RECORDS:
                self.flush()
            self._gathered.append(portion)
            self._records += weight
            if time.perf_counter() - self._begun > LONGEST_S:
                self.flush()

    def flush(self) -> None:
        """Commit what has gathered; without any, do nothing."""
        if self._gathered:
            try:
                receipt = self._store.commit(self._batch())
            except (UnknownRecord, DuplicateRecord):
                # Somebody else wrote between our look and our commit; the second look sees it.
                receipt = self._store.commit(self._batch())
            self.written += sum(not id.startswith(FILE) for id in receipt.written)
        self._gathered, self._records = [], 0
        self._begun = time.perf_counter()

    def _batch(self) -> Batch:
        stored = self._stored()
        present = {id for id, record in stored.items() if record.deleted_at is None}
        moves: dict[str, str] = {}
        records: list[Record] = []
        purge: list[str] = []
        for change in self._gathered:
            moving = {
                old: new
                for old, new in change.moves.items()
                if old in present and new not in present
            }
            moves |= moving
            was = {new: old for old, new in change.moves.items()}
            for record in change.records:
                former = stored.get(was.get(record.id, record.id))
                records.append(_dated(record, former, self._now))
            stuck = (old for old in change.moves if old not in moving)
            purge += [id for id in (*change.leaving, *stuck) if id in stored]
        states = [change.state for change in self._gathered if change.state]
        gone = [change.gone for change in self._gathered if change.gone]
        return Batch(
            now=self._now,
            moves=moves,
            records=records,
            keep_history=False,
            purge=purge,
            edges=[edge for change in self._gathered for edge in change.edges],
            unlink=[Edge(*edge) for change in self._gathered for edge in change.unlinking],
            files={self._folder: states} if states else {},
            gone_files={self._folder: gone} if gone else {},
        )

    def _stored(self) -> dict[str, Record]:
        """Those that are there of the records that are changed, moved or removed: somebody may have
        purged some by hand."""
        ids = [
            id
            for change in self._gathered
            for id in (
                *change.leaving,
                *change.moves,
                *(record.id for record in change.records),
            )
        ]
        if not ids:
            return {}
        with self._store.snapshot() as view:
            return view.fetch(ids, forgotten=True)


def portions(change: Change) -> Iterator[Change]:
    """The change in pieces of at most MOST_RECORDS; nearly always one.

    Until the last piece the file is known without a digest and with every id, old and new: a run
    that is broken off between two pieces is made good by the next one.
    """
    if len(change.records) + len(change.leaving) <= MOST_RECORDS:
        yield change
        return
    ids = dict.fromkeys((*(r.id for r in change.records), *change.moves, *change.leaving))
    opened = change.state and FileState(
        change.state.path, 0, 0, "", tuple(ids), (*change.unlinking, *change.state.edges)
    )
    was = {new: old for old, new in change.moves.items()}
    first = Change(state=opened, gone=change.gone if opened else "")
    for start in range(0, len(change.records), MOST_RECORDS):
        part = change.records[start : start + MOST_RECORDS]
        moves = {was[record.id]: record.id for record in part if record.id in was}
        yield replace(first, records=part, moves=moves)
        first = Change()
    for start in range(0, len(change.leaving), MOST_RECORDS):
        yield replace(first, leaving=change.leaving[start : start + MOST_RECORDS])
        first = Change()
    yield Change(
        edges=change.edges,
        unlinking=change.unlinking,
        state=change.state,
        gone="" if opened else change.gone,
    )


def _dated(record: Record, former: Record | None, now: datetime) -> Record:
    """A file seldom says when it was made: then it was when it was first seen."""
    if record.created_at is not None:
        return record
    made = record.updated_at or now
    earlier = former.created_at if former and former.created_at else made
    return replace(record, created_at=min(made, earlier))
