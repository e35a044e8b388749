"""The SQLite store: one file, one writer at a time, any number of readers.

Readers each get a connection of their own from a pool; a view is a read transaction on it. The one
writing connection is opened by the first commit. Other processes do the same with the same file:
SQLite's write-ahead log keeps them apart.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from pinyon.model import patience
from pinyon.model.errors import BusyStore, InvalidInput, ReadOnlyStore, StoreError
from pinyon.store.sqlite import connect, substring
from pinyon.store.sqlite.view import Memory, SqliteView, totals_function

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from pinyon.model.use import Noted
    from pinyon.store.contract import Batch, Finding, Receipt, Task
    from pinyon.store.sqlite.shorten import Log

STEPS = 20_000
"""Of SQLite's machine, about a millisecond, between two looks at whether a reader still waits."""


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
        self._identity = connect.identity(path)
        self._guest = guest
        self._idle: list[apsw.Connection] = []
        self._readers = threading.Lock()
        self._writer: apsw.Connection | None = None
        self._writing = threading.Lock()
        self._log: Log | None = None
        self._noter: apsw.Connection | None = None
        self._noting = threading.Lock()
        self._memory = Memory()
        self._unfinished = True  # a purge, perhaps: the first commit looks
        self._closed = False

    @contextmanager
    def snapshot(self) -> Iterator[SqliteView]:
        with self._judged():
            db = self._reader()
            waiting = patience.current()
            try:
                if waiting:
                    db.set_progress_handler(waiting.over, STEPS, id="patience")
                db.execute("BEGIN")
                view = SqliteView(db, self._memory, self.path)
                self._memory = view.memory
                yield view
            finally:
                if waiting:
                    db.set_progress_handler(None, id="patience")
                if db.in_transaction:
                    db.execute("ROLLBACK")
                if connect.lasting(db):
                    with self._readers:
                        self._idle.append(db)
                else:
                    db.close()
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

        return self._found(examine)

    def _found(
        self, check: "Callable[[apsw.Connection, Path], Iterator[Finding]]"
    ) -> "list[Finding]":
        with connect.our_errors(self.path):
            db = self._reader()
            try:
                db.execute("BEGIN")
                return list(check(db, self.path))
            finally:
                db.close()

    def rebuild(self) -> None:
        from pinyon.store.sqlite import rebuild

        with self._transaction() as db:
            rebuild.rebuild(db)

    def scrub(self, own: "Collection[str]" = ()) -> None:
        from pinyon.store.sqlite.scrub import scrub_file, scrub_rows

        with self._writing, self._judged():
            db = self._connected()
            with _immediate(db):
                scrub_rows(db, own)
            self._unfinished = True
            scrub_file(db, self.path)
            self._unfinished = False

    def backup(
        self,
        target: Path,
        *,
        replace: bool = False,
        progress: "Callable[[int, int], None]" = lambda done, total: None,
    ) -> None:
        from pinyon.store.sqlite.backup import backup

        if target.absolute() == self.path.absolute() or _same(target, self.path):
            raise InvalidInput(f"{target} is the store itself", remedy="name another file")
        with self.snapshot() as view:
            backup(view.db, target, replace=replace, progress=progress)

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
        from pinyon.store.sqlite.shorten import Log

        with self._writing, self._judged():
            writer = self._connected()
            if self._unfinished:
                self._finish(writer)
            with _immediate(writer) as db:
                yield db
            self._log = self._log or Log(self.path)
            self._log.shorten(writer)

    @contextmanager
    def _judged(self) -> Iterator[None]:
        """An error that nobody expects is a mistake of ours, or of the disk: a value that was never
        written like that. The file itself says which."""
        try:
            with connect.our_errors(self.path):
                yield
        except UnicodeEncodeError:  # about what was given, not about what was read
            raise
        except connect.UNEXPECTED as error:
            from pinyon.store.sqlite.damage import damage

            # For a guest nobody waits: this reads the whole file.
            if not self._guest and (findings := self._found(damage)):
                raise connect.damaged(self.path, findings[0].problem) from error
            raise

    def _check_writable(self) -> None:
        self._check_open()
        if self._guest:
            raise ReadOnlyStore(
                f"{self.path} is only read, beside another store", remedy="open it by itself"
            )

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self.path} was closed", remedy="open it again")
        if connect.identity(self.path) != self._identity:
            # What is written now would be in a file that nobody finds, or in two files at once.
            raise StoreError(
                f"{self.path} was replaced or removed while it was open", remedy="open it again"
            )

    def _connected(self) -> apsw.Connection:
        self._check_writable()
        if self._writer is None:
            self._writer = connect.open_writer(self.path)
        return self._writer

    def _finish(self, db: apsw.Connection) -> None:
        """The purge of one who died, or who was kept from its end. The first who writes looks."""
        from pinyon.store.sqlite.scrub import begun, marked, scrub_file, scrub_rows

        self._unfinished = marked(db)
        if self._unfinished:
            with _immediate(db):
                if begun(db):
                    scrub_rows(db, None)
            with suppress(BusyStore):  # the next one tries again
                scrub_file(db, self.path)
                self._unfinished = False

    def _reader(self) -> apsw.Connection:
        self._check_open()
        with self._readers:
            if self._idle:
                db = self._idle.pop()
                connect.unmap(db)
                return db
        db = connect.open_reader(self.path, guest=self._guest)
        db.register_fts5_function("pinyon_totals", totals_function)
        db.create_scalar_function("pinyon_holds", substring.holds, 2, deterministic=True)
        return db


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


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
