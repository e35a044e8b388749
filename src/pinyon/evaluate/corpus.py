"""Corpus: the documents of a collection as what an import reads, the way a user would have them.

Turns of a conversation follow each other, and a whole file is a record of the file and one for each
of its parts.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, BinaryIO, NamedTuple

from pinyon.evaluate.collection import Collection, refuse_repeated, refuse_unknown
from pinyon.evaluate.documents import is_file, read_document, talk_of
from pinyon.evaluate.lines import objects
from pinyon.model.errors import InvalidLine, InvalidRecord
from pinyon.model.record import Edge, Record
from pinyon.model.wire import edge_to_json, record_to_json

UNDATED = datetime(2000, 1, 1, tzinfo=UTC)
"""The present of a collection that has no dates."""

UNPARSED = "files that could not be parsed, each one record"


class Parts(NamedTuple):
    """The records of a file, its own among them, and the edges between them and to others."""

    records: Sequence[Record]
    edges: Sequence[Edge]


Divide = Callable[[str, str, datetime], Parts | None]
"""The path of a file, its text and its date in; None where it cannot be parsed."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """How many `documents` were written. `now` is the latest date of one: the moment at which the
    questions are asked."""

    documents: int
    now: datetime
    remarks: tuple[str, ...]


def write_corpus(
    collection: Collection, file: BinaryIO, divide: Divide = lambda path, text, at: None
) -> Corpus:
    """Every document as lines that an import reads; files by their parts where the collection says
    so. Raises InvalidInput, with the line, also for a judged document that is not there."""
    seen: dict[str, int] = {}
    now: datetime | None = None
    remarks: Counter[str] = Counter()
    turns = _Turns(collection.scope_by)
    where = str(collection.corpus)
    for number, given in objects(collection.corpus):
        try:
            record, found = read_document(given, collection.scope_by)
        except InvalidRecord as error:
            raise InvalidLine(where, number, error.problem, remedy=error.remedy) from None
        refuse_repeated(where, number, record.id, seen)
        parts = Parts([record], [])
        if collection.by_file and is_file(record.id):
            divided = _divided(record, divide)
            parts = divided or parts
            found += [] if divided else [UNPARSED]
        for line in _lines(parts, turns.before(given, record.id)):
            file.write(json.dumps(line).encode() + b"\n")
        if record.created_at and (now is None or record.created_at > now):
            now = record.created_at
        remarks.update(found)
    unknown = {id: line for id, line in collection.judged.items() if id not in seen}
    if unknown:
        refuse_unknown("document", collection.qrels, unknown)
    return Corpus(
        documents=len(seen),
        now=now or UNDATED,
        remarks=tuple(f"{count:,} {remark}" for remark, count in remarks.items()),
    )


class _Turns:
    """The last turn of each conversation so far."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._last: dict[tuple[str, str], str] = {}

    def before(self, given: Mapping[str, Any], id: str) -> list[Edge]:
        """The edge to the turn before this one, if there is any."""
        talk = talk_of(given, self._key)
        if talk is None:
            return []
        last = self._last.get(talk)
        self._last[talk] = id
        return [Edge(id, "follows", last)] if last else []


def _divided(record: Record, divide: Divide) -> Parts | None:
    """The parts of a file in the scope and of the date of its document."""
    parts = divide(record.id, record.body, record.created_at or UNDATED)
    if parts is None or not record.scope:
        return parts
    return parts._replace(records=[replace(part, scope=record.scope) for part in parts.records])


def _lines(parts: Parts, follows: Sequence[Edge]) -> Iterator[dict[str, Any]]:
    yield from map(record_to_json, parts.records)
    for edge in (*parts.edges, *follows):
        yield {"type": "edge", **edge_to_json(edge)}
