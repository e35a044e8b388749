"""Words: natural-language questions by the plan of essential terms against plain FTS5."""

from functools import partial
from statistics import fmean, median

from bench.ask import exact, overlap, overlap_in_order, planned, retrieved, select
from bench.clock import alternate
from bench.figure import Figure
from bench.questions import HALVES, Question, questions
from bench.world import World
from pinyon.model.profile import LexicalSection
from pinyon.store.sqlite.view import SqliteView

EACH = 60
AT_MOST: dict[str, dict[int, float]] = {
    HALVES[0]: {100_000: 0.6, 1_000_000: 0.4},
    HALVES[1]: {10_000: 1.1, 100_000: 1.1, 1_000_000: 1.1},
}
"""The most of plain FTS5's time, by half and number of records."""

AGREEMENT = 0.99


def words(world: World) -> list[Figure]:
    """Time of the plan, its look-ups included, and whether it finds the same."""
    figures = []
    with world.view() as view:
        halves = questions(view, world.profile.understand, each(world.records))
        for half, asked in halves.items():
            how = world.profile.retrieve.lexical
            figures += _half(world.records, view, half, asked, how)
    return figures


def each(records: int) -> int:
    """How many questions of each half: fewer where one takes a second."""
    return EACH if records <= 100_000 else EACH // 2


def exactly_asked(records: int) -> int:
    """How many questions are also answered exactly: all matching records of each are scored, at
    most about one and a half million in all."""
    return max(8, min(EACH, 2_500_000 // records))


def _half(
    records: int, view: SqliteView, half: str, asked: list[Question], how: LexicalSection
) -> list[Figure]:
    times = [
        alternate((partial(select, view, q.words, how), partial(_plan, view, q, how)))
        for q in asked
    ]
    plain_ms, plan_ms = (median(column) for column in zip(*times, strict=True))
    in_order = [overlap_in_order(_plan(view, q, how), select(view, q.words, how)) for q in asked]
    few = asked[: exactly_asked(records)]
    final = [overlap(retrieved(view, q, how), exact(view, q, how)) for q in few]
    used = fmean(planned(view, q) != q.words for q in asked)
    most = AT_MOST[half].get(records)
    return [
        Figure(records, f"{half}: plain", plain_ms, "ms"),
        Figure(records, f"{half}: plan", plan_ms, "ms"),
        Figure(records, f"{half}: plan / plain", plan_ms / plain_ms, "x", most=most),
        Figure(records, f"{half}: questions that the plan changes", used),
        Figure(records, f"{half}: top 10 as plain FTS5", fmean(in_order), least=AGREEMENT),
        Figure(records, f"{half}: top 10 as exact", fmean(final), least=AGREEMENT),
    ]


def _plan(view: SqliteView, question: Question, how: LexicalSection) -> list[tuple[int, float]]:
    return select(view, planned(view, question), how)
