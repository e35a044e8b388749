"""Hybrid: what a search by words and meaning costs beyond its raw parts: embedding the question,
the full-text list and the scan."""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING

from bench.clock import best_in_a_row
from bench.figure import Figure
from bench.meaning import granite, with_vectors
from bench.questions import questions
from bench.words import each
from bench.world import World
from pinyon.model.profile import Profile
from pinyon.model.query import Lexical, Nearest
from pinyon.search.understand import understand

if TYPE_CHECKING:
    from pinyon.store.sqlite.view import SqliteView

ROUNDS = 5
LIMIT = 10
PARTS = ("embed the question", "full-text list", "scan")

AT_MOST_MS = {100_000: 8.0}
"""Of CPU, by number of records."""


def hybrid(world: World) -> list[Figure]:
    """Ten hits of the default profile with their snippets; the parts as the engine asks them."""
    rich = with_vectors(world)
    with rich.view() as view, rich.engine() as engine:
        profile = engine.profile("default")
        halves = questions(view, profile.understand, each(world.records) // 4)
        texts = [question.text for question in chain.from_iterable(halves.values())]
        times: list[list[float]] = []
        stages: dict[str, list[float]] = {}
        for text in texts:
            whole = partial(engine.search, text, limit=LIMIT)
            answer = whole()
            if answer.meta["channels"] != ["lexical", "vector"]:
                raise RuntimeError(f"not a hybrid search: {answer.meta['warnings']}")
            parts = _parts(view, text, profile)
            rivals: list[Callable[[], object]] = [*parts, partial(_together, parts), whole]
            times.append([best_in_a_row(rival, ROUNDS) for rival in rivals])
            for stage, ms in whole().meta["stages"].items():
                stages.setdefault(stage, []).append(ms)
    size = world.records
    *parts_ms, together_ms, whole_ms = (median(column) for column in zip(*times, strict=True))
    beyond = median(whole_ms - together_ms for *_, together_ms, whole_ms in times)
    apart = median(whole_ms - sum(parts_ms) for *parts_ms, _, whole_ms in times)
    return [
        *(Figure(size, part, ms, "ms") for part, ms in zip(PARTS, parts_ms, strict=True)),
        Figure(size, "the three, one after the other", together_ms, "ms"),
        Figure(size, "whole search", whole_ms, "ms"),
        Figure(size, "whole search - the three", beyond, "ms", most=AT_MOST_MS.get(size)),
        Figure(size, "the same, each of the three asked alone", apart, "ms"),
        *(Figure(size, f"  stage {name} (wall)", median(ms), "ms") for name, ms in stages.items()),
    ]


def _together(parts: Sequence[Callable[[], object]]) -> None:
    """As anybody would who has nothing but the parts: each finds the processor's caches as the one
    before it left them, which is not the engine's doing."""
    for part in parts:
        part()


def _parts(view: "SqliteView", text: str, profile: Profile) -> list[Callable[[], object]]:
    """PARTS, as calls."""
    how = profile.retrieve
    most = max(math.ceil(how.overfetch.factor * LIMIT), how.overfetch.least)
    words = understand(view, text, profile.understand, datetime.now(UTC)).plain
    assert words
    by_words = Lexical(
        words, how.lexical.fields, how.lexical.k1, how.lexical.b, limit=most, half=how.lexical.half
    )
    vector = granite().embed_queries([text])[0].tobytes()
    by_meaning = Nearest(vector, granite().name, how.vector.least, limit=most)
    return [
        partial(granite().embed_queries, [text]),
        partial(view.retrieve, [by_words]),
        partial(view.retrieve, [by_meaning]),
    ]
