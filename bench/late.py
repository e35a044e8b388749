"""Late: what it costs that the best hits are read again, word by word, by late interaction.

The texts are known: their words were embedded when they were first read, once for all questions.
Each question is asked in a way of its own each time, or what was said a moment ago would be told
again.
"""

from functools import partial
from itertools import chain
from statistics import median

from bench.clock import cpu_ms
from bench.figure import Figure
from bench.meaning import with_vectors
from bench.questions import questions
from bench.world import World
from pinyon.engine import Engine

QUESTIONS = 12
ROUNDS = 4
LIMIT = 20
"""As many as are read again."""

AT_MOST_MS = 60.0
"""Of CPU, beyond the same search without it."""


def late(world: World) -> list[Figure]:
    """Twenty hits, with and without."""
    rich = with_vectors(world)
    with rich.view() as view, rich.engine() as engine:
        profile = engine.profile("default")
        halves = questions(view, profile.understand, QUESTIONS // 2)
        texts = [question.text for question in chain.from_iterable(halves.values())]
        first, more, plain = [], [], []
        for text in texts:
            engine.search(text, limit=LIMIT)
            first.append(cpu_ms(partial(_read_again, engine, text)))
            ways = [text + " ?" * time for time in range(1, ROUNDS + 1)]
            plain.append(min(cpu_ms(partial(engine.search, way, limit=LIMIT)) for way in ways))
            again = min(cpu_ms(partial(_read_again, engine, way)) for way in ways)
            more.append(again - plain[-1])
    size = world.records
    return [
        Figure(size, "search", median(plain), "ms"),
        Figure(size, "read again beyond it, texts known", median(more), "ms", most=AT_MOST_MS),
        Figure(size, "search and read again, texts new", median(first), "ms"),
    ]


def _read_again(engine: Engine, text: str) -> None:
    meta = engine.search(text, limit=LIMIT, rerank=True).meta
    if not meta["rerank"] or meta["rerank"].get("cached"):
        raise RuntimeError(f"it was not read again: {meta['warnings']}")
