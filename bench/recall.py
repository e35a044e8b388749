"""Recall: what the scan finds of what an exact search finds, on real vectors of real questions.

The vectors are those that the user's cache remembers: `pinyon eval` of a collection leaves them.
"""

import io
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from bench import corpus
from bench.exact import TOP, Table, agreement, read_table
from bench.figure import Figure
from bench.meaning import MODEL, NOW, granite
from bench.world import World
from pinyon import settings
from pinyon.evaluate.collection import Collection, read_collection
from pinyon.evaluate.corpus import write_corpus
from pinyon.index.embed import register
from pinyon.inference.remember import Remembered
from pinyon.model.check import check_record
from pinyon.model.query import Filters, Match, Nearest
from pinyon.model.record import Record
from pinyon.store.contract import Batch, Vector
from pinyon.store.sqlite import SqliteStore
from pinyon.text.passages import digest, passages

if TYPE_CHECKING:
    from bench.exact import Array
    from pinyon.store.sqlite.view import SqliteView

AT_LEAST = 0.99
FEWEST = 30_000
"""Passages. Among fewer the target would be met too easily, so there is none."""

QUESTIONS = 100
"""Of each collection, at most."""

LIMIT = 30
BATCH = 2_000


Place = tuple[str, str]
"""A collection and the id of one of its documents."""


class Document(NamedTuple):
    """`key` stands for the text, which several documents may share."""

    place: Place
    key: bytes
    record: Record


def recall(world: World) -> list[Figure]:
    """All collections in one store."""
    folders = sorted(path.parent for path in world.collections.glob("*/qrels.tsv"))
    if not folders:
        print(f"recall: left out, {world.collections} holds no collections", file=sys.stderr)
        return []
    collections = [read_collection(folder) for folder in folders]
    with tempfile.TemporaryDirectory(dir=world.cache, prefix="recall-") as folder:
        store = SqliteStore(Path(folder, "real.pinyon"))
        try:
            places = _fill(store, collections)
            with store.snapshot() as view:
                table = read_table(view, granite().name)
                return _figures(view, table, list(_questions(collections, places)))
        finally:
            store.close()


def _fill(store: SqliteStore, collections: Sequence[Collection]) -> set[Place]:
    """The documents all of whose passages are remembered, each text once. Returns where they, and
    others with the same text, stand."""
    name = granite().name
    known: dict[bytes, bytes] = {}
    present: set[bytes] = set()
    places: set[Place] = set()
    remembered = Remembered(settings.cache_folder() / "vectors.db")
    documents = _documents(collections)
    while some := list(islice(documents, BATCH)):
        new = {document.key: document for document in some if document.key not in present}
        needed = {key: _digests(document.record) for key, document in new.items()}
        known |= remembered.get(name, [each for keys in needed.values() for each in keys])
        whole = [new[key] for key in new if known.keys() >= needed[key]]
        records = [_shelved(each, number) for number, each in enumerate(whole, len(present))]
        store.commit(Batch(now=NOW, records=records))
        present |= {document.key for document in whole}
        places |= {document.place for document in some if document.key in present}
    remembered.close()
    register(store, granite(), MODEL, now=NOW)
    until = NOW + timedelta(days=1)
    while tasks := store.lease(name, "bench", now=NOW, until=until, limit=BATCH):
        made = [Vector(task.passage, task.digest, known[task.digest]) for task in tasks]
        store.commit(Batch(now=NOW, vectors={name: made}))
    return places


def _documents(collections: Sequence[Collection]) -> Iterator[Document]:
    for collection in collections:
        lines = io.BytesIO()
        write_corpus(collection, lines)
        for line in lines.getvalue().splitlines():
            record = check_record(json.loads(line))
            key = digest(f"{record.title}\n{record.body}")
            yield Document((collection.name, record.id), key, record)


def _digests(record: Record) -> set[bytes]:
    return {digest(passage.text) for passage in passages(record)}


def _shelved(document: Document, number: int) -> Record:
    """Under an id of its own, on one of the shelves, which have 1 % each."""
    id, scope = "-".join(document.place), corpus.scope(number)
    return replace(document.record, id=id, scope=scope, created_at=NOW, updated_at=NOW)


def _questions(collections: Sequence[Collection], places: AbstractSet[Place]) -> Iterator[str]:
    """Those that something in the store answers: others are near to nothing."""
    for collection in collections:
        answered = (
            question.text
            for question in collection.questions
            if any(
                label > 0 and (collection.name, id) in places
                for id, label in question.labels.items()
            )
        )
        yield from islice(answered, QUESTIONS)


def _figures(view: "SqliteView", table: Table, texts: Sequence[str]) -> list[Figure]:
    size = len(table.owners)
    if size < FEWEST:
        print(f"recall: only {size:,} vectors are remembered: no target", file=sys.stderr)
    if not size:
        return []
    asked = list(granite().embed_queries(texts))
    every = fmean(agreement(_near(view, vector), table.best(vector)) for vector in asked)
    shelved = fmean(
        agreement(_near(view, vector, scope), table.best(vector, _owners(view, scope)))
        for vector, scope in zip(asked, map(_shelf, range(len(asked))), strict=True)
    )
    least = AT_LEAST if size >= FEWEST else None
    what = f"recall@{TOP}, {len(asked):,} questions"
    return [
        Figure(size, f"{what}, all passages", every, least=least),
        Figure(size, f"{what}, inside 1 %", shelved, least=least),
    ]


def _near(view: "SqliteView", vector: "Array", scope: str = "") -> tuple[Match, ...]:
    filters = Filters(scopes=(scope,))
    request = Nearest(vector.tobytes(), granite().name, filters=filters, limit=LIMIT)
    return view.retrieve([request])[0].matches


def _shelf(number: int) -> str:
    """Where the question of that number is asked."""
    return corpus.scope(number % corpus.SCOPES)


def _owners(view: "SqliteView", scope: str) -> "Array":
    import numpy as np

    found = view.rows("SELECT row FROM record WHERE scope = ?", (scope,))
    return np.array([row for (row,) in found], np.int64)
