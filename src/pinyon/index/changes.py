"""Changes: what a caller does to single records: save, update, correct, tag, forget, link.

Each is a read, a check and one commit that says which version it expects; when somebody else was
faster, it begins again.
"""

import dataclasses
import random
import re
import secrets
import string
import threading
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from pinyon.model.check import check_edge, check_id, recheck
from pinyon.model.errors import (
    DuplicateRecord,
    DuplicateText,
    InvalidInput,
    InvalidRecord,
    StaleRecord,
    SupersededRecord,
    UnknownRecord,
    UnknownSetting,
)
from pinyon.model.query import NAMES
from pinyon.model.record import Edge, Record
from pinyon.store.contract import BEGUN, PURGE, Batch, Store, View
from pinyon.store.questions import Edges, History
from pinyon.store.succession import SUPERSEDES, latest, newer
from pinyon.text.fields import own_stems

INSIST_S = 30.0
"""How long a change begins again before it gives up: as long as a writer waits for its turn."""

PAUSE_S = 0.01
"""Between two attempts at most: those who race for a record must not meet again and again."""

KEPT = ("id", "version", "deleted_at")
"""Fields of a record that no update can set."""

LEFT_BEHIND = (SUPERSEDES, "contradicts", "contains", NAMES)
"""Relations that a correction does not take over: those that end with what was wrong, and those
that say where in a file the old record stands."""

DUPLICATES = ("keep", "refuse", "merge", "supersede")
"""What is done when a new record says what others say already."""

Alike = Callable[[View, Record], Sequence[str]]
"""Finds the ids of the records that say the same as one, most alike first."""

_WORD = re.compile(r"[^\W_]+")


