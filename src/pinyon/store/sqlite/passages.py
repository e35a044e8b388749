"""Passages: the pieces of each record that models embed, kept in step with the records.

A passage that did not change keeps its number, and with it its vectors.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pinyon.model.record import Record
from pinyon.store.sqlite import rows
from pinyon.store.sqlite.blocks import take_codes
from pinyon.text.passages import digest, passages

_CHUNK = 1_000


def put(db: Any, pairs: Sequence[tuple[int, Record]]) -> None:
    """Split records that are written, each with its row."""
    known: dict[int, dict[bytes, list[int]]] = {}
    for row, number, key in db.execute(
        "SELECT row, number, digest FROM passage WHERE row IN (SELECT value FROM json_each(?))"
        " ORDER BY number DESC",
        (rows.to_numbers(row for row, _ in pairs),),
    ):
        known.setdefault(row, {}).setdefault(key, []).append(number)
    next_number = db.execute("SELECT ifnull(max(number), 0) + 1 FROM passage").fetchall()[0][0]
    written: list[tuple[Any, ...]] = []
    fresh: list[int] = []
    for row, record in pairs:
        old = known.get(row, {})
        for place, (start, end, text) in enumerate(passages(record)):
            key = digest(text)
            if kept := old.get(key):
                number = kept.pop()
            else:
                number, next_number = next_number, next_number + 1
                fresh.append(number)
            written.append((number, row, place, start, end, key))
    remove(
        db,
        [number for old in known.values() for numbers in old.values() for number in numbers],
    )
    db.executemany("INSERT OR REPLACE INTO passage VALUES (?, ?, ?, ?, ?, ?)", written)
    for (model,) in wanted(db):
        db.executemany(
            "INSERT INTO waiting (model, passage) VALUES (?, ?)",
            ((model, number) for number in fresh),
        )


def drop(db: Any, gone: Iterable[int]) -> None:
    """Take the passages of these rows away."""
    found = db.execute(
        "SELECT number FROM passage WHERE row IN (SELECT value FROM json_each(?))",
        (rows.to_numbers(gone),),
    ).fetchall()
    remove(db, [number for (number,) in found])


def remove(db: Any, numbers: Sequence[int]) -> None:
    """Take passages away, with their vectors and what waits."""
    if not numbers:
        return
    db.executemany("DELETE FROM passage WHERE number = ?", ((number,) for number in numbers))
    for model, dims in db.execute("SELECT number, dims FROM model").fetchall():
        pairs = [(model, number) for number in numbers]
        db.executemany("DELETE FROM waiting WHERE model = ? AND passage = ?", pairs)
        before = db.total_changes()
        db.executemany("DELETE FROM vector WHERE model = ? AND passage = ?", pairs)
        if lost := db.total_changes() - before:
            db.execute("UPDATE model SET vectors = vectors - ? WHERE number = ?", (lost, model))
            take_codes(db, model, dims, numbers)


def wanted(db: Any) -> list[tuple[int]]:
    """The models that every passage needs a vector of."""
    found: list[tuple[int]] = db.execute(
        "SELECT number FROM model WHERE state IN ('active', 'filling') AND dims > 0"
    ).fetchall()
    return found


def put_all(db: Any) -> None:
    """Split every record again; what did not change keeps its vectors."""
    found = db.execute(
        "SELECT number FROM passage WHERE row NOT IN"
        " (SELECT row FROM record WHERE deleted_at IS NULL)"
    ).fetchall()
    remove(db, [number for (number,) in found])
    last = 0
    while True:
        chunk = db.execute(
            f"SELECT row, {rows.RECORD_COLUMNS}, {rows.CONTENT_COLUMNS} FROM record"
            " JOIN content USING (row) WHERE row > ? AND deleted_at IS NULL ORDER BY row LIMIT ?",
            (last, _CHUNK),
        ).fetchall()
        if not chunk:
            return
        put(db, [(row, rows.record_of(values)) for row, *values in chunk])
        last = chunk[-1][0]
