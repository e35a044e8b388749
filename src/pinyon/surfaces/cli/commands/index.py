"""index: read folders, or what changed in them since the last time; with --watch, stay and follow.

A line says what a run did. While watching, a run that found nothing new says nothing.
"""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pinyon.engine import Engine, open_engine
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.answers import COUNTS, report_to_json
from pinyon.surfaces.cli.options import examples, json_option, store_option, writing
from pinyon.surfaces.cli.output import clean, emit, emit_json, note
from pinyon.surfaces.cli.progress import bar

if TYPE_CHECKING:
    from pinyon.index.pipeline import Report

SHOWN = 10
"""Skipped files that are named without --verbose."""

EVENTS = tuple(name for name in COUNTS if name != "unchanged")


@click.command(
    epilog=examples(
        "pinyon index ~/notes",
        "pinyon index docs README.md --verbose",
        "pinyon index ~/notes --watch",
    )
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--watch", is_flag=True, help="Stay, and follow every save until Ctrl-C.")
@click.option("--verbose", is_flag=True, help="Name every file that was skipped.")
@store_option
@json_option
def command(
    paths: tuple[str, ...], watch: bool, verbose: bool, store: str | None, as_json: bool
) -> None:
    """Read folders of notes, documents and code, or what changed in them.

    Notes are read by heading, code by class and function, with the links between them; anything
    else is known by its name. Run it again at any time: only what changed is read. What .gitignore
    and .pinyonignore name, hidden files, secrets and very large files stay out. The store is made
    where there is none.

    With --watch it stays: what is saved, renamed or deleted is soon found. A folder that is away,
    like that of a disk that is not mounted, keeps what is known of it. With --json each run is a
    line of its own.
    """
    for path in paths:
        if not Path(path).exists():
            raise InvalidInput(f"there is no folder or file {path!r}", remedy="check the path")
    if watch:
        _watch(paths, verbose, store, as_json)
        return
    reports = []
    with writing(store) as engine:
        for path in paths:
            report = _index(engine, path)
            reports.append(report_to_json(report))
            if not as_json:
                _show(report, COUNTS, verbose)
        if as_json:
            emit_json({"folders": reports})


def _index(engine: Engine, path: str) -> "Report":
    with bar(path) as advance:
        return engine.index(Path(path), progress=lambda now: advance(now.done, now.total, now.path))


def _watch(paths: tuple[str, ...], verbose: bool, store: str | None, as_json: bool) -> None:
    """Until Ctrl-C, which is how this ends well. A process that stays embeds behind the runs."""
    skipped: dict[str, set[Any]] = {}

    def told(report: "Report") -> None:
        new = set(report.skipped) - skipped.get(report.folder, set())
        first = report.folder not in skipped
        skipped[report.folder] = set(report.skipped)
        if not first and not new and not any(getattr(report, name) for name in EVENTS):
            return
        if as_json:
            emit_json_line(report_to_json(report))
        else:
            _show(report, COUNTS if first else _counted(report), verbose, new)

    with open_engine(store) as engine:
        with suppress(KeyboardInterrupt):
            for path in filter(_full, paths):
                told(_index(engine, path))
            note("watching; Ctrl-C ends it")
            engine.watch([Path(path) for path in paths], on_report=told, on_trouble=_trouble)
        note("no longer watching")


def _full(path: str) -> bool:
    """Whether there is something to index. An empty folder may be one whose disk is not mounted:
    watching leaves it alone, so its records stay."""
    return Path(path).is_file() or next(Path(path).iterdir(), None) is not None


def _trouble(root: Path, reason: str) -> None:
    note(f"{root.name}: {reason or 'is indexed again'}")


def emit_json_line(document: Any) -> None:
    """One JSON document on a line of standard output, on a terminal too."""
    import json

    click.echo(json.dumps(document, ensure_ascii=False), color=True)


def _counted(report: "Report") -> tuple[str, ...]:
    """What happened, without what did not."""
    return tuple(name for name in EVENTS if getattr(report, name))


def _show(
    report: "Report", names: tuple[str, ...], verbose: bool, new: set[Any] | None = None
) -> None:
    """`new` are the skipped files to name, where not all of them are."""
    counts = ", ".join(f"{getattr(report, name):,} {name}" for name in names) or "nothing new"
    emit(clean(f"{report.folder}: {counts}; {report.records:,} records written"))
    for warning in report.warnings:
        note(warning)
    told = [each for each in report.skipped if new is None or each in new]
    skipped = told if verbose else told[:SHOWN]
    for each in skipped:
        note(f"skipped {each.path}: {each.reason}")
    if more := len(told) - len(skipped):
        note(f"skipped {more:,} more files (--verbose names them)")
