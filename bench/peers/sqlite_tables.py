"""SQLite as the seeds use it: FTS5 `ORDER BY rank`, sqlite-vec, and equal RRF of the two lists.

Through apsw, whose SQLite is newer and faster than the standard library's.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from pinyon.model.record import Record

if TYPE_CHECKING:
    from bench.peers.case import Array, Case, Vectors

K = 60
OVERFETCH = 3
"""Times as many of each list as are wanted of both: what the seeds ask for."""

COMMIT = 5_000

_WORDS = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE document (number INTEGER PRIMARY KEY, id TEXT, scope TEXT);
    CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize = 'porter unicode61');
"""
_MEANING = """
    CREATE VIRTUAL TABLE meaning USING vec0(
        number INTEGER PRIMARY KEY, scope TEXT PARTITION KEY, vector FLOAT[{dims}]
    );
"""
_BY_WORDS = """
    SELECT id FROM words JOIN document ON number = words.rowid
    WHERE words MATCH ? {inside} ORDER BY rank LIMIT ?
"""
_BY_MEANING = """
    WITH near AS (
        SELECT number, distance FROM meaning WHERE vector MATCH ? AND k = ? {inside}
    )
    SELECT id FROM near JOIN document USING (number) ORDER BY distance
"""


class Words:
    """FTS5 alone: any of the words of a question, best by its own bm25()."""

    def __init__(self, folder: Path, case: "Case") -> None:
        self._path = folder / "seeds.db"

    def build(self, records: Sequence[Record], vectors: "Vectors") -> None:
        self._db.execute(_WORDS).fetchall()
        for begin in range(0, len(records), COMMIT):
            some = list(enumerate(records[begin : begin + COMMIT], begin))
            with self._db:
                self._db.executemany(
                    "INSERT INTO document VALUES (?, ?, ?)",
                    [(number, each.id, each.scope) for number, each in some],
                )
                self._db.executemany(
                    "INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)",
                    [(number, each.title, each.body) for number, each in some],
                )
        self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        asked = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
        if not asked:
            return []
        sql = _BY_WORDS.format(inside="AND scope = ?" if scope else "")
        return self._ids(sql, asked, *filter(None, [scope]), k)

    def _ids(self, sql: str, *values: Any) -> list[str]:
        return [str(id) for (id,) in self._db.execute(sql, values)]

    @cached_property
    def _db(self) -> apsw.Connection:
        return apsw.Connection(str(self._path))


class Both(Words):
    """FTS5 and sqlite-vec, and their lists fused by ranks."""

    def __init__(self, folder: Path, case: "Case") -> None:
        import sqlite_vec

        super().__init__(folder, case)
        self._extension = sqlite_vec.loadable_path()

    def build(self, records: Sequence[Record], vectors: "Vectors") -> None:
        super().build(records, vectors)
        table = vectors.documents
        self._db.execute(_MEANING.format(dims=table.shape[1]))
        for begin in range(0, len(records), COMMIT):
            with self._db:
                self._db.executemany(
                    "INSERT INTO meaning (number, scope, vector) VALUES (?, ?, ?)",
                    [
                        (number, each.scope, table[number].tobytes())
                        for number, each in enumerate(records[begin : begin + COMMIT], begin)
                    ],
                )
        self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        depth = OVERFETCH * k
        by_words = super().ask(text, vector, scope, depth)
        sql = _BY_MEANING.format(inside="AND scope = ?" if scope else "")
        by_meaning = self._ids(sql, vector.tobytes(), depth, *filter(None, [scope]))
        return fused(by_words, by_meaning)[:k]

    @cached_property
    def _db(self) -> apsw.Connection:
        db = apsw.Connection(str(self._path))
        db.enable_load_extension(True)
        db.load_extension(self._extension)
        return db


def fused(*lists: Sequence[str]) -> list[str]:
    """Reciprocal ranks, added up."""
    scores: dict[str, float] = {}
    for ids in lists:
        for rank, id in enumerate(ids, 1):
            scores[id] = scores.get(id, 0.0) + 1 / (K + rank)
    return sorted(scores, key=lambda id: -scores[id])
