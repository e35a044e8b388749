"""Connect: opens the file, brings its schema up to date, and says in our words what SQLite says."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from pinyon.model import errors, patience

APPLICATION_ID = 0x50494E59
"""Marks a SQLite file as a Pinyon store ("PINY")."""

MIGRATIONS = ("schema.sql", "vectors.sql", "files.sql", "judgement.sql")
"""One file a step, only ever appended to: a file's user_version says how many it has seen."""

_HEADER = b"SQLite format 3\0"

UNEXPECTED = (apsw.Error, ValueError, TypeError, AttributeError, LookupError, ArithmeticError)
"""What reading a file ends in where its values are not those that were written."""

WAIT_MS = 30_000
"""How long a writer waits for its turn before it gives up."""

NOTE_MS = 50
"""As long for what may be lost."""

GUEST_MS = 100
"""As long for a store that is only asked beside another one."""


MOST_LOG = 16_777_216
"""Bytes of the log that are kept for the next commits, when no reader needs the rest any more."""


class OlderStore(errors.StoreError):
    """The file was written by an older Pinyon, and must not be changed."""


def open_writer(path: Path) -> apsw.Connection:
    """A connection that may write. Commits are on the disk when they return (synchronous=FULL)."""
    flags = apsw.SQLITE_OPEN_READWRITE
    connection = _open(path, flags)
    # secure_delete: what is purged must not stay readable in the file's free pages.
    connection.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    connection.pragma("journal_size_limit", MOST_LOG)
    return connection


