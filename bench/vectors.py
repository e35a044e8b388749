"""Vectors: the store's scan of packed codes against a numpy scan of the same float32 vectors."""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from statistics import fmean, median
from typing import TYPE_CHECKING

from bench.clock import alternate, cpu_ms
from bench.exact import Table, agreement, read_table
from bench.figure import Figure
from bench.filters import KEPT
from bench.meaning import granite, with_vectors
from bench.memory import peak_mb
from bench.questions import questions
from bench.world import World
from pinyon.model.query import Filters, Match, Nearest

if TYPE_CHECKING:
    from bench.exact import Array
    from pinyon.store.sqlite.view import SqliteView

EACH = 15
LIMIT = 30
OPENINGS = 3

AT_MOST = {100_000: 0.25, 1_000_000: 0.2}
"""Of the time of the numpy scan, by number of records."""

AT_MOST_MB = {100_000: 600.0}


def vectors(world: World) -> list[Figure]:
    """Questions from records that are not in the store, embedded by the model itself."""
    rich = with_vectors(world)
    size = world.records
    with rich.view() as view:
        halves = questions(view, world.profile.understand, EACH)
        texts = [question.text for question in chain.from_iterable(halves.values())]
        asked = list(granite().embed_queries(texts))
        table = read_table(view, granite().name)
        figures = [Figure(size, "passages", len(table.owners))]
        figures += _scanned(size, view, table, asked)
    first = median(_first_ms(rich, asked[0]) for _ in range(OPENINGS))
    figures.append(Figure(size, "first search after opening", first, "ms"))
    most = AT_MOST_MB.get(size)
    peak = peak_mb(rich.path, texts[0])
    return [*figures, Figure(size, "memory of one hybrid search", peak, "MB", most=most)]


def _scanned(size: int, view: "SqliteView", table: Table, asked: Sequence["Array"]) -> list[Figure]:
    _near(view, asked[0])  # reads the codes, which no filter is to blame for
    makings = {share: cpu_ms(partial(_near, view, asked[0], kept)) for share, kept in KEPT.items()}
    times = [
        alternate(
            [
                partial(table.scan, vector, LIMIT),
                partial(_near, view, vector),
                *(partial(_near, view, vector, kept) for kept in KEPT.values()),
            ]
        )
        for vector in asked
    ]
    numpy_ms, ours_ms, *narrowed = (median(column) for column in zip(*times, strict=True))
    same = fmean(agreement(_near(view, vector), table.best(vector)) for vector in asked)
    most = AT_MOST.get(size)
    figures = [
        Figure(size, "numpy float32", numpy_ms, "ms"),
        Figure(size, "store", ours_ms, "ms"),
        Figure(size, "store / numpy", ours_ms / numpy_ms, "x", most=most),
        Figure(size, "top 10 as exact, noisy copies", same),
    ]
    for share, ms in zip(KEPT, narrowed, strict=True):
        figures += [
            Figure(size, f"store, {share}", ms, "ms"),
            Figure(size, f"store, {share} / numpy of all", ms / numpy_ms, "x"),
            Figure(size, f"store, {share}, first with this filter", makings[share], "ms"),
        ]
    return figures


def _near(view: "SqliteView", vector: "Array", filters: Filters | None = None) -> tuple[Match, ...]:
    request = Nearest(vector.tobytes(), granite().name, filters=filters or Filters(), limit=LIMIT)
    return view.retrieve([request])[0].matches


def _first_ms(world: World, vector: "Array") -> float:
    """Of a store that was just opened: the codes are read."""
    with world.view() as view:
        return cpu_ms(partial(_near, view, vector))
