"""Graph: what edges add to the time of a search, with three of them for every record."""

import random
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path
from statistics import median

from bench import corpus
from bench.clock import best_in_a_row
from bench.figure import Figure
from bench.questions import questions
from bench.words import each
from bench.world import BATCH, World
from pinyon.model.ask import Ask
from pinyon.model.profile import Profile
from pinyon.model.query import NAMES, Neighbours
from pinyon.model.record import Edge
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.store.contract import Batch
from pinyon.store.sqlite import SqliteStore
from pinyon.store.sqlite.view import SqliteView

ROUNDS = 5

AT_MOST_MS = {100_000: 3.0}
"""Of CPU, by number of records."""

TARGETS = ("expansion, 1 hop", "the graph as a channel")
"""What may add so much at most; the others only explain."""

MEMBERS = 10
"""Records that one of them contains; one of them can also be imported."""


def graph(world: World) -> list[Figure]:
    """The keyword profile by itself, then with what each use of the graph adds to it."""
    ways = _ways()
    store = SqliteStore(_joined(world), create=False)
    try:
        with store.snapshot() as view:
            halves = questions(view, world.profile.understand, each(world.records) // 2)
            asked = [question.text for question in chain.from_iterable(halves.values())]
            times = [
                [best_in_a_row(partial(_ask, view, text, way), ROUNDS) for way in ways.values()]
                for text in asked
            ]
            hub = _busiest(view)
            hub_ms = best_in_a_row(
                partial(view.neighbours, Neighbours((hub,), (), ("imports",))), ROUNDS
            )
    finally:
        store.close()
    size = world.records
    plain, *_ = (median(column) for column in zip(*times, strict=True))
    figures = [Figure(size, "without the graph", plain, "ms")]
    for at, name in enumerate(list(ways)[1:], start=1):
        added = median(row[at] - row[0] for row in times)
        most = AT_MOST_MS.get(size) if name in TARGETS else None
        figures.append(Figure(size, f"added by {name}", added, "ms", most=most))
    return [*figures, Figure(size, "hops from the record with most edges", hub_ms, "ms")]


def _ways() -> dict[str, Profile]:
    keyword = load("keyword")
    plain = keyword._replace(retrieve=keyword.retrieve._replace(superseded=True))
    # BM25 knows no best possible score, so nothing is cut: the most that can be walked.
    walk = load("graph").expand._replace(min_score=0.0, max_results=0)
    channels = ("lexical", "graph")
    return {
        "nothing": plain,
        "looking for successors": keyword,
        "expansion, 1 hop": keyword._replace(expand=walk),
        "expansion, 2 hops": keyword._replace(expand=walk._replace(depth=2)),
        "the graph as a channel": keyword._replace(
            retrieve=keyword.retrieve._replace(channels=channels)
        ),
    }


def _ask(view: SqliteView, text: str, how: Profile) -> None:
    search(view, Ask(text, datetime.now(UTC)), how)


def _busiest(view: SqliteView) -> str:
    ((id,),) = view.rows(
        "SELECT named.from_id FROM edge JOIN edge AS named ON named.to_id = edge.to_id"
        " AND named.relation = 'names' GROUP BY edge.to_id ORDER BY count(*) DESC LIMIT 1"
    )
    return str(id)


def _joined(world: World) -> Path:
    """A copy of the store with edges, made once; those of another schema or corpus go."""
    path = world.cache / f"graph-{world.path.name}"
    if not path.exists():
        for old in world.cache.glob(f"graph-{world.records}-*"):
            old.unlink()
        print(f"joining {world.records:,} records ...", file=sys.stderr, flush=True)
        growing = path.with_suffix(".growing")
        shutil.copyfile(world.path, growing)
        store = SqliteStore(growing, create=False)
        made = _edges([record.id for record in corpus.records(world.records)])
        while some := list(islice(made, BATCH * 10)):
            store.commit(Batch(now=datetime(2024, 1, 1, tzinfo=UTC), edges=some))
        store.close()
        growing.rename(path)
    return path


def _edges(ids: list[str]) -> Iterator[Edge]:
    """Each record lies in one, imports one by its name, and is linked with one by chance. The k-th
    name is imported 1/k as often as the first."""
    chance = random.Random("edges")
    names = len(ids) // MEMBERS
    for at, id in enumerate(ids):
        if at % MEMBERS:
            yield Edge(ids[at - at % MEMBERS], "contains", id)
        else:
            yield Edge(id, NAMES, f"@module:{at // MEMBERS}")
        yield Edge(id, "imports", f"@module:{int(names ** chance.random()) - 1}")
        yield Edge(id, "links", chance.choice(ids), chance.random())
