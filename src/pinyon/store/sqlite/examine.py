"""Examine: is the file sound, and does everything derived still agree with the records?"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw

from pinyon.model.query import FIELDS
from pinyon.store.contract import Finding
from pinyon.store.sqlite import rows
from pinyon.store.sqlite.blocks import read_codes
from pinyon.store.sqlite.damage import REBUILD, UNREADABLE, damage
from pinyon.store.sqlite.models import encode
from pinyon.store.sqlite.view import Memory, SqliteView
from pinyon.text.fields import count_terms, line_length, prepared_fields, stem_lines
from pinyon.text.passages import digest, passages

_LEFTOVERS = {
    "text without a record": "content WHERE row NOT IN (SELECT row FROM record)",
    "records without text": "record WHERE row NOT IN (SELECT row FROM content)",
    "stems without a record": "stems WHERE row NOT IN"
    " (SELECT row FROM record WHERE deleted_at IS NULL)",
    "tags without a record": "tag WHERE row NOT IN"
    " (SELECT row FROM record WHERE deleted_at IS NULL)",
    "versions without a record": "version WHERE id NOT IN (SELECT id FROM record)",
    "passages without a record": "passage WHERE row NOT IN"
    " (SELECT row FROM record WHERE deleted_at IS NULL)",
    "vectors without a passage or a model": "vector WHERE passage NOT IN"
    " (SELECT number FROM passage) OR model NOT IN (SELECT number FROM model)",
    "passages that wait in vain": "waiting WHERE passage NOT IN (SELECT number FROM passage)"
    " OR model NOT IN (SELECT number FROM model WHERE state <> 'idle')"
    " OR (model, passage) IN (SELECT model, passage FROM vector)",
    "passages that nobody embeds": "model JOIN passage WHERE state <> 'idle' AND dims > 0"
    " AND (model.number, passage.number) NOT IN (SELECT model, passage FROM vector)"
    " AND (model.number, passage.number) NOT IN (SELECT model, passage FROM waiting)",
    "use of no record": "use WHERE row NOT IN (SELECT row FROM record)",
    "feedback to no record": "feedback WHERE id NOT IN (SELECT id FROM record)",
    "edges from nowhere": "edge WHERE from_id NOT LIKE '@%' AND from_id NOT IN"
    " (SELECT id FROM record)",
    "edges to nowhere": "edge WHERE to_id NOT LIKE '@%' AND to_id NOT IN (SELECT id FROM record)",
}


def examine(db: apsw.Connection, path: Path) -> Iterator[Finding]:
    """Everything that is wrong, inside a transaction of the caller's. Reads the whole file. Never
    raises for what it reads."""
    broken = list(damage(db, path))
    yield from broken
    if broken:
        return
    view = SqliteView(db, Memory(), path)
    for what, check in _CHECKS.items():
        try:
            yield from check(db, view)
        except UNREADABLE as error:
            yield Finding(f"{what} cannot be read: {error}", REBUILD)


def _leftovers(db: Any, view: SqliteView) -> Iterator[Finding]:
    """Every row belongs to a record."""
    for what, where in _LEFTOVERS.items():
        count = db.execute(f"SELECT count(*) FROM {where}").fetchall()[0][0]
        if count:
            yield Finding(f"{what}: {count}", REBUILD)


def _words(db: Any, view: SqliteView) -> Iterator[Finding]:
    """Full text holds no text, so it is checked by tokenising every record again."""
    documents = 0
    tokens = dict.fromkeys(FIELDS, 0)
    df: dict[str, int] = {}
    stale: list[str] = []
    for record in view.records():
        lines = stem_lines(prepared_fields(record))
        documents += 1
        for field, line in zip(FIELDS, lines.split("\n"), strict=True):
            tokens[field] += line_length(line)
        for stem in {stem for counts in count_terms(lines).values() for stem in counts}:
            df[stem] = df.get(stem, 0) + 1
        stored = db.execute(
            "SELECT stems.id, lines,"
            " (SELECT json_group_array(name) FROM tag WHERE tag.row = record.row)"
            " FROM record LEFT JOIN stems USING (row) WHERE record.id = ?",
            (record.id,),
        ).fetchall()[0]
        tags = sorted(rows.from_list(stored[2]))
        if stored[:2] != (record.id, lines) or tags != sorted(record.tags):
            stale.append(record.id)
    if stale:
        yield Finding(f"records whose stems or tags are stale: {len(stale)}", REBUILD)
    if view.totals != (documents, tokens):
        yield Finding("full text counts other words than the records hold", REBUILD)
    indexed = {row[0]: row[1] for row in db.execute("SELECT term, doc FROM vocabulary")}
    wrong = sum(indexed.get(stem) != count for stem, count in df.items())
    wrong += len(indexed.keys() - df.keys())
    if wrong:
        yield Finding(f"words that full text counts wrongly: {wrong}", REBUILD)


def _pieces(db: Any, view: SqliteView) -> Iterator[Finding]:
    """Every record is split as its text says."""
    stale = 0
    for record in view.records():
        split = [(start, end, digest(text)) for start, end, text in passages(record)]
        stored = db.execute(
            "SELECT first, last, digest FROM passage JOIN record USING (row)"
            " WHERE id = ? ORDER BY place",
            (record.id,),
        ).fetchall()
        stale += stored != split
    if stale:
        yield Finding(f"records whose passages are stale: {stale}", REBUILD)


def _codes(db: Any, view: SqliteView) -> Iterator[Finding]:
    """Every vector has its code, and the model counts them rightly."""
    for model, name, dims, count, mean in db.execute(
        "SELECT number, name, dims, vectors, mean FROM model WHERE dims > 0"
    ).fetchall():
        stored = db.execute(
            "SELECT passage, row, vector FROM vector JOIN passage ON passage.number = passage"
            " WHERE model = ? ORDER BY passage",
            (model,),
        ).fetchall()
        if any(len(vector) != dims * 4 for _, _, vector in stored):
            yield Finding(f"vectors of {name} with a wrong size", REBUILD)
            continue
        codes = read_codes(db, model, dims)
        encoded = encode([vector for _, _, vector in stored], dims, mean) if stored else []
        expected = {
            number: (row, code) for (number, row, _), code in zip(stored, encoded, strict=True)
        }
        if codes != expected or count != len(stored):
            yield Finding(f"codes of {name} that do not fit its vectors", REBUILD)


_CHECKS: dict[str, Callable[[Any, SqliteView], Iterator[Finding]]] = {
    "rows": _leftovers,
    "words": _words,
    "passages": _pieces,
    "codes": _codes,
}
