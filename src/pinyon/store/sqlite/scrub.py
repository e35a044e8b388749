"""Scrub: what was purged leaves the places that no delete reaches: full text, free space, the log.

The setting PURGE marks the file from the purge until a scrub has reached its end: one that was
killed, or that others kept from its end, is finished by whoever writes next.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import apsw

from pinyon.model.errors import BusyStore
from pinyon.store.contract import BEGUN, PURGE
from pinyon.store.sqlite import connect, rebuild
from pinyon.text.fields import stems_of

WORDLESS = "the file is not yet written anew"
"""The mark of a file whose rows say nothing of what was purged; its free space may."""

READERS_MS = 5_000
"""How long to wait for those who read an older moment; meanwhile, other writers wait."""

_FILES = (
    "UPDATE file SET ids = (SELECT json_group_array(value) FROM json_each(ids)"
    " WHERE value IN (SELECT id FROM record)),"
    " edges = (SELECT json_group_array(json(value)) FROM json_each(edges)"
    " WHERE value ->> 0 IN (SELECT id FROM record)"
    " AND (value ->> 2 LIKE '@%' OR value ->> 2 IN (SELECT id FROM record)))"
)


def marked(db: Any) -> bool:
    """Whether there is a purge that is not finished."""
    return _mark(db) is not None


def begun(db: Any) -> bool:
    """Whether rows may still say something of it."""
    return _mark(db) == BEGUN


def scrub_rows(db: Any, own: Collection[str] | None) -> None:
    """Inside a transaction: what other rows say of records that are gone. A question goes that
    holds one of their `own` stems, unless a record has it still; where they are not known, one that
    holds any stem that no record has."""
    rebuild.rebuild_words(db)
    db.execute(_FILES)
    log = db.execute("SELECT number, text FROM asked").fetchall()
    gone = [(number,) for number, text in log if _names(db, text, own)]
    db.executemany("DELETE FROM asked WHERE number = ?", gone)
    judged = db.execute("SELECT DISTINCT query FROM feedback").fetchall()
    gone = [(query,) for (query,) in judged if _names(db, query, own)]
    db.executemany("DELETE FROM feedback WHERE query = ?", gone)
    db.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (PURGE, WORDLESS))


def scrub_file(db: apsw.Connection, path: Path) -> None:
    """Free space, the log, and the copies that migrations made. Raises BusyStore where somebody
    still reads an older moment."""
    db.execute("VACUUM")
    db.set_busy_timeout(READERS_MS)
    try:
        db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except apsw.BusyError:
        raise BusyStore(
            f"it was purged, but somebody still reads {path} as it was before",
            remedy="its words leave the file with the next write after that",
        ) from None
    finally:
        db.set_busy_timeout(connect.WAIT_MS)
    for copy in connect.kept_copies(path):
        copy.unlink(missing_ok=True)
    db.execute("DELETE FROM setting WHERE key = ?", (PURGE,))


def _mark(db: Any) -> str | None:
    found = db.execute("SELECT value FROM setting WHERE key = ?", (PURGE,)).fetchall()
    return found[0][0] if found else None


def _names(db: Any, text: str, own: Collection[str] | None) -> bool:
    known = "SELECT 1 FROM vocabulary WHERE term = ?"
    asked = stems_of(text) if own is None else stems_of(text).intersection(own)
    return any(not db.execute(known, (stem,)).fetchall() for stem in asked)