def open_noter(path: Path) -> apsw.Connection:
    """A connection that writes what may be lost, and does not wait for its turn."""
    connection = _open(path, apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(NOTE_MS)
    connection.execute("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
    return connection


def open_reader(path: Path, *, guest: bool = False) -> apsw.Connection:
    """A connection that only reads. Where nothing can be written it reads the file as it is. For a
    `guest`, nobody waits long, and the file is not mapped into memory (see `unmap`)."""
    connection = None
    try:
        connection = _open(path, apsw.SQLITE_OPEN_READONLY, guest=guest)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError):
        if connection is not None:
            connection.close()
        # A log needs a file beside the store; a read-only folder or a full disk cannot have one.
        # Where there is a log with something in it, the file alone would answer as of yesterday.
        if _logged(path):
            raise
        uri = f"{path.absolute().as_uri()}?immutable=1"
        connection = _open(uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, guest=guest)
    if sys.maxsize > 2**32 and not guest:
        connection.execute("PRAGMA mmap_size = 1073741824")
    return connection


def _logged(path: Path) -> bool:
    try:
        return Path(f"{path}-wal").stat().st_size > 0
    except OSError:
        return False


def lasting(connection: apsw.Connection) -> bool:
    """Whether it may be used again. What reads a file as it is does not see what others write."""
    return not connection.open_flags & apsw.SQLITE_OPEN_URI


def unmap(connection: apsw.Connection) -> None:
    """From now on, read the file by calls. Mapped it is faster for the first question of a process,
    but a file that is cut short meanwhile ends the process; later questions have SQLite's cache."""
    connection.execute("PRAGMA mmap_size = 0")


def identity(path: Path) -> tuple[int, int] | None:
    """Which file it is that lies at `path`, if there is one."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def prepare_file(path: Path, *, create: bool) -> None:
    """Make sure that `path` is a store of this version: create it, migrate it, or refuse it."""
    with our_errors(path):
        if not os.path.exists(path) and create:  # noqa: PTH110  (Path's raises where it may not look)
            _create_file(path)
        done = _steps_of(path)
        if not done and not create:
            raise _empty(path)
        if done < len(MIGRATIONS):
            try:
                _migrate(path)
            except apsw.SQLError as error:  # it is not what its version says
                raise damaged(path, str(error)) from None


def check_guest(path: Path) -> None:
    """Make sure that `path` is a store of this version, and leave it as it is. Does not wait."""
    with our_errors(path):
        done = _steps_of(path, guest=True)
    if not done:
        raise _empty(path)
    if done < len(MIGRATIONS):
        raise OlderStore(
            f"{path} was written by an older Pinyon (version {done} of the file, now:"
            f" {len(MIGRATIONS)})",
            remedy=f"bring it up to date with: pinyon stats --store {path}",
        )


def _empty(path: Path) -> errors.NotAStore:
    return errors.NotAStore(
        f"{path} is empty", remedy="save or index first; if it was a store, restore a backup"
    )


def _steps_of(path: Path, *, guest: bool = False) -> int:
    """How many of MIGRATIONS the file has seen."""
    if not os.path.exists(path):  # noqa: PTH110  (as above)
        raise errors.NoStore(f"there is no store at {path}", remedy="save or index first")
    if path.is_dir():
        raise errors.NotAStore(f"{path} is a folder", remedy="name the store's file")
    _check_header(path)
    connection = open_reader(path, guest=guest)
    try:
        return _steps_done(connection, path)
    finally:
        connection.close()


def _create_file(path: Path) -> None:
    from pinyon import private

    try:
        # Only its owner may read it: it holds what a person knows.
        private.make_folder(path.parent)
        private.make_file(path)
    except OSError as error:
        raise errors.ReadOnlyStore(
            f"cannot create {path}: {error.strerror}", remedy="choose another place with --store"
        ) from None


def _check_header(path: Path) -> None:
    """SQLite takes a file of a few bytes for an empty one, and would write over it."""
    try:
        with path.open("rb") as file:
            header = file.read(len(_HEADER))
    except OSError:
        return  # SQLite says it better
    if header and header != _HEADER:
        raise apsw.NotADBError


def _open(where: Path | str, flags: int, *, guest: bool = False) -> apsw.Connection:
    connection = apsw.Connection(str(where), flags=flags)
    connection.set_busy_timeout(GUEST_MS if guest else WAIT_MS)
    connection.execute("PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY")
    return connection


def _steps_done(connection: apsw.Connection, path: Path) -> int:
    application = connection.pragma("application_id")
    done = int(connection.pragma("user_version"))
    if application != APPLICATION_ID:
        if connection.execute("SELECT count(*) FROM sqlite_schema").fetchall() != [(0,)]:
            raise errors.NotAStore(
                f"{path} is a database, but not a Pinyon store",
                remedy="choose another file with --store",
            )
        return 0
    if done > len(MIGRATIONS):
        raise errors.NewerStore(
            f"{path} was written by a newer Pinyon (version {done} of the file, known:"
            f" {len(MIGRATIONS)})",
            remedy="upgrade with: pip install --upgrade pinyon",
        )
    return done


def _migrate(path: Path) -> None:
    """All steps in one transaction: a migration that is killed has not happened."""
    from pinyon.store.sqlite.passages import put_all

    connection = open_writer(path)
    try:
        connection.pragma("journal_mode", "wal")
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Asked again inside the transaction: another process may have been faster.
            done = _steps_done(connection, path)
            if 0 < done < len(MIGRATIONS):
                _keep(path, done)
            for step in MIGRATIONS[done:]:
                connection.execute((Path(__file__).parent / step).read_text("utf-8"))
            if done:
                # What older code split may be split otherwise today.
                put_all(connection)
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", len(MIGRATIONS))
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite may have rolled it back already
                connection.execute("ROLLBACK")
            raise
    finally:
        connection.close()


def _keep(path: Path, done: int) -> None:
    """A copy of the file as the older Pinyon wrote it, beside it. The writer holds the lock, so
    that it cannot be changed meanwhile."""
    from pinyon.store.sqlite.backup import backup

    reader = open_reader(path)
    try:
        # Nobody else migrates now: what is left of another copy was left by one who died.
        backup(reader, path.with_name(f"{path.name}.v{done}.backup"), replace=True, left_s=0)
    finally:
        reader.close()


def kept_copies(path: Path) -> list[Path]:
    """The copies of a file that migrations made, also what is left of one that was killed."""
    import glob

    name = glob.escape(path.name)
    whole = (path.with_name(f"{path.name}.v{done}.backup") for done in range(len(MIGRATIONS)))
    return [*filter(Path.exists, whole), *path.parent.glob(f".{name}.v*.backup.*.part*")]


@contextmanager
def our_errors(path: Path) -> Iterator[None]:
    """SQLite's errors that a user can do something about, as ours."""
    try:
        yield
    except apsw.InterruptError:
        patience.check()
        raise
    except apsw.BusyError:
        raise errors.BusyStore(
            f"{path} is in use by another process", remedy="try again when it is done"
        ) from None
    except apsw.FullError:
        raise errors.FullDisk(
            f"the disk is full; nothing was written to {path}", remedy="free some space"
        ) from None
    except apsw.ReadOnlyError:
        raise errors.ReadOnlyStore(
            f"{path} cannot be written", remedy="check its permissions and its folder's"
        ) from None
    except apsw.CantOpenError:
        raise errors.ReadOnlyStore(
            f"{path} cannot be opened", remedy="check its permissions and its folder's"
        ) from None
    except apsw.NotADBError:
        raise errors.NotAStore(
            f"{path} is not a Pinyon store", remedy="choose another file with --store"
        ) from None
    except apsw.CorruptError as error:
        raise damaged(path, str(error)) from None
    except apsw.IOError as error:
        raise errors.StoreError(
            f"{path} cannot be read or written: {error}", remedy="check the disk"
        ) from None


def damaged(path: Path, how: str) -> errors.DamagedStore:
    return errors.DamagedStore(f"{path} is damaged: {how}", remedy="run: pinyon doctor")
