"""Damage: what is wrong with the file itself: broken pages, and values that nobody wrote."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import apsw

from pinyon.model.check import recheck
from pinyon.model.errors import InvalidInput
from pinyon.model.query import FIELDS
from pinyon.store.contract import Finding
from pinyon.store.sqlite.connect import MIGRATIONS, UNEXPECTED
from pinyon.store.sqlite.view import Memory, SqliteView

REBUILD = "run: pinyon doctor --rebuild"
SALVAGE = "restore a backup, or save what can be read with: pinyon doctor --salvage FILE"

UNREADABLE = (*UNEXPECTED, InvalidInput)
"""What reading a value ends in that was never written like that."""

_DERIVED = ("malformed inverted index", "missing from index", "wrong # of entries in index")
"""Of SQLite's words those for what can be made anew; anything else is about the rows themselves."""

_COMMENT = re.compile(r"--[^\n]*")

_BREAKS = len(FIELDS) - 1  # the stems of a record are a line a field

_TABLES = {
    "stems": (f"length(lines) - length(replace(lines, char(10), '')) <> {_BREAKS}", REBUILD),
    "tag": ("row IS NULL", REBUILD),
    "setting": ("key IS NULL", SALVAGE),
    "folder": ("name IS NULL", SALVAGE),
    "file": ("NOT json_valid(ids) OR NOT json_valid(edges)", SALVAGE),
    "use": ("row IS NULL", SALVAGE),
    "asked": ("NOT json_valid(kinds)", SALVAGE),
    "feedback": ("NOT json_valid(signals) OR NOT json_valid(passed)", SALVAGE),
    "model": ("dims < 0 OR (mean IS NOT NULL AND length(mean) <> dims * 4)", SALVAGE),
    "waiting": ("model IS NULL", SALVAGE),
}
"""The other tables that hold text: which of their rows cannot be right, and what to do then."""

_RECORDS: dict[str, Callable[[SqliteView], Iterable[object]]] = {
    "records": lambda view: map(recheck, view.records(forgotten=True)),
    "versions": lambda view: view.all_versions(),
    "edges": lambda view: view.all_edges(),
}


def damage(db: apsw.Connection, path: Path) -> Iterator[Finding]:
    """Inside a transaction of the caller's. Reads every page and every text. Never raises for
    what it reads."""
    broken = list(_pages(db))
    yield from broken
    if not any(finding.remedy == SALVAGE for finding in broken):
        yield from _values(db, path)


def _pages(db: Any) -> Iterator[Finding]:
    try:
        if _schema(db) != _schema(_empty()):
            yield Finding("the file is damaged: its tables are not those of a store", SALVAGE)
            return
        # A query makes FTS5 notice what other connections wrote; its own check does not look.
        db.execute("SELECT 1 FROM fulltext LIMIT 1").fetchall()
        found = [text for (text,) in db.execute("PRAGMA integrity_check(5)") if text != "ok"]
    except UNREADABLE as error:
        found = [str(error)]
    for text in found:
        derived = any(words in text for words in _DERIVED)
        yield Finding(f"the file is damaged: {text}", REBUILD if derived else SALVAGE)


def _schema(db: Any) -> set[tuple[str, str]]:
    """Each table and index with what it was made by, but for comments and spaces."""
    return {
        (name, " ".join(_COMMENT.sub("", sql or "").split()))
        for name, sql in db.execute("SELECT name, sql FROM sqlite_schema")
    }


def _empty() -> apsw.Connection:
    """A store of this version, in memory."""
    db = apsw.Connection(":memory:")
    for step in MIGRATIONS:
        db.execute((Path(__file__).parent / step).read_text("utf-8"))
    return db


def _values(db: Any, path: Path) -> Iterator[Finding]:
    for what, read in _RECORDS.items():
        try:
            deque(read(SqliteView(db, Memory(), path)), maxlen=0)
        except UNREADABLE as error:
            yield Finding(f"there are {what} that cannot be read: {error}", SALVAGE)
    for table, (wrong, remedy) in _TABLES.items():
        try:
            deque(db.execute(f"SELECT * FROM {table}"), maxlen=0)
            count = db.execute(f"SELECT count(*) FROM {table} WHERE {wrong}").fetchall()[0][0]
        except UNREADABLE:
            count = 1
        if count:
            yield Finding(f"the table {table} has rows that cannot be read", remedy)
