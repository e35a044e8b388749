"""Imports: JSON Lines into a store against bare inserts of the same text into FTS5."""

import json
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

import apsw

import pinyon
from bench import corpus
from bench.clock import cpu_ms
from bench.figure import Figure
from bench.world import World
from pinyon.index.transfer import COMMIT
from pinyon.model.record import Record
from pinyon.model.wire import record_to_json

AT_LEAST = 0.2
"""Of the rate of bare inserts."""

MOST_RECORDS = 100_000
ROUNDS = {10_000: 5, 100_000: 2}
"""Each of them bare first, then ours."""

_BARE = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE VIRTUAL TABLE bare USING fts5(title, body, tokenize = 'porter unicode61');
"""


def imports(world: World) -> list[Figure]:
    """Both into new files in the cache folder, in commits of the same size."""
    size = min(world.records, MOST_RECORDS)
    records = list(corpus.records(size))
    bare_ms, ours_ms = [], []
    for _ in range(ROUNDS.get(size, 1)):
        with tempfile.TemporaryDirectory(dir=world.cache, prefix="import-") as folder:
            lines = Path(folder, "records.jsonl")
            lines.write_text("\n".join(map(_line, records)), "utf-8")
            bare_ms.append(cpu_ms(partial(_insert, Path(folder, "bare.db"), records)))
            ours_ms.append(cpu_ms(partial(_import, Path(folder, "ours.pinyon"), lines)))
    bare, ours = (size / median(ms) * 1e3 for ms in (bare_ms, ours_ms))
    return [
        Figure(size, "bare FTS5 inserts", bare, "records/s"),
        Figure(size, "import", ours, "records/s"),
        Figure(size, "import / bare", ours / bare, "x", least=AT_LEAST),
    ]


def _line(record: Record) -> str:
    return json.dumps(record_to_json(record), ensure_ascii=False)


def _insert(path: Path, records: list[Record]) -> None:
    db = apsw.Connection(str(path))
    db.execute(_BARE).fetchall()  # to the last statement: the first answers with a row
    for start in range(0, len(records), COMMIT):
        some = records[start : start + COMMIT]
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO bare VALUES (?, ?)", ((r.title, r.body) for r in some))
        db.execute("COMMIT")
    db.close()


def _import(path: Path, lines: Path) -> None:
    with pinyon.open(path, background=False) as engine, lines.open("rb") as file:
        engine.import_jsonl(file)
