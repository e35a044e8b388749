"""World: short ways to build records and requests, and to ask a store, for its tests."""

import math
import tempfile
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pinyon.model.query import (
    FIELDS,
    AnyOf,
    Filters,
    Lexical,
    Match,
    Nearest,
    Phrase,
    Recent,
    Request,
    Substring,
)
from pinyon.model.record import Record
from pinyon.model.use import Use
from pinyon.store.contract import Batch, Failure, Receipt, Store, Task, Vector
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import Model, Question
from pinyon.text.prepare import prepare
from pinyon.text.stems import stems, words

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
EVERYWHERE: Mapping[str, float] = dict.fromkeys(FIELDS, 1.0)
FIRST = Model("first@1", "first", 4)
SECOND = Model("second@1", "second", 4)


@contextmanager
def both_stores() -> Iterator[tuple[Store, Store]]:
    """An empty memory store and an empty SQLite store, for a law that compares them."""
    from pinyon.store.sqlite import SqliteStore

    with tempfile.TemporaryDirectory() as folder:
        sqlite = SqliteStore(Path(folder) / "law.pinyon")
        try:
            yield MemoryStore(), sqlite
        finally:
            sqlite.close()


def record(id: str, **parts: Any) -> Record:
    """A record that was made and last changed NOW, unless said otherwise."""
    return Record(**{"id": id, "created_at": NOW, "updated_at": NOW, **parts})


def phrase(text: str, *, field: str = "", prefix: bool = False) -> Phrase:
    """All words of the text side by side."""
    prepared = prepare(text)
    return Phrase(prepared, tuple(stems(prepared)), prefix, field)


def ask(
    text: str,
    *,
    fields: Mapping[str, float] = EVERYWHERE,
    filters: Filters | None = None,
    limit: int = 30,
) -> Lexical:
    """Any word of the text."""
    parts = tuple(Phrase(word, (stem,)) for word, stem in words(prepare(text)))
    return Lexical(AnyOf(parts), fields, filters=filters or Filters(), limit=limit)


def substring(*parts: str, fields: Mapping[str, float] = EVERYWHERE) -> Substring:
    """Every one of the words, anywhere."""
    return Substring(parts, fields)


def save(store: Store, *records: Record, **parts: Any) -> Receipt:
    """Commit the records NOW, with whatever else belongs to the batch."""
    return commit(store, records=records, **parts)


def commit(store: Store, **parts: Any) -> Receipt:
    """Commit a batch NOW, unless said otherwise."""
    return store.commit(Batch(**{"now": NOW, **parts}))


def matches(store: Store, request: Request) -> tuple[Match, ...]:
    """What the request finds at this moment, best first."""
    with store.snapshot() as view:
        [ranked] = view.retrieve([request])
    return ranked.matches


def found(store: Store, request: Request | str) -> list[str]:
    """The ids that the request, or the words, find at this moment, best first."""
    asked = ask(request) if isinstance(request, str) else request
    return [match.id for match in matches(store, asked)]


def fetched(store: Store, *ids: str, forgotten: bool = False) -> dict[str, Record]:
    """The records by id."""
    with store.snapshot() as view:
        return view.fetch(ids, forgotten=forgotten)


def used(store: Store, ids: Sequence[str]) -> dict[str, Use]:
    """How records were used."""
    with store.snapshot() as view:
        return view.uses(ids)


def surveyed(store: Store, question: Question[Any]) -> Any:
    """What the store knows of itself at this moment."""
    with store.snapshot() as view:
        return view.survey(question)


def filtered(filters: Filters, limit: int = 30) -> list[Request]:
    """One request of each channel for records that hold the word `amber`."""
    return [
        ask("amber", filters=filters, limit=limit),
        Substring(("amber",), EVERYWHERE, filters, limit),
        Recent(filters, limit),
    ]


def unit(*parts: float) -> bytes:
    """The vector in this direction, as a model gives it."""
    length = math.sqrt(math.fsum(part * part for part in parts))
    return array("f", [part / length for part in parts]).tobytes()


EAST, NORTH, UP = unit(1, 0, 0, 0), unit(0, 1, 0, 0), unit(0, 0, 1, 0)
BETWEEN = unit(1, 1, 1, 1)
"""Its cosine with each of the others is exactly a half."""


def paragraph(word: str) -> str:
    """Two lines that make one passage, whatever stands before or after them."""
    line = word.ljust(399, "-") + "\n"
    return line * 2


def near(vector: bytes, model: Model = FIRST, **parts: Any) -> Nearest:
    """The records that are near to the vector, by one model."""
    return Nearest(vector, model.name, **parts)


def lease(store: Store, model: Model = FIRST, **parts: Any) -> list[Task]:
    """What waits is handed out to `ann` NOW, for a minute, unless said otherwise."""
    asked = {"now": NOW, "until": NOW + timedelta(minutes=1), "limit": 100, **parts}
    owner = asked.pop("owner", "ann")
    return store.lease(model.name, owner, **asked)


def leased(store: Store, model: Model = FIRST, **parts: Any) -> list[str]:
    """The ids of the records whose passages are handed out, in their order."""
    return [task.record for task in lease(store, model, **parts)]


def embed(store: Store, vectors: Mapping[str, bytes], model: Model = FIRST) -> Receipt:
    """Give each passage that can be leased NOW the vector of a word that stands in it; those
    without such a word are given back."""
    done, left = [], []
    for task in lease(store, model):
        word = next((word for word in vectors if word in task.text), None)
        if word is None:
            left.append(failed(task))
        else:
            done.append(embedded(task, vectors[word]))
    return commit(store, vectors={model.name: done}, failures={model.name: left})


def embedded(task: Task, vector: bytes) -> Vector:
    """A task that was done."""
    return Vector(task.passage, task.digest, vector)


def failed(task: Task, reason: str = "", retry_at: datetime = NOW) -> Failure:
    """A task that was not done."""
    return Failure(task.passage, task.digest, reason, retry_at)
