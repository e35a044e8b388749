"""Filters: the same questions inside 1 % and inside 25 % of the records."""

from functools import partial
from statistics import fmean, median

from bench import corpus
from bench.ask import NO_FILTERS, exact, overlap, retrieved
from bench.clock import alternate
from bench.figure import Figure
from bench.questions import questions
from bench.words import AGREEMENT, each, exactly_asked
from bench.world import World
from pinyon.model.query import Filters

AT_MOST = 1.2
"""Of the time without a filter."""

KEPT = {
    "1 %": Filters(scopes=(corpus.scope(corpus.SCOPES // 2),)),
    "25 %": Filters(scopes=(corpus.scope(corpus.SCOPES // 2).partition("/")[0],)),
}


def filters(world: World) -> list[Figure]:
    """Time of the store's whole answer, and whether it finds the same as the exact one."""
    figures = []
    how = world.profile.retrieve.lexical
    with world.view() as view:
        for half, asked in questions(
            view, world.profile.understand, each(world.records) // 2
        ).items():
            rivals = (NO_FILTERS, *KEPT.values())
            times = [
                alternate([partial(retrieved, view, q, how, kept) for kept in rivals])
                for q in asked
            ]
            whole, *narrowed = (median(column) for column in zip(*times, strict=True))
            figures.append(Figure(world.records, f"{half}: all records", whole, "ms"))
            few = asked[: exactly_asked(world.records)]
            for (share, kept), ms in zip(KEPT.items(), narrowed, strict=True):
                name = f"{half}: {share}"
                ratio = Figure(world.records, f"{name} / all", ms / whole, "x", most=AT_MOST)
                same = fmean(
                    overlap(retrieved(view, q, how, kept), exact(view, q, how, kept)) for q in few
                )
                agreement = Figure(world.records, f"{name}: top 10 as exact", same, least=AGREEMENT)
                figures += [Figure(world.records, name, ms, "ms"), ratio, agreement]
    return figures
