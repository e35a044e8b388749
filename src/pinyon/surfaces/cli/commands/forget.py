"""forget: take records out of every answer, or out of the file."""

import sys

import click

from pinyon.model.errors import InvalidInput
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json


@click.command(epilog=examples("pinyon forget retries", "pinyon forget secret-note --purge --yes"))
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--purge", is_flag=True, help="Leave nothing of them in the file. Cannot be undone.")
@click.option("--yes", is_flag=True, help="Do not ask before a purge.")
@store_option
@json_option
def command(ids: tuple[str, ...], purge: bool, yes: bool, store: str | None, as_json: bool) -> None:
    """Take records out of every answer.

    They stay in the file with their history, and saving one with the same id brings it back, unless
    it is purged. A purge writes the whole file anew, forgets questions with words that no other
    record has, and empties the cache of vectors. A file that a record came from stays on the disk:
    indexed again after a change, it brings the record back.
    """
    with reading(store) as engine:
        if purge and not yes and sys.stdin.isatty():
            question = f"Purge {len(ids):,} records and their history for good?"
            if not click.confirm(question, err=True):
                raise InvalidInput("nothing was purged", remedy="answer y, or give --yes")
        engine.forget(*ids, purge=purge)
    done = "purged" if purge else "forgotten"
    if as_json:
        emit_json({done: list(ids)})
    else:
        emit("\n".join(f"{done} {clean(id)}" for id in ids))
