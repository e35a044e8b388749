"""Retrieve: one moment and a request in, one ranked list out, by looking at every record."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from pinyon.model.query import (
    Lexical,
    Match,
    Nearest,
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
from pinyon.store.memory.survey import count_records, count_tokens
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
    everything = [state.lines[id] for id in state.live()]
    terms = [
        Term(stem, count_records(everything, stem, prefix=prefix), field, prefix)
        for stem, field, prefix in asked_terms(request.expression)
    ]
    score = Scorer(
        terms,
        request.fields,
        len(everything),
        count_tokens(everything),
        request.k1,
        request.b,
    )
    for record in allowed:
        lines = state.lines[record.id]
        if request.among is not None or matches(request.expression, lines, request.fields):
            yield Match(record.id, *score(lines))


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


CHANNELS: dict[type[Request], tuple[str, Callable[[State, Any, list[Record]], Iterable[Match]]]] = {
    Lexical: ("lexical", _lexical),
    Nearest: ("vector", nearest),
    Substring: ("substring", _substring),
    Recent: ("recent", _recent),
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
