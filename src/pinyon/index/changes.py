"""Changes: what a caller does to single records: save, update, tag, forget, link.

Each is a read, a check and one commit that says which version it expects; when somebody else was
faster, it begins again.
"""

import dataclasses
import re
import secrets
import string
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import datetime
from typing import Any

from pinyon.model.check import check_edge, check_id, recheck
from pinyon.model.errors import (
    DuplicateRecord,
    InvalidInput,
    InvalidRecord,
    StaleRecord,
    UnknownRecord,
)
from pinyon.model.record import Edge, Record
from pinyon.store.contract import Batch, Edges, Store

TRIES = 20
"""How often a change begins again before it gives up."""

KEPT = ("id", "version", "deleted_at")
"""Fields of a record that no update can set."""

_WORD = re.compile(r"[^\W_]+")


class Changes:
    """All changes to one store. `clock` says when they happen."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock

    def save(self, record: Record, *, overwrite: bool) -> str:
        """Returns the id. One that is taken raises DuplicateRecord, unless `overwrite`."""
        checked = recheck(record)
        if checked.id:
            self._write(checked, overwrite)
            return checked.id
        for _ in range(TRIES):
            named = dataclasses.replace(checked, id=self.new_id(checked))
            try:
                self._write(named, False)
            except DuplicateRecord:
                continue
            return named.id
        raise DuplicateRecord(named.id)

    def update(self, id: str, changes: Mapping[str, Any]) -> Record:
        """Change the named fields; the others stay."""
        for name in changes:
            if name in KEPT:
                raise InvalidRecord(name, "cannot be changed")
            if name not in Record.__dataclass_fields__:
                known = (field for field in Record.__dataclass_fields__ if field not in KEPT)
                raise InvalidRecord(name, "no such field", remedy=f"known: {', '.join(known)}")
        return self._change(id, lambda record: dataclasses.replace(record, **changes))

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

    def forget(self, ids: Sequence[str], *, purge: bool) -> None:
        """Out of every answer; with `purge` out of the file."""
        if purge:
            self._store.commit(Batch(now=self._clock(), purge=ids))
            self._store.scrub()
        else:
            self._store.commit(Batch(now=self._clock(), forget=ids))

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

    def _write(self, record: Record, overwrite: bool) -> None:
        for _ in range(TRIES):
            now = self._clock()
            with self._store.snapshot() as view:
                old = view.fetch([record.id]).get(record.id)
            if old and not overwrite:
                raise DuplicateRecord(record.id)
            created = record.created_at or (old.created_at if old else None) or now
            dated = dataclasses.replace(
                record, created_at=created, updated_at=record.updated_at or now
            )
            expect = {record.id: old.version if old else 0}
            try:
                self._store.commit(Batch(now=now, records=[dated], expect=expect))
            except (StaleRecord, DuplicateRecord):
                if overwrite:
                    continue
                raise
            return
        raise StaleRecord(record.id, expect[record.id], expect[record.id] + 1)

    def _change(self, id: str, change: Callable[[Record], Record]) -> Record:
        seen = 0
        for _ in range(TRIES):
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
