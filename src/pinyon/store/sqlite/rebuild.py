"""Rebuild: what is derived from the records is made anew, what belongs to none is dropped."""

from typing import Any

import apsw

from pinyon.store.sqlite import commit, models, passages, rows

_CHUNK = 1_000


def rebuild(db: apsw.Connection) -> None:
    """Inside a transaction of the caller's."""
    db.execute("REINDEX")
    db.execute("""
        DELETE FROM content WHERE row NOT IN (SELECT row FROM record);
        DELETE FROM record WHERE row NOT IN (SELECT row FROM content);
        DELETE FROM version WHERE id NOT IN (SELECT id FROM record);
        DELETE FROM use WHERE row NOT IN (SELECT row FROM record);
        DELETE FROM feedback WHERE id NOT IN (SELECT id FROM record);
        DELETE FROM edge WHERE from_id NOT LIKE '@%' AND from_id NOT IN (SELECT id FROM record);
        DELETE FROM edge WHERE to_id NOT LIKE '@%' AND to_id NOT IN (SELECT id FROM record);
    """)
    rebuild_words(db)
    rebuild_meaning(db)


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


def rebuild_meaning(db: Any) -> None:
    """Passages, codes and what waits; the vectors of passages that did not change stay."""
    passages.put_all(db)
    revision = db.execute("SELECT number FROM revision").fetchall()[0][0]
    found = db.execute("SELECT number, dims FROM model").fetchall()
    for model, dims in found:
        db.execute(
            "DELETE FROM vector WHERE model = ?"
            " AND (passage NOT IN (SELECT number FROM passage) OR length(vector) <> ?)",
            (model, dims * 4),
        )
        db.execute(
            "DELETE FROM waiting WHERE model = ?1 AND (passage NOT IN (SELECT number FROM passage)"
            " OR passage IN (SELECT passage FROM vector WHERE model = ?1))",
            (model,),
        )
        if dims:
            models.centre(db, model, dims, revision)
    for table in ("vector", "waiting", "code"):
        db.execute(f"DELETE FROM {table} WHERE model NOT IN (SELECT number FROM model)")
    dims_of = dict(found)
    for (model,) in passages.wanted(db):
        models.queue(db, model, dims_of[model])
