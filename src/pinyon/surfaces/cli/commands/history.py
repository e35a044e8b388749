"""history: show what a record was before."""

import sys

import click

from pinyon.model.wire import date_to_text, version_to_json
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import emit, emit_json, note, painter
from pinyon.surfaces.cli.records import record_lines


@click.command(epilog=examples("pinyon history retries"))
@click.argument("id")
@store_option
@json_option
def command(id: str, store: str | None, as_json: bool) -> None:
    """Show what a record was before.

    The oldest version comes first; each says what ended it, and when. Works for a forgotten record
    too.
    """
    with reading(store) as engine:
        versions = engine.history(id)
    if as_json:
        emit_json([version_to_json(version) for version in versions])
        return
    if not versions:
        note("it has never been changed")
        return
    paint = painter(sys.stdout)
    paragraphs = []
    for version in versions:
        number = f"version {version.record.version}"
        ended = f"{version.change} {date_to_text(version.changed_at)}"
        lines = [paint("command", f"{number}, {ended}"), *record_lines(version.record, paint)]
        paragraphs.append("\n".join(lines))
    emit("\n\n".join(paragraphs))
