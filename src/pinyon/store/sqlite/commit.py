"""Commit: one batch into the file, inside a transaction that the caller has begun.

Rows are gathered first and written table by table: one prepared statement each for a whole batch.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import apsw

from pinyon.model.errors import DuplicateRecord, InvalidRecord, StaleRecord, UnknownRecord
from pinyon.model.query import FIELDS
from pinyon.model.record import Record, Version
from pinyon.store.contract import Batch, Receipt
from pinyon.store.sqlite import models, passages, rows, usage
from pinyon.text.fields import prepared_fields, stem_lines

_FULLTEXT = f"INSERT INTO fulltext (rowid, {', '.join(FIELDS)}) VALUES (?{', ?' * len(FIELDS)})"


def _insert(table: str, columns: str, verb: str = "INSERT") -> str:
    return f"{verb} INTO {table} ({columns}) VALUES (?{', ?' * columns.count(',')})"


_RECORD = _insert("record", f"row, {rows.RECORD_COLUMNS}", "INSERT OR REPLACE")
_CONTENT = _insert("content", f"row, {rows.CONTENT_COLUMNS}", "INSERT OR REPLACE")
_EDGE = (
    f"{_insert('edge', rows.EDGE_COLUMNS)} ON CONFLICT DO UPDATE SET"
    " (strength, evidence, created_at)"
    " = (excluded.strength, excluded.evidence, excluded.created_at)"
    " WHERE (strength, evidence, created_at)"
    " IS NOT (excluded.strength, excluded.evidence, excluded.created_at)"
)
_VERSION = _insert("version", rows.VERSION_COLUMNS, "INSERT OR REPLACE")


def apply(db: apsw.Connection, batch: Batch) -> Receipt:
    """Raises what the contract says; then the caller rolls back."""
    return _Writer(db, batch).run()


def index(db: apsw.Connection, pairs: Sequence[tuple[int, Record]]) -> None:
    """Write what is derived from each record: its words, its stems, its tags."""
    prepared = [(row, record.id, prepared_fields(record)) for row, record in pairs]
    db.executemany(_FULLTEXT, ((row, *texts) for row, _, texts in prepared))
    db.executemany(
        "INSERT INTO stems VALUES (?, ?, ?)",
        ((row, id, stem_lines(texts)) for row, id, texts in prepared),
    )
    db.executemany(
        "INSERT OR IGNORE INTO tag VALUES (?, ?)",
        ((tag, row) for row, record in pairs for tag in record.tags),
    )


class _Writer:
    def __init__(self, db: apsw.Connection, batch: Batch) -> None:
        # Any: what comes out of a row has the type of its column, which no checker knows.
        self.db: Any = db
        self.batch = batch
        self.written: dict[str, None] = {}
        self.removed: dict[str, None] = {}
        self.unchanged = 0
        self.touched = False

    def run(self) -> Receipt:
        self.move()
        self.check_expected()
        self.put(self.batch.records, verbatim=self.batch.verbatim)
        self.add_versions(self.batch.versions)
        self.forget(self.batch.forget)
        self.purge(self.batch.purge)
        self.rename_tags()
        self.link()
        self.keep_state()
        self.touched |= models.apply(self.db, self.batch)
        changed = bool(self.written or self.removed or self.touched)
        if changed:
            self.db.execute("UPDATE revision SET number = number + 1")
        number = self.db.execute("SELECT number FROM revision").fetchall()[0][0]
        return Receipt(number, tuple(self.written), tuple(self.removed), self.unchanged)

    # records

    def check_expected(self) -> None:
        stored = self.stored(list(self.batch.expect))
        for id, version in self.batch.expect.items():
            old = stored.get(id)
            found = 0 if old is None or old[1].deleted_at else old[1].version
            if found != version:
                raise StaleRecord(id, version, found) if version else DuplicateRecord(id)

    def put(self, given: Sequence[Record], *, verbatim: bool = False) -> None:
        stored = self.stored([record.id for record in given])
        next_row = self.next_row()
        fresh: list[tuple[int, Record]] = []
        changed: list[tuple[int, Record]] = []
        versions: list[Version] = []
        for record in given:
            for name in ("created_at", "updated_at"):
                if getattr(record, name) is None:
                    raise InvalidRecord(name, "must be set")
            old = stored.get(record.id)
            new = record if verbatim else _kept_state(record, old and old[1])
            if old is None:
                row, next_row = next_row, next_row + 1
                fresh.append((row, new))
            else:
                row, before = old
                if _same(new, before, verbatim):
                    self.unchanged += 1
                    continue
                if not verbatim:
                    new = self.successor(before, new)
                    if self.batch.keep_history:
                        change = "restored" if before.deleted_at else "updated"
                        versions.append(Version(before, change, self.batch.now))
                changed.append((row, new))
            # The same id twice in one batch: the later one is a change of the earlier.
            stored[record.id] = (row, new)
        self.unindex([row for row, _ in changed])
        written = dict(fresh + changed)
        self.write(sorted(written.items()))
        self.add_versions(versions)
        ids = {record.id for record in written.values()}
        self.written.update((record.id, None) for record in given if record.id in ids)

    def successor(self, before: Record, new: Record) -> Record:
        keep = self.batch.keep_history
        return replace(new, version=before.version + 1 if keep else before.version)

    def write(self, pairs: Sequence[tuple[int, Record]]) -> None:
        db = self.db
        db.executemany(_RECORD, ((row, *rows.record_row(record)) for row, record in pairs))
        db.executemany(_CONTENT, ((row, *rows.content_row(record)) for row, record in pairs))
        live = [(row, record) for row, record in pairs if not record.deleted_at]
        index(db, live)
        passages.put(db, live)
        if len(live) < len(pairs):
            passages.drop(db, [row for row, record in pairs if record.deleted_at])

    def unindex(self, numbers: Iterable[int]) -> None:
        gone = [(row,) for row in numbers]
        self.db.executemany("DELETE FROM fulltext WHERE rowid = ?", gone)
        self.db.executemany("DELETE FROM stems WHERE row = ?", gone)
        self.db.executemany("DELETE FROM tag WHERE row = ?", gone)

    def move(self) -> None:
        for old_id, new_id in self.batch.moves.items():
            stored = self.stored([old_id, new_id])
            if not _live(stored, old_id):
                raise UnknownRecord([old_id])
            row, record = stored[old_id]
            if new_id in stored:
                if not stored[new_id][1].deleted_at:
                    raise DuplicateRecord(new_id)
                self.purge([new_id])
            self.db.execute("DELETE FROM version WHERE id = ?", (new_id,))
            self.unindex([row])
            self.db.execute(
                "UPDATE version SET id = ?2, record = json_set(record, '$.id', ?2) WHERE id = ?1",
                (old_id, new_id),
            )
            self.db.execute(
                "UPDATE OR REPLACE edge SET from_id = ?2 WHERE from_id = ?1", (old_id, new_id)
            )
            self.db.execute(
                "UPDATE OR REPLACE edge SET to_id = ?2 WHERE to_id = ?1", (old_id, new_id)
            )
            usage.rename(self.db, old_id, new_id)
            self.write([(row, replace(record, id=new_id))])
            self.removed[old_id] = None
            self.removed.pop(new_id, None)
            self.written[new_id] = None

    def forget(self, ids: Sequence[str]) -> None:
        stored = self.stored(ids)
        missing = [id for id in dict.fromkeys(ids) if not _live(stored, id)]
        if missing:
            raise UnknownRecord(missing)
        pairs = list(stored.values())
        self.unindex([row for row, _ in pairs])
        passages.drop(self.db, [row for row, _ in pairs])
        for row, record in pairs:
            gone = self.successor(record, replace(record, deleted_at=self.batch.now))
            self.db.execute(_RECORD, (row, *rows.record_row(gone)))
        if self.batch.keep_history:
            self.add_versions([Version(old, "forgotten", self.batch.now) for _, old in pairs])
        self.removed.update((record.id, None) for _, record in pairs)

    def purge(self, ids: Sequence[str]) -> None:
        stored = self.stored(ids)
        missing = [id for id in ids if id not in stored]
        if missing:
            raise UnknownRecord(missing)
        self.unindex([row for row, _ in stored.values()])
        passages.drop(self.db, [row for row, _ in stored.values()])
        for id, (row, _) in stored.items():
            self.db.execute("DELETE FROM record WHERE row = ?", (row,))
            self.db.execute("DELETE FROM content WHERE row = ?", (row,))
            self.db.execute("DELETE FROM version WHERE id = ?", (id,))
            self.db.execute("DELETE FROM edge WHERE from_id = ?1 OR to_id = ?1", (id,))
            usage.purge(self.db, row, id)
        self.removed.update((id, None) for id in ids)

    def rename_tags(self) -> None:
        for old_name, new_name in self.batch.rename_tags.items():
            if old_name == new_name:
                continue
            found = self.db.execute(
                "SELECT id FROM tag JOIN record USING (row) WHERE name = ?", (old_name,)
            ).fetchall()
            tagged = self.stored([id for (id,) in found])
            self.put(
                [
                    _retagged(record, old_name, new_name, self.batch.now)
                    for _, record in tagged.values()
                ]
            )

    # the rest

    def add_versions(self, versions: Sequence[Version]) -> None:
        given = [rows.version_row(version) for version in versions]
        known = f"SELECT 1 FROM version WHERE ({rows.VERSION_COLUMNS}) IS (?, ?, ?, ?, ?)"
        fresh = [row for row in given if not self.db.execute(known, row).fetchall()]
        self.db.executemany(_VERSION, fresh)
        self.touched |= bool(fresh)

    def link(self) -> None:
        edges, gone = self.batch.edges, self.batch.unlink
        ends = {id for edge in edges for id in (edge.from_id, edge.to_id) if not id.startswith("@")}
        live = dict(
            self.db.execute(
                "SELECT id, deleted_at IS NULL FROM record"
                " WHERE id IN (SELECT value FROM json_each(?))",
                (rows.to_ids(sorted(ends)),),
            ).fetchall()
        )
        missing = sorted(
            id for id in ends if id not in live or not (self.batch.verbatim or live[id])
        )
        if missing:
            raise UnknownRecord(missing)
        before = self.db.total_changes()
        self.db.executemany(_EDGE, map(rows.edge_row, edges))
        self.db.executemany(
            "DELETE FROM edge WHERE from_id = ? AND relation = ? AND to_id = ?",
            ((edge.from_id, edge.relation, edge.to_id) for edge in gone),
        )
        self.touched |= self.db.total_changes() > before

    def keep_state(self) -> None:
        """Folders, files, settings and feedback are no content: no revision hangs on them."""
        db, batch = self.db, self.batch
        for name, path in batch.folders.items():
            if path is None:
                db.execute("DELETE FROM folder WHERE name = ?", (name,))
                db.execute("DELETE FROM file WHERE folder = ?", (name,))
            else:
                db.execute("INSERT OR REPLACE INTO folder VALUES (?, ?)", (name, path))
        for folder, files in batch.files.items():
            db.executemany(
                "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        folder,
                        file.path,
                        file.modified_ns,
                        file.size,
                        file.digest,
                        rows.to_list(file.ids),
                        rows.to_list(file.edges),
                        file.reader,
                    )
                    for file in files
                ),
            )
        for folder, paths in batch.gone_files.items():
            db.executemany(
                "DELETE FROM file WHERE folder = ? AND path = ?", ((folder, path) for path in paths)
            )
        for key, value in batch.settings.items():
            if value is None:
                db.execute("DELETE FROM setting WHERE key = ?", (key,))
            else:
                db.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (key, value))
        if batch.feedback:
            usage.give(db, batch.feedback)

    def stored(self, ids: Sequence[str]) -> dict[str, tuple[int, Record]]:
        found: dict[str, tuple[int, Record]] = {}
        if ids:
            query = (
                f"SELECT row, {rows.RECORD_COLUMNS}, {rows.CONTENT_COLUMNS} FROM record"
                " JOIN content USING (row) WHERE id IN (SELECT value FROM json_each(?))"
            )
            for row, *values in self.db.execute(query, (rows.to_ids(ids),)):
                record = rows.record_of(values)
                found[record.id] = (row, record)
        return found

    def next_row(self) -> int:
        last: Any = self.db.execute("SELECT max(row) FROM record").fetchall()[0][0]
        return (last or 0) + 1


def _live(stored: Mapping[str, tuple[int, Record]], id: str) -> bool:
    return id in stored and not stored[id][1].deleted_at


def _kept_state(record: Record, before: Record | None) -> Record:
    """The state that the store keeps is not the caller's to set."""
    if record.version == 1 and record.deleted_at is None and before is None:
        return record
    return replace(record, version=before.version if before else 1, deleted_at=None)


def _same(new: Record, before: Record, verbatim: bool) -> bool:
    if verbatim:
        return new == before
    return before.deleted_at is None and new == replace(
        before, version=new.version, updated_at=new.updated_at
    )


def _retagged(record: Record, old: str, new: str, now: datetime) -> Record:
    tags = tuple(dict.fromkeys(new if tag == old else tag for tag in record.tags))
    return replace(record, tags=tags, updated_at=now)
