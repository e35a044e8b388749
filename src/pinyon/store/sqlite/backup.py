"""Backup: a copy of a live file, as it is at one moment, complete or not there at all."""

import glob
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import apsw

from pinyon import private
from pinyon.model import errors

PAGES = 4_096
"""Copied between two looks at the progress: some ten megabytes."""

PART = ".part"
"""How the name of a copy ends that is not finished."""

LEFT_S = 3_600.0
"""A copy that is not finished, and that nobody wrote to for so long, was left by one who died."""

Progress = Callable[[int, int], None]
"""Told the pages that are done, and how many there are."""


def ignore(done: int, total: int) -> None:
    """Nobody watches."""


def backup(
    source: apsw.Connection,
    target: Path,
    *,
    replace: bool,
    progress: Progress = ignore,
    left_s: float = LEFT_S,
) -> None:
    """Copy what `source` sees to the file `target`, which is there only when it is whole, and on
    the disk. Only its owner may read it. Raises InvalidInput where there is such a file already,
    unless `replace`. Others may write meanwhile; of that, the copy has nothing. What a
    backup to the same place left that was killed is cleared away, when it is `left_s` old."""
    if target.is_dir():
        raise errors.InvalidInput(f"{target} is a folder", remedy="name a file")
    if target.exists() and not replace:
        raise errors.InvalidInput(f"{target} exists already", remedy="name another file")
    if Path(f"{target}-wal").exists():
        # Its log would be taken for that of the copy.
        raise errors.InvalidInput(f"{target} is in use as a store", remedy="name another file")
    try:
        private.make_folder(target.parent)
        _clear(target, left_s)
        handle, near = tempfile.mkstemp(  # mode 0600
            dir=target.parent, prefix=f".{target.name}.", suffix=PART
        )
    except OSError as error:
        raise errors.ReadOnlyStore(
            f"cannot write {target}: {error.strerror}", remedy="choose another place"
        ) from None
    os.close(handle)
    try:
        _copy(source, Path(near), progress)
        _settled(Path(near))
        Path(near).replace(target)
        _settled(target.parent)
    except apsw.FullError:
        raise errors.FullDisk(
            f"the disk is full; {target} was not written", remedy="free some space"
        ) from None
    finally:
        _remove(near)


def _clear(target: Path, left_s: float) -> None:
    then = time.time() - left_s
    for left in target.parent.glob(f".{glob.escape(target.name)}.*{PART}"):
        with suppress(OSError):
            if left.stat().st_mtime <= then:
                _remove(str(left))


def _remove(near: str) -> None:
    """The copy itself at last: what is beside it is found by its name."""
    for left in (f"{near}-journal", f"{near}-wal", f"{near}-shm", near):
        with suppress(OSError):
            Path(left).unlink(missing_ok=True)


def _copy(source: apsw.Connection, near: Path, progress: Progress) -> None:
    """Inside one read transaction: SQLite would begin again after each commit of others."""
    copy = apsw.Connection(str(near), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        copy.execute("PRAGMA synchronous = FULL")
        with copy.backup("main", source, "main") as pages:
            while not pages.done:
                pages.step(PAGES)
                progress(pages.page_count - pages.remaining, pages.page_count)
        broken = [text for (text,) in copy.execute("PRAGMA quick_check(1)") if text != "ok"]
        if broken:
            raise errors.DamagedStore(f"the store is damaged: {broken[0]}", remedy="pinyon doctor")
        copy.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    finally:
        copy.close()


def _settled(path: Path) -> None:
    """On the disk; a folder can be told only on some systems."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
