"""Rebuild: what is derived from the records is made anew, what belongs to none is dropped."""

from typing import Any

import apsw

from pinyon.store.sqlite import commit, rows

_CHUNK = 1_000


def rebuild(db: apsw.Connection) -> None:
    """Inside a transaction of the caller's."""
    db.execute("""
        DELETE FROM content WHERE row NOT IN (SELECT row FROM record);
        DELETE FROM record WHERE row NOT IN (SELECT row FROM content);
        DELETE FROM version WHERE id NOT IN (SELECT id FROM record);
        DELETE FROM edge WHERE from_id NOT LIKE '@%' AND from_id NOT IN (SELECT id FROM record);
        DELETE FROM edge WHERE to_id NOT LIKE '@%' AND to_id NOT IN (SELECT id FROM record);
    """)
    rebuild_words(db)


def rebuild_words(db: Any) -> None:
    """Full text, stems and tags. The revision grows: what was cached may have been wrong."""
    db.execute("INSERT INTO fulltext (fulltext) VALUES ('delete-all')")
    db.execute("DELETE FROM stems; DELETE FROM tag")
    last = 0
    while True:
        chunk = db.execute(
            f"SELECT row, {rows.RECORD_COLUMNS}, {rows.CONTENT_COLUMNS} FROM record"
            " JOIN content USING (row) WHERE row > ? AND deleted_at IS NULL ORDER BY row LIMIT ?",
            (last, _CHUNK),
        ).fetchall()
        if not chunk:
            break
        commit.index(db, [(row, rows.record_of(values)) for row, *values in chunk])
        last = chunk[-1][0]
    db.execute("UPDATE revision SET number = number + 1")
