"""Search: what a whole search of the keyword profile costs beyond the full-text query itself."""

from functools import partial
from itertools import chain
from statistics import median

from bench.ask import planned, select
from bench.clock import alternate, best_in_a_row
from bench.figure import Figure
from bench.questions import questions
from bench.words import each
from bench.world import World

ROUNDS = 5

AT_MOST_MS = {100_000: 3.0}
"""Of CPU, by number of records."""


def search(world: World) -> list[Figure]:
    """Ten hits with their snippets; the full-text query is the plan's, already made."""
    how = world.profile.retrieve.lexical
    with world.view() as view, world.engine() as engine:
        halves = questions(view, world.profile.understand, each(world.records) // 2)
        asked = list(chain.from_iterable(halves.values()))
        times: list[list[float]] = []
        in_turn: list[list[float]] = []
        stages: dict[str, list[float]] = {}
        for question in asked:
            raw = partial(select, view, planned(view, question), how)
            whole = partial(engine.search, question.text, profile="keyword", limit=10)
            times.append([best_in_a_row(raw, ROUNDS), best_in_a_row(whole, ROUNDS)])
            in_turn.append(alternate((raw, whole)))
            for stage, ms in whole().meta["stages"].items():
                stages.setdefault(stage, []).append(ms)
    size = world.records
    beyond = _beyond(times)
    most = AT_MOST_MS.get(size)
    return [
        Figure(size, "full-text query", median(raw_ms for raw_ms, _ in times), "ms"),
        Figure(size, "whole search", median(whole_ms for _, whole_ms in times), "ms"),
        Figure(size, "whole search - full-text query", beyond, "ms", most=most),
        Figure(size, "the same, asked in turn", _beyond(in_turn), "ms"),
        *(Figure(size, f"  stage {name} (wall)", median(ms), "ms") for name, ms in stages.items()),
    ]


def _beyond(times: list[list[float]]) -> float:
    return median(whole_ms - raw_ms for raw_ms, whole_ms in times)
