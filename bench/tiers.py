"""Tiers: what a search over three stores with a third of the records each costs, against one."""

import sys
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path
from statistics import fmean, median

import pinyon
from bench import corpus
from bench.ask import TOP, overlap
from bench.clock import alternate
from bench.figure import Figure
from bench.questions import questions
from bench.words import each
from bench.world import BATCH, World
from pinyon.engine import Engine
from pinyon.store.contract import Batch
from pinyon.store.sqlite import SqliteStore

NAMES = ("agent", "project", "team")
PROFILES = ("keyword", "vault")
ROUNDS = 5

AT_MOST = 1.5
"""Times the CPU of one store."""

AGREEMENT = {"keyword": 0.99}
"""By profile. One that looks beyond the first ranks of a list has no target: there a large store by
itself may miss what three small ones find."""


def tiers(world: World) -> list[Figure]:
    """Ten hits with their snippets; every tier counts the same, so the answers can be compared."""
    paths = _shared_out(world)
    with world.view() as view:
        halves = questions(view, world.profile.understand, each(world.records) // 2)
    asked = [question.text for question in chain.from_iterable(halves.values())]
    figures: list[Figure] = []
    with world.engine() as one, pinyon.open(paths[0], create=False, background=False) as three:
        for name, path in zip(NAMES[1:], paths[1:], strict=True):
            three.add_tier(name, path, priority=1.0)
        for profile in PROFILES:
            figures += _profile(world.records, one, three, profile, asked)
    return figures


def _profile(
    records: int, one: Engine, three: Engine, profile: str, asked: list[str]
) -> list[Figure]:
    def ask(engine: Engine, text: str) -> list[str]:
        answer = engine.search(text, profile=profile, limit=10, track=False)
        return [hit.id for hit in answer]

    times = [
        alternate([partial(ask, one, text), partial(ask, three, text)], ROUNDS) for text in asked
    ]
    ratio = median(three_ms / one_ms for one_ms, three_ms in times)
    same = fmean(overlap(ask(three, text), ask(one, text)[:TOP]) for text in asked)
    one_ms, three_ms = (median(column) for column in zip(*times, strict=True))
    return [
        Figure(records, f"{profile}: one store", one_ms, "ms"),
        Figure(records, f"{profile}: three tiers", three_ms, "ms"),
        Figure(records, f"{profile}: three tiers / one store", ratio, "x", most=AT_MOST),
        Figure(records, f"{profile}: top 10 as one store", same, least=AGREEMENT.get(profile)),
    ]


def _shared_out(world: World) -> list[Path]:
    """Three stores beside the world's, made once, each with every third record."""
    paths = [world.cache / f"tiers-{name}-{world.path.name}" for name in NAMES]
    if all(path.exists() for path in paths):
        return paths
    for old in world.cache.glob(f"tiers-*-{world.records}-*"):
        old.unlink()
    print(f"sharing out {world.records:,} records ...", file=sys.stderr, flush=True)
    for at, path in enumerate(paths):
        growing = path.with_suffix(".growing")
        store = SqliteStore(growing)
        mine = islice(corpus.records(world.records), at, None, len(paths))
        while some := list(islice(mine, BATCH)):
            store.commit(Batch(now=datetime(2024, 1, 1, tzinfo=UTC), records=some, verbatim=True))
        store.close()
        growing.rename(path)
    return paths
