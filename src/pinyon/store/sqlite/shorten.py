"""Shorten: the write-ahead log is begun anew, also where readers are never all gone at once.

SQLite begins it anew when no reader needs it. Where one reader comes before the last has gone, that
never happens, and the log grows with every commit: then a writer waits a moment for those that
read now, while new ones read past the log.
"""

from contextlib import suppress
from pathlib import Path

import apsw

from pinyon.store.sqlite.connect import MOST_LOG, WAIT_MS

LONGEST = 2 * MOST_LOG
"""Bytes of a log that is left alone."""

READERS_MS = 1_000
"""How long a writer waits for readers, for each LONGEST that the log has. Meanwhile other writers
wait for it: at most half of their own patience."""


class Log:
    """The log of one store, as its writer sees it."""

    def __init__(self, path: Path) -> None:
        self._path = Path(f"{path}-wal")
        self._most = LONGEST

    def shorten(self, writer: apsw.Connection) -> None:
        """After a commit, which stands whatever happens here. Where a reader stays for longer, it
        is tried again when the log is twice as long."""
        if (size := self._size()) <= self._most:
            return
        self._most = 2 * size
        writer.set_busy_timeout(min(READERS_MS * size // LONGEST, WAIT_MS // 2))
        try:
            with suppress(apsw.Error):
                writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                self._most = LONGEST
        finally:
            writer.set_busy_timeout(WAIT_MS)

    def _size(self) -> int:
        try:
            return self._path.stat().st_size
        except OSError:
            return 0
