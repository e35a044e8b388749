"""get: show records by their ids."""

import sys

import click

from pinyon.model.wire import record_to_json
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import emit, emit_json, painter
from pinyon.surfaces.cli.records import record_lines


@click.command(
    epilog=examples(
        "pinyon get retries", "pinyon search retries --json | jq -r '.hits[].id' | xargs pinyon get"
    )
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@store_option
@json_option
def command(ids: tuple[str, ...], store: str | None, as_json: bool) -> None:
    """Show records by their ids.

    When one is missing, none is shown.
    """
    with reading(store) as engine:
        records = engine.get(*ids)
    if as_json:
        emit_json([record_to_json(record) for record in records])
        return
    paint = painter(sys.stdout)
    apart = f"\n\n{paint('quiet', '-' * 40)}\n"
    emit(apart.join("\n".join(record_lines(record, paint)) for record in records))
