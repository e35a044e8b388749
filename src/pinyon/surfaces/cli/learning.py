"""Learning: the commands `pinyon profile learn` and `pinyon profile reset`."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json

if TYPE_CHECKING:
    from pinyon.learn.learned import Learned, Weights

TITLES = {"rank.weights": "weights", "rank.with_vectors": "weights, with vectors"}


@click.command(epilog=examples("pinyon profile learn default", "pinyon profile learn vault --json"))
@click.argument("name")
@store_option
@json_option
def learn(name: str, store: str | None, as_json: bool) -> None:
    """Learn the weights of a profile from feedback.

    It happens by itself as feedback comes; this does it now, and shows what came of it: the weights
    before and after, and how good both are on feedback that was held back. Weights that are not
    better there are not adopted.
    """
    with reading(store) as engine:
        learned = engine.learn(name)
    if as_json:
        emit_json(asdict(learned))
    else:
        emit("\n".join(clean(line) if line else "" for line in _lines(learned)))


@click.command(epilog=examples("pinyon profile reset default"))
@click.argument("name")
@store_option
@json_option
def reset(name: str, store: str | None, as_json: bool) -> None:
    """Give a profile its own weights again.

    What was learnt is dropped. The feedback stays in the store, but only what is given from now on
    is learnt from.
    """
    with reading(store) as engine:
        dropped = engine.unlearn(name)
    if as_json:
        emit_json({"profile": name, "reset": dropped})
    elif dropped:
        emit(clean(f"{name} has its own weights again"))
    else:
        emit(clean(f"{name} has its own weights; it learns from feedback given from now on"))


def _lines(learned: "Learned") -> Iterator[str]:
    state = "adopted" if learned.adopted else "not adopted"
    yield f"{learned.profile}: {state}, {learned.why}"
    for path, before in learned.before.items():
        yield ""
        yield from _table(TITLES.get(path, path), before, learned.after[path])


def _table(title: str, before: "Weights", after: "Weights") -> Iterator[str]:
    """The heaviest after learning first, ties by name."""
    names = sorted({*before, *after}, key=lambda name: (-after.get(name, 0.0), name))
    widest = max(len(title), *map(len, names))
    yield f"{title:<{widest}}  before  after"
    for name in names:
        yield f"{name:<{widest}}  {before.get(name, 0.0):6.3f} {after.get(name, 0.0):6.3f}"
