"""Nearest: the cosine of a question with the best passage of every record, one by one."""

import math
from array import array
from collections.abc import Iterable, Iterator
from operator import mul

from pinyon.model.errors import InvalidInput
from pinyon.model.query import Match, Nearest
from pinyon.model.record import Record
from pinyon.store.memory.state import State


def nearest(state: State, request: Nearest, allowed: Iterable[Record]) -> Iterator[Match]:
    """Of two passages that are equally near the first one counts."""
    model = state.models.get(request.model)
    if model is None:
        return
    if len(request.vector) != model.dims * 4:
        raise InvalidInput(
            f"a vector of {model.name!r} has {model.dims * 4} bytes, not {len(request.vector)}",
            remedy="embed the question with the model that is searched",
        )
    vectors = state.vectors[model.name]
    asked = array("f", request.vector)
    for record in allowed:
        cosines = [
            (_cosine(asked, array("f", vectors[held.number])), held)
            for held in state.passages.get(record.id, ())
            if held.number in vectors
        ]
        if not cosines:
            continue
        cosine, best = max(cosines, key=lambda scored: scored[0])
        if cosine >= request.least:
            span = (best.start, best.end) if best.end else None
            passages = len(state.passages[record.id])
            by_chance = request.long.get(record.kind, 0.0) * math.log2(passages)
            yield Match(record.id, cosine - by_chance, max(0.0, cosine), span)


def _cosine(a: Iterable[float], b: Iterable[float]) -> float:
    """Both have length 1, but only as well as float32 can tell."""
    return max(-1.0, min(1.0, math.fsum(map(mul, a, b))))
