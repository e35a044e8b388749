"""Retrieve: one moment and a request in, one ranked list out, by looking at every record."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from pinyon.model.query import (
    STEP,
    TASK,
    UNDATED,
    Important,
    Lexical,
    Match,
    Nearest,
    Open,
    RankedList,
    Recent,
    Request,
    Substring,
)
from pinyon.model.record import Record
from pinyon.store.memory.filters import passes
from pinyon.store.memory.match import asked_terms, matches
from pinyon.store.memory.nearest import nearest
from pinyon.store.memory.state import State
from pinyon.store.memory.survey import counted_for
from pinyon.text.bm25 import Scorer, Term


def retrieve(state: State, request: Request) -> RankedList:
    """Best first, ties by id; filters apply before the limit. Where the ids are given, there is
    no limit."""
    channel, find = CHANNELS[type(request)]
    among = request.among if isinstance(request, Lexical | Nearest) else None
    asked = state.live() if among is None else state.live().keys() & set(among)
    allowed = [state.records[id] for id in asked if passes(state.records[id], request.filters)]
    found = sorted(find(state, request, allowed), key=lambda match: (-match.score, match.id))
    return RankedList(channel, tuple(found[: request.limit] if among is None else found))


def _lexical(state: State, request: Lexical, allowed: Iterable[Record]) -> Iterable[Match]:
    documents, tokens, df = request.counted or counted_for(state, request.expression)
    terms = [
        Term(unit, df.get((unit, prefix), 0), field, prefix, phrase.weight, phrase.instead)
        for (unit, field, prefix), phrase in asked_terms(request.expression).items()
    ]
    how = (request.k1, request.b, request.half)
    score = Scorer(terms, request.fields, documents, tokens, *how)
    for record in allowed:
        lines = state.lines[record.id]
        if request.among is not None or matches(request.expression, lines, request.fields):
            points, share, title, phrase = score(lines)
            yield Match(record.id, points, share, None, "", title, phrase)


def _substring(state: State, request: Substring, allowed: Iterable[Record]) -> Iterable[Match]:
    words = [word.casefold() for word in request.words]
    for record in allowed:
        held = {
            field: {
                word for word in words for text in TEXTS[field](record) if word in text.casefold()
            }
            for field in request.fields
        }
        if words and set(words) <= set().union(*held.values()):
            score = math.fsum(request.fields[field] for field, found in held.items() if found)
            yield Match(record.id, score, 1.0)


def _recent(state: State, request: Recent, allowed: Iterable[Record]) -> Iterable[Match]:
    for record in allowed:
        if record.updated_at is not None:
            yield Match(record.id, record.updated_at.timestamp(), 0.0)


def _important(state: State, request: Important, allowed: Iterable[Record]) -> Iterable[Match]:
    for record in allowed:
        if record.updated_at is not None and record.importance >= request.least:
            yield Match(record.id, record.importance * STEP + record.updated_at.timestamp(), 0.0)


def _open(state: State, request: Open, allowed: Iterable[Record]) -> Iterable[Match]:
    for record in allowed:
        if record.updated_at is None or record.kind != TASK or record.status in request.done:
            continue
        undated = UNDATED + record.updated_at.timestamp()
        yield Match(record.id, -record.due.timestamp() if record.due else undated, 0.0)


CHANNELS: dict[type[Request], tuple[str, Callable[[State, Any, list[Record]], Iterable[Match]]]] = {
    Lexical: ("lexical", _lexical),
    Nearest: ("vector", nearest),
    Substring: ("substring", _substring),
    Recent: ("recent", _recent),
    Important: ("important", _important),
    Open: ("open", _open),
}

TEXTS: dict[str, Callable[[Record], tuple[str, ...]]] = {
    "id": lambda record: (record.id,),
    "title": lambda record: (record.title,),
    "aliases": lambda record: record.aliases,
    "body": lambda record: (record.body,),
    "context": lambda record: (record.context,),
    "tags": lambda record: record.tags,
    "path": lambda record: (record.source,),
}