class Changes:
    """All changes to one store. `clock` says when they happen."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        # Threads of one process change a record in turn: only processes have to race for it.
        self._turn = threading.Lock()

    def save(
        self,
        record: Record,
        *,
        overwrite: bool,
        duplicates: str = "keep",
        alike: Alike = lambda view, record: (),
    ) -> str:
        """Returns the id. One that is taken raises DuplicateRecord, unless `overwrite`. What is
        alike is looked for unless `duplicates` is "keep", or a known record is written over."""
        if duplicates not in DUPLICATES:
            raise UnknownSetting(f"no such way with duplicates: {duplicates!r}", DUPLICATES)
        checked = recheck(record)
        lost: Exception = DuplicateRecord(checked.id)
        for _ in _attempts():
            named = checked if checked.id else dataclasses.replace(checked, id=self.new_id(checked))
            now = self._clock()
            with self._store.snapshot() as view:
                old = view.fetch([checked.id]).get(checked.id) if checked.id else None
                if old and not overwrite:
                    raise DuplicateRecord(old.id)
                looking = duplicates != "keep" and old is None
                ids = alike(view, named) if looking else ()
                near = view.fetch(ids) if ids else {}
            twins = [near[id] for id in ids if id in near]
            try:
                return self._keep(_dated(named, old, now), old, twins, duplicates, now)
            except (StaleRecord, DuplicateRecord) as faster:
                # Somebody has this id now, or says the same, or changed what does.
                lost = faster
        raise lost

    def update(self, id: str, changes: Mapping[str, Any], *, expected: int | None = None) -> Record:
        """Change the named fields; the others stay. Raises StaleRecord where the record is not at
        the version that is `expected`."""
        _check_names(changes)

        def changed(record: Record) -> Record:
            if expected is not None and record.version != expected:
                raise StaleRecord(id, expected, record.version)
            return dataclasses.replace(record, **changes)

        return self._change(id, changed)

    def correct(self, id: str, changes: Mapping[str, Any], why: str) -> str:
        """A new record with the changes on top of the old one, which it supersedes. The links of
        the old one are taken over, but for those LEFT_BEHIND. Returns the new id. Raises
        SupersededRecord where another record did it before."""
        _check_names(changes)
        seen = 0
        for _ in _attempts():
            with self._store.snapshot() as view:
                old = view.fetch([id]).get(id)
                if old is None:
                    raise UnknownRecord([id])
                stands = sorted(latest(id, newer(view, [id])))
                edges = view.survey(Edges((id,)))
            if stands != [id]:
                raise SupersededRecord(id, stands)
            seen = old.version
            now = self._clock()
            anew = {"id": "", "mentions": 0, "created_at": None, "updated_at": None, **changes}
            new = recheck(dataclasses.replace(old, **anew, version=1))
            if not any(getattr(new, name) != getattr(old, name) for name in changes):
                raise InvalidInput("this changes nothing", remedy="say what was wrong")
            new = _dated(dataclasses.replace(new, id=self.new_id(new)), None, now)
            replacing = _checked(Edge(new.id, SUPERSEDES, id, evidence=why))
            batch = Batch(
                now=now,
                records=[new],
                expect={id: old.version, new.id: 0},
                edges=[
                    dataclasses.replace(edge, created_at=now)
                    for edge in (replacing, *_taken_over(edges, id, new.id))
                ],
            )
            try:
                self._store.commit(batch)
            except (StaleRecord, DuplicateRecord, UnknownRecord):
                continue
            return new.id
        raise StaleRecord(id, seen, seen + 1)

    def tag(self, id: str, add: Sequence[str], remove: Sequence[str]) -> Record:
        """Add and remove tags of one record."""

        def retagged(record: Record) -> Record:
            tags = tuple(tag for tag in (*record.tags, *add) if tag not in remove)
            return dataclasses.replace(record, tags=tags)

        return self._change(id, retagged)

    def rename_tag(self, old: str, new: str) -> int:
        """Returns how many records had it."""
        check_id("tags", old)
        check_id("tags", new)
        batch = Batch(now=self._clock(), rename_tags={old: new})
        return len(self._store.commit(batch).written)

    def forget(self, ids: Sequence[str]) -> None:
        """Out of every answer."""
        self._store.commit(Batch(now=self._clock(), forget=ids))

    def purge(self, ids: Sequence[str]) -> set[str]:
        """Out of the store, which must be scrubbed then: gives the stems that they had, now or
        before."""
        with self._store.snapshot() as view:
            found = view.fetch(ids, forgotten=True)
            gone = [old.record for id in found for old in view.survey(History(id))]
        self._store.commit(Batch(now=self._clock(), purge=ids, settings={PURGE: BEGUN}))
        return {stem for record in (*found.values(), *gone) for stem in own_stems(record)}

    def link(self, edge: Edge) -> Edge:
        """Write an edge over the one with the same ends and relation."""
        now = self._clock()
        dated = dataclasses.replace(_checked(edge), created_at=now)
        self._store.commit(Batch(now=now, edges=[dated]))
        return dated

    def unlink(self, edge: Edge) -> None:
        """Raises InvalidInput if there is none with these ends and this relation."""
        with self._store.snapshot() as view:
            known = view.survey(Edges((edge.from_id,)))
        if _identity(edge) not in map(_identity, known):
            raise InvalidInput(
                f"no link {edge.from_id} {edge.relation} {edge.to_id}",
                remedy=f"see: pinyon related {edge.from_id}",
            )
        self._store.commit(Batch(now=self._clock(), unlink=[edge]))

    def new_id(self, record: Record, taken: Container[str] = ()) -> str:
        """An id from the first words of the title, or of the body, that no record has and that is
        not `taken`."""
        words = _WORD.findall((record.title or record.body)[:200].lower())[:8]
        slug = "-".join(words)[:60].strip("-") or record.kind
        id = slug
        with self._store.snapshot() as view:
            while id in taken or id in view.fetch([id], forgotten=True):
                # Letters only: the index would split digits off and learn a word for each.
                id = f"{slug}-{''.join(secrets.choice(string.ascii_lowercase) for _ in range(6))}"
        return id

    def _keep(
        self,
        record: Record,
        old: Record | None,
        twins: Sequence[Record],
        duplicates: str,
        now: datetime,
    ) -> str:
        """One commit, or DuplicateText. Returns the id of the record that has the text now."""
        expect = {record.id: old.version if old else 0}
        batch = Batch(now=now, records=[record], expect=expect)
        if twins and duplicates == "refuse":
            raise DuplicateText(twin.id for twin in twins)
        if twins and duplicates == "merge":
            record = recheck(_merged(twins[0], record, now))
            batch = Batch(now=now, records=[record], expect={record.id: twins[0].version})
        elif twins:
            edges = [Edge(record.id, SUPERSEDES, twin.id, created_at=now) for twin in twins]
            expect |= {twin.id: twin.version for twin in twins}
            batch = dataclasses.replace(batch, expect=expect, edges=edges)
        self._store.commit(batch)
        return record.id

    def _change(self, id: str, change: Callable[[Record], Record]) -> Record:
        with self._turn:
            return self._changed(id, change)

    def _changed(self, id: str, change: Callable[[Record], Record]) -> Record:
        seen = 0
        for _ in _attempts():
            with self._store.snapshot() as view:
                before = view.fetch([id]).get(id)
            if before is None:
                raise UnknownRecord([id])
            seen = before.version
            now = self._clock()
            changed = recheck(change(before))
            same_date = changed.updated_at in (None, before.updated_at)
            after = dataclasses.replace(
                changed,
                created_at=changed.created_at or before.created_at,
                updated_at=now if same_date else changed.updated_at,
            )
            try:
                batch = Batch(now=now, records=[after], expect={id: before.version})
                receipt = self._store.commit(batch)
            except StaleRecord:
                continue
            if not receipt.written:
                return before
            return dataclasses.replace(after, version=before.version + 1)
        raise StaleRecord(id, seen, seen + 1)


def _attempts() -> Iterator[None]:
    """One at once, then others, as long as INSIST_S is not over."""
    yield
    until = time.monotonic() + INSIST_S
    while time.monotonic() < until:
        time.sleep(random.uniform(0, PAUSE_S))
        yield


def _check_names(changes: Mapping[str, Any]) -> None:
    for name in changes:
        if name in KEPT:
            raise InvalidRecord(name, "cannot be changed")
        if name not in Record.__dataclass_fields__:
            known = (field for field in Record.__dataclass_fields__ if field not in KEPT)
            raise InvalidRecord(name, "no such field", remedy=f"known: {', '.join(known)}")


def _dated(record: Record, old: Record | None, now: datetime) -> Record:
    """What is new was never changed since it came to be."""
    created = record.created_at or (old.created_at if old else None) or now
    updated = record.updated_at or (now if old else created)
    return dataclasses.replace(record, created_at=created, updated_at=updated)


def _merged(known: Record, new: Record, now: datetime) -> Record:
    """Nothing that either says is lost, but for the shorter of the two bodies."""
    dates = [record.created_at for record in (known, new) if record.created_at]
    return dataclasses.replace(
        known,
        tags=tuple(dict.fromkeys((*known.tags, *new.tags))),
        aliases=tuple(dict.fromkeys((*known.aliases, *new.aliases))),
        body=max(known.body, new.body, key=len),
        importance=max(known.importance, new.importance),
        mentions=known.mentions + 1,
        created_at=min(dates),
        updated_at=now,
    )


def _taken_over(edges: Sequence[Edge], old: str, new: str) -> list[Edge]:
    """The links of the old record as links of the new one."""
    return [
        dataclasses.replace(
            edge,
            from_id=new if edge.from_id == old else edge.from_id,
            to_id=new if edge.to_id == old else edge.to_id,
        )
        for edge in edges
        if edge.relation not in LEFT_BEHIND
    ]


def _checked(edge: Edge) -> Edge:
    return check_edge(
        {
            "from": edge.from_id,
            "relation": edge.relation,
            "to": edge.to_id,
            "strength": edge.strength,
            "evidence": edge.evidence,
        }
    )


def _identity(edge: Edge) -> tuple[str, str, str]:
    return edge.from_id, edge.relation, edge.to_id
