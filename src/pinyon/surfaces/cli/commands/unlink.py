"""unlink: take the link between two records away."""

import click

from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json


@click.command(epilog=examples("pinyon unlink outage caused_by retries"))
@click.argument("from_id", metavar="FROM")
@click.argument("relation")
@click.argument("to_id", metavar="TO")
@store_option
@json_option
def command(from_id: str, relation: str, to_id: str, store: str | None, as_json: bool) -> None:
    """Take a link away.

    The records stay.
    """
    with reading(store) as engine:
        engine.unlink(from_id, relation, to_id)
    if as_json:
        emit_json({"unlinked": {"from": from_id, "relation": relation, "to": to_id}})
    else:
        emit(clean(f"unlinked {from_id} -{relation}-> {to_id}"))
