"""index: read folders of notes, or what changed in them since the last time."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pinyon.model.errors import InvalidInput
from pinyon.surfaces.cli.options import examples, json_option, store_option, writing
from pinyon.surfaces.cli.output import clean, emit, emit_json, note
from pinyon.surfaces.cli.progress import bar

if TYPE_CHECKING:
    from pinyon.index.pipeline import Report

SHOWN = 10
"""Skipped files that are named without --verbose."""

COUNTS = ("added", "changed", "renamed", "removed", "unchanged")


@click.command(epilog=examples("pinyon index ~/notes", "pinyon index docs README.md --verbose"))
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--verbose", is_flag=True, help="Name every file that was skipped.")
@store_option
@json_option
def command(paths: tuple[str, ...], verbose: bool, store: str | None, as_json: bool) -> None:
    """Read folders of notes, or what changed in them.

    Markdown is read by heading, text as a whole. Run it again at any time: only what changed is
    read. What .gitignore and .pinyonignore name, hidden files, secrets and files over 2 MB stay
    out. The store is made where there is none.
    """
    for path in paths:
        if not Path(path).exists():
            raise InvalidInput(f"there is no folder or file {path!r}", remedy="check the path")
    reports = []
    with writing(store) as engine:
        for path in paths:
            with bar(path) as advance:
                report = engine.index(
                    Path(path),
                    progress=lambda now: advance(now.done, now.total, now.path),
                )
            reports.append(_report_to_json(report))
            if not as_json:
                _show(report, verbose)
        if as_json:
            emit_json({"folders": reports})


def _report_to_json(report: "Report") -> dict[str, Any]:
    return {
        "folder": report.folder,
        **{name: getattr(report, name) for name in COUNTS},
        "records": report.records,
        "skipped": [{"path": each.path, "reason": each.reason} for each in report.skipped],
        "warnings": list(report.warnings),
    }


def _show(report: "Report", verbose: bool) -> None:
    counts = ", ".join(f"{getattr(report, name):,} {name}" for name in COUNTS)
    emit(clean(f"{report.folder}: {counts}; {report.records:,} records written"))
    for warning in report.warnings:
        note(warning)
    skipped = report.skipped if verbose else report.skipped[:SHOWN]
    for each in skipped:
        note(f"skipped {each.path}: {each.reason}")
    if more := len(report.skipped) - len(skipped):
        note(f"skipped {more:,} more files (--verbose names them)")
