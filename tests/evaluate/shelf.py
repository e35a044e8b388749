"""Shelf: small collections in the layout of BEIR, written where a test wants them."""

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]

DOCUMENTS: list[Row] = [
    {"_id": "d1", "title": "", "text": "cedar"},
    {"_id": "d2", "title": "", "text": "cedar birch birch birch birch"},
    {"_id": "d3", "title": "", "text": "birch"},
    {"_id": "d4", "title": "", "text": "maple"},
]
QUERIES: list[Row] = [
    {"_id": "second", "text": "cedar"},  # finds d1, then the longer d2
    {"_id": "half", "text": "maple"},  # finds d4
    {"_id": "nothing", "text": "walnut"},
    {"_id": "unjudged", "text": "birch"},
]
QRELS = ["second\td2\t2", "half\td4\t1", "half\td3\t1", "nothing\td1\t1"]
HEADING = "query-id\tcorpus-id\tscore"


def shelve(
    folder: Path,
    documents: Iterable[Row] = DOCUMENTS,
    queries: Iterable[Row] = QUERIES,
    qrels: Iterable[str] = QRELS,
) -> Path:
    """The folder, with the three files in it."""
    folder.mkdir(exist_ok=True)
    (folder / "corpus.jsonl").write_text(lines(documents), encoding="utf-8")
    (folder / "queries.jsonl").write_text(lines(queries), encoding="utf-8")
    (folder / "qrels.tsv").write_text("\n".join([HEADING, *qrels, ""]), encoding="utf-8")
    return folder


def pack(folder: Path) -> Path:
    """The same folder, each file packed with gzip."""
    for path in list(folder.iterdir()):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    return folder


def lines(rows: Iterable[Row]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)
