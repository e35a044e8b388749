"""correct: replace a record that was wrong by a new one; the old one stays, out of answers."""

from typing import Any

import click

from pinyon.surfaces.cli.commands.update import CLEARABLE, emptied
from pinyon.surfaces.cli.fields import field_options, given, piped_object
from pinyon.surfaces.cli.options import examples, json_option, store_option, writing
from pinyon.surfaces.cli.output import emit, emit_json


@click.command(
    epilog=examples(
        'pinyon correct api-port --body "The API listens on 8080." --why "moved in May"',
        """echo '{"body": "Five, with backoff."}' | pinyon correct retries""",
    )
)
@click.argument("id")
@field_options
@click.option(
    "--clear", type=click.Choice(CLEARABLE), multiple=True, help="Empty this field; repeatable."
)
@click.option("--why", default="", metavar="TEXT", help="What was wrong; kept with the link.")
@store_option
@json_option
def command(
    id: str, clear: tuple[str, ...], why: str, store: str | None, as_json: bool, **options: Any
) -> None:
    """Replace a record that was wrong, and keep it.

    Prints the id of the new record: the old one with the changes, given as in pinyon update. It
    supersedes the old one, which is found no more unless asked for (search --superseded, --as-of),
    and takes over its links.
    """
    changes = given(options)
    if not changes and not clear:
        changes = piped_object()
    changes = emptied(changes, clear)
    with writing(store, create=False) as engine:
        new = engine.correct(id, why, **changes)
        if as_json:
            emit_json({"id": new, "supersedes": id})
        else:
            emit(new)
