"""The SQLite store: one file, one writer at a time, any number of readers.

Readers each get a connection of their own from a pool; a view is a read transaction on it. The one
writing connection is opened by the first commit. Other processes do the same with the same file:
SQLite's write-ahead log keeps them apart.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from pinyon.model.errors import ReadOnlyStore, StoreError
from pinyon.store.sqlite import connect, substring
from pinyon.store.sqlite.view import Memory, SqliteView, totals_function

if TYPE_CHECKING:
    from datetime import datetime

    from pinyon.model.use import Noted
    from pinyon.store.contract import Batch, Finding, Receipt, Task


class SqliteStore:
    """See the contract for what it promises."""

    def __init__(self, path: Path, *, create: bool = True, guest: bool = False) -> None:
        """Raises one of the StoreErrors when `path` cannot be used. A `guest` is asked beside
        another store: it is neither made nor changed, and nobody waits for it."""
        if guest:
            connect.check_guest(path)
        else:
            connect.prepare_file(path, create=create)
        self.path = path
        self._guest = guest
        self._idle: list[apsw.Connection] = []
        self._readers = threading.Lock()
        self._writer: apsw.Connection | None = None
        self._writing = threading.Lock()
        self._noter: apsw.Connection | None = None
        self._noting = threading.Lock()
        self._memory = Memory()
        self._closed = False

    @contextmanager
    def snapshot(self) -> Iterator[SqliteView]:
        with connect.our_errors(self.path):
            db = self._reader()
            try:
                db.execute("BEGIN")
                view = SqliteView(db, self._memory, self.path)
                self._memory = view.memory
                yield view
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                with self._readers:
                    self._idle.append(db)
                if self._closed:
                    self.close()

    # Writing and care are imported where they begin: a search from the shell needs neither.

    def commit(self, batch: "Batch") -> "Receipt":
        from pinyon.store.sqlite.commit import apply

        with self._transaction() as db:
            return apply(db, batch)

    def lease(
        self, model: str, owner: str, *, now: "datetime", until: "datetime", limit: int
    ) -> "list[Task]":
        from pinyon.store.sqlite import models

        with self._transaction() as db:
            return models.lease(db, model, owner, now=now, until=until, limit=limit)

    def note(self, noted: "Noted") -> bool:
        from pinyon.store.sqlite.usage import note

        self._check_writable()
        if not self._noting.acquire(timeout=connect.NOTE_MS / 1e3):
            return False
        try:
            if self._noter is None:
                self._noter = connect.open_noter(self.path)
            with _immediate(self._noter) as db:
                note(db, noted)
            return True
        except (
            *(apsw.BusyError, apsw.LockedError, apsw.ReadOnlyError),
            *(apsw.FullError, apsw.CantOpenError, apsw.IOError),
        ):
            return False  # what searches left may be lost; no answer waits for it
        finally:
            self._noting.release()

    def examine(self) -> "list[Finding]":
        from pinyon.store.sqlite.examine import examine

        with self.snapshot() as view:
            return list(examine(view.db, view))

    def rebuild(self) -> None:
        from pinyon.store.sqlite import rebuild

        with self._transaction() as db:
            rebuild.rebuild(db)

    def scrub(self) -> None:
        from pinyon.store.sqlite import rebuild

        with self._transaction() as db:
            rebuild.rebuild_words(db)
        with self._writing, connect.our_errors(self.path):
            db = self._connected()
            db.execute("VACUUM")
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def close(self) -> None:
        self._closed = True
        with self._readers:
            while self._idle:
                self._idle.pop().close()
        with self._writing:
            if self._writer:
                self._writer.close()
                self._writer = None
        with self._noting:
            if self._noter:
                self._noter.close()
                self._noter = None

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        with (
            self._writing,
            connect.our_errors(self.path),
            _immediate(self._connected()) as db,
        ):
            yield db

    def _check_writable(self) -> None:
        self._check_open()
        if self._guest:
            raise ReadOnlyStore(
                f"{self.path} is only read, beside another store", remedy="open it by itself"
            )

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self.path} was closed", remedy="open it again")

    def _connected(self) -> apsw.Connection:
        self._check_writable()
        if self._writer is None:
            self._writer = connect.open_writer(self.path)
        return self._writer

    def _reader(self) -> apsw.Connection:
        self._check_open()
        with self._readers:
            if self._idle:
                return self._idle.pop()
        db = connect.open_reader(self.path, guest=self._guest)
        db.register_fts5_function("pinyon_totals", totals_function)
        db.create_scalar_function("pinyon_holds", substring.holds, 2, deterministic=True)
        return db


@contextmanager
def _immediate(db: apsw.Connection) -> Iterator[apsw.Connection]:
    """A transaction that writes, from its beginning on."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
