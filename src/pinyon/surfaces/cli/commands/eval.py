"""eval: measure profiles on labelled collections, in a temporary store, or on feedback."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pinyon import settings
from pinyon.engine import Engine
from pinyon.evaluate.collection import Question
from pinyon.evaluate.plot import plot as draw
from pinyon.evaluate.run import Outcome, evaluate
from pinyon.model.errors import InvalidInput
from pinyon.profiles.configured import learnt
from pinyon.profiles.digest import digest
from pinyon.surfaces.cli.figures import PLOTTED, Measured, Table, points, to_json
from pinyon.surfaces.cli.measuring import (
    ask,
    collection_options,
    filled,
    given_collection,
    judged_questions,
)
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import emit_json, note
from pinyon.surfaces.cli.progress import bar


@click.command(
    epilog=examples(
        "pinyon eval scifact",
        "pinyon eval scifact cranfield --profile default --profile keyword --plot both.svg",
        "pinyon eval locomo --scope-by conv --qrels locomo/qrels_audited.tsv --slices",
        "pinyon eval --from-feedback --profile default --profile vault",
    )
)
@click.argument("folders", metavar="DIR...", nargs=-1)
@click.option(
    "--profile",
    "profiles",
    metavar="NAME",
    multiple=True,
    help="What to measure; repeat it for several, each compared with the first. The default "
    "profile if not given.",
)
@collection_options
@click.option(
    "--from-feedback", is_flag=True, help="Measure on the feedback in your store; without DIR."
)
@click.option("--slices", is_flag=True, help="Show parts of the queries too; JSON always does.")
@click.option("--each", is_flag=True, help="With --json: the figures of every query.")
@click.option("--plot", metavar="FILE.svg", help=f"Draw {PLOTTED} against milliseconds.")
@click.option("--keep", metavar="FILE", help="Keep the store that was measured, as this file.")
@store_option
@json_option
def command(
    folders: tuple[str, ...],
    profiles: tuple[str, ...],
    limit: int | None,
    from_feedback: bool,
    slices: bool,
    each: bool,
    plot: str | None,
    keep: str | None,
    store: str | None,
    as_json: bool,
    **parts: Any,
) -> None:
    """Measure profiles on labelled collections.

    DIR is a collection in the layout of BEIR: corpus.jsonl, queries.jsonl and qrels.tsv, each also
    with .gz. It is read into a temporary store, and every judged query is asked. Shown are the
    means over them with a 95 % interval, the time that a query takes, and which differences between
    profiles are more than chance. --store only says beside which store your own profiles lie;
    nothing in it is read or changed.

    With --from-feedback the questions are those that you gave feedback to, asked of your own store.
    """
    _check_usage(folders, from_feedback, each and not as_json, {**parts, "keep": keep})
    names = tuple(dict.fromkeys(profiles)) or ("default",)
    kept, drawn = _free(keep), _drawable(plot)
    run = _Run(names, limit, None if as_json else slices)
    measured = run.feedback(store) if from_feedback else run.folders(folders, store, kept, parts)
    if as_json:
        documents = [to_json(one, each=each) for one in measured]
        emit_json(documents if len(folders) > 1 else documents[0])
    if drawn:
        drawn.write_text(draw(points(measured), PLOTTED), encoding="utf-8")


class _Run:
    """The profiles over some collections. Each row of the table is shown when it is known; there is
    none where `sliced` is None."""

    def __init__(self, profiles: Sequence[str], limit: int | None, sliced: bool | None) -> None:
        self._profiles = profiles
        self._limit = limit
        self._sliced = sliced
        self._table: Table | None = None

    def folders(
        self, folders: Sequence[str], store: str | None, keep: Path | None, parts: dict[str, Any]
    ) -> list[Measured]:
        given = [given_collection(folder, **parts) for folder in folders]
        self._begin({each.name: each.questions for each in given})
        measured = []
        for each in given:
            remarks: list[str] = []
            with filled(each, self._profiles, store, keep, remarks.append) as engine:
                measured.append(self._measure(each.name, each.questions, engine, remarks))
        return self._finished(measured)

    def feedback(self, store: str | None) -> list[Measured]:
        """The user's own store, asked without leaving traces."""
        name = settings.store_path(store).stem
        with reading(store) as engine:
            for profile in self._profiles:
                engine.profile(profile)  # an unknown one is said first
            found = judged_questions(engine)
            learned = [each for each in self._profiles if learnt(engine.config(), each)]
            too_good = (f"{each} learnt from this feedback, and looks too good" for each in learned)
            remarks = (*found.remarks, *too_good)
            for remark in remarks:
                note(f"{name}: {remark}")
            self._begin({name: found.questions})
            return self._finished([self._measure(name, found.questions, engine, remarks)])

    def _begin(self, collections: dict[str, Sequence[Question]]) -> None:
        if self._sliced is not None:
            self._table = Table(collections, self._profiles, sliced=self._sliced)

    def _measure(
        self, name: str, questions: Sequence[Question], engine: Engine, remarks: Sequence[str]
    ) -> Measured:
        asked = questions[: self._limit]
        outcomes = {}
        for profile in self._profiles:
            outcomes[profile] = _outcome(name, asked, engine, profile)
            if self._table:
                self._table.show(name, profile, outcomes[profile], asked)
        hashes = {profile: digest(engine.profile(profile)) for profile in self._profiles}
        active = [model.name for model in engine.models() if model.state == "active"]
        return Measured(name, asked, outcomes, hashes, next(iter(active), ""), tuple(remarks))

    def _finished(self, measured: list[Measured]) -> list[Measured]:
        if self._table:
            self._table.finish(measured)
        return measured


def _outcome(name: str, asked: Sequence[Question], engine: Engine, profile: str) -> Outcome:
    with bar(f"{name}: {profile}") as advance:
        outcome = evaluate(
            asked,
            lambda question: ask(engine, question, profile),
            progress=lambda done, total: advance(done, total, ""),
        )
    for remark, count in outcome.remarks.items():
        note(f"{name}, {profile}: {remark} ({count:,} of {outcome.queries:,} queries)")
    return outcome


def _check_usage(
    folders: Sequence[str], from_feedback: bool, each_alone: bool, given: dict[str, Any]
) -> None:
    """Raises UsageError for options that do not go together."""
    options = [f"--{name.replace('_', '-')}" for name, value in given.items() if value]
    single = [option for option in options if option in ("--queries", "--qrels", "--keep")]
    if from_feedback == bool(folders):
        raise click.UsageError("give either a DIR or --from-feedback")
    if from_feedback and options:
        raise click.UsageError(f"{options[0]} goes with a DIR")
    if len(folders) > 1 and single:
        raise click.UsageError(f"{single[0]} goes with one DIR only")
    if each_alone:
        raise click.UsageError("--each goes with --json")


def _free(keep: str | None) -> Path | None:
    """Looked at before the long work, not after it."""
    if not keep:
        return None
    path = settings.store_path(keep)
    if path.exists():
        raise InvalidInput(f"{keep}: exists already", remedy="name a file that does not")
    return _in_a_folder(keep, path)


def _drawable(plot: str | None) -> Path | None:
    """Where the plot goes; one that is there already is drawn anew."""
    if not plot:
        return None
    path = Path(plot)
    if path.suffix.lower() != ".svg":
        raise InvalidInput(f"{plot}: only SVG can be drawn", remedy="name a file that ends in .svg")
    return _in_a_folder(plot, path)


def _in_a_folder(given: str, path: Path) -> Path:
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"{given}: there is no such folder", remedy="make it first")
    return path
