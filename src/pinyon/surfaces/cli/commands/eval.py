"""eval: measure profiles on labelled collections, in a temporary store."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pinyon import settings
from pinyon.engine import Engine
from pinyon.evaluate.collection import Collection
from pinyon.evaluate.metrics import MEASURES, Mean
from pinyon.evaluate.run import Outcome, evaluate
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.cli.measuring import ask, filled, given_collection
from pinyon.surfaces.cli.options import examples, json_option, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, note, painter
from pinyon.surfaces.cli.progress import bar

HEADINGS = ("nDCG@10", "recall@10", "recall@100", "MRR@10", "queries", "p50 ms", "p95 ms")

WIDTHS = (13, 9, 10, 8, 8, 9, 9)
"""Columns of the headings, so that a row can be shown as soon as it is known."""


@click.command(
    epilog=examples(
        "pinyon eval scifact",
        "pinyon eval scifact cranfield --profile default --profile keyword",
        "pinyon eval locomo --scope-by conv --qrels locomo/qrels_audited.tsv --json",
    )
)
@click.argument("folders", metavar="DIR...", nargs=-1, required=True)
@click.option(
    "--profile",
    "profiles",
    metavar="NAME",
    multiple=True,
    help="What to measure; repeat it for several. The default profile if not given.",
)
@click.option("--queries", metavar="FILE", help="Ask these, instead of the folder's queries.jsonl.")
@click.option("--qrels", metavar="FILE", help="Judge by these, instead of the folder's qrels.tsv.")
@click.option(
    "--scope-by",
    default="",
    metavar="KEY",
    help="Ask each query among the documents that share its metadata.KEY.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Ask only the first N judged queries."
)
@click.option("--keep", metavar="FILE", help="Keep the store that was measured, as this file.")
@store_option
@json_option
def command(
    folders: tuple[str, ...],
    profiles: tuple[str, ...],
    limit: int | None,
    keep: str | None,
    store: str | None,
    as_json: bool,
    **parts: Any,
) -> None:
    """Measure profiles on labelled collections.

    DIR is a collection in the layout of BEIR: corpus.jsonl, queries.jsonl and qrels.tsv, each also
    with .gz. It is read into a temporary store, and every judged query is asked. Shown are the
    means over them with a 95 % interval, and the time that a query takes. --store only says beside
    which store your own profiles lie; nothing in it is read or changed.
    """
    alone = {"--queries": parts["queries"], "--qrels": parts["qrels"], "--keep": keep}
    if len(folders) > 1 and (given := [option for option, value in alone.items() if value]):
        raise click.UsageError(f"{given[0]} goes with one DIR only")
    names = tuple(dict.fromkeys(profiles)) or ("default",)
    kept = _free(keep)
    collections = [given_collection(folder, **parts) for folder in folders]
    table = _Table([collection.name for collection in collections], names)
    measured = []
    for collection in collections:
        outcomes = {}
        with filled(collection, names, store, kept) as engine:
            for name in names:
                outcomes[name] = _measure(collection, engine, name, limit)
                if not as_json:
                    table.show(collection.name, name, outcomes[name])
        measured.append(_to_json(collection.name, outcomes))
    if as_json:
        emit_json(measured[0] if len(folders) == 1 else measured)


def _free(keep: str | None) -> Path | None:
    """Looked at before the long work, not after it."""
    if not keep:
        return None
    path = settings.store_path(keep)
    if path.exists():
        raise InvalidInput(f"{keep}: exists already", remedy="name a file that does not")
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"{keep}: there is no such folder", remedy="make it first")
    return path


def _measure(collection: Collection, engine: Engine, profile: str, limit: int | None) -> Outcome:
    with bar(f"{collection.name}: {profile}") as advance:
        outcome = evaluate(
            collection.questions[:limit],
            lambda asked: ask(engine, asked, profile),
            progress=lambda done, total: advance(done, total, ""),
        )
    for remark, count in outcome.remarks.items():
        note(f"{collection.name}, {profile}: {remark} ({count:,} of {outcome.queries:,} queries)")
    return outcome


def _to_json(collection: str, outcomes: dict[str, Outcome]) -> dict[str, Any]:
    return {
        "collection": collection,
        "profiles": {
            profile: {
                **{name: round(outcome.means[name].value, 6) for name in MEASURES},
                "queries": outcome.queries,
                "p50_ms": round(outcome.p50_ms, 3),
                "p95_ms": round(outcome.p95_ms, 3),
                "intervals": {name: _interval(outcome.means[name]) for name in MEASURES},
            }
            for profile, outcome in outcomes.items()
        },
    }


def _interval(mean: Mean) -> list[float]:
    return [round(mean.low, 6), round(mean.high, 6)]


class _Table:
    """Rows under a heading, each shown when it is known."""

    def __init__(self, collections: Sequence[str], profiles: Sequence[str]) -> None:
        self._paint = painter(sys.stdout)
        self._first = max(map(len, ("collection", *map(clean, collections))))
        self._second = max(map(len, ("profile", *profiles)))
        self._begun = False

    def show(self, collection: str, profile: str, outcome: Outcome) -> None:
        if not self._begun:
            emit(self._paint("quiet", self._row("collection", "profile", HEADINGS)))
            self._begun = True
        means = outcome.means
        ndcg = means["ndcg@10"]
        values = (
            f"{ndcg.value:.3f} ± {(ndcg.high - ndcg.low) / 2:.3f}",
            *(f"{means[name].value:.3f}" for name in ("recall@10", "recall@100", "mrr@10")),
            f"{outcome.queries:,}",
            f"{outcome.p50_ms:,.1f}",
            f"{outcome.p95_ms:,.1f}",
        )
        emit(self._row(clean(collection), profile, values))

    def _row(self, collection: str, profile: str, values: Sequence[str]) -> str:
        cells = (f"{value:>{width}}" for value, width in zip(values, WIDTHS, strict=True))
        return f"{collection:<{self._first}}  {profile:<{self._second}}  {'  '.join(cells)}"
