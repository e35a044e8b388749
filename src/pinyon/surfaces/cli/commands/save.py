"""save: write a record, from options or from JSON on standard input."""

from typing import Any

import click

from pinyon.engine import Engine
from pinyon.model.check import check_record
from pinyon.model.errors import InvalidInput
from pinyon.model.record import Record
from pinyon.surfaces.cli.fields import field_options, given, piped_object
from pinyon.surfaces.cli.options import examples, json_option, store_option, writing
from pinyon.surfaces.cli.output import emit, emit_json, note


@click.command(
    epilog=examples(
        'pinyon save --kind note --title Retries --body "Three, with backoff." --tag decision',
        "pinyon save --title Log --body - < build.log",
        """echo '{"kind": "task", "title": "Ship it", "due": "2024-05-01"}' | pinyon save""",
    )
)
@click.option("--id", metavar="ID", help="Its id; made from the title if not given.")
@field_options
@click.option("--replace", is_flag=True, help="Write over a record that has this id.")
@click.option(
    "--duplicates",
    type=click.Choice(["keep", "refuse", "merge", "supersede"]),
    default="keep",
    show_default=True,
    help="Where another record says the same: keep both and say so, save nothing, write it into "
    "the other, or stand in its place.",
)
@store_option
@json_option
def command(
    replace: bool, duplicates: str, store: str | None, as_json: bool, **options: Any
) -> None:
    """Write a record.

    Prints its id. Without --title and --body, a JSON record is read from standard input; options
    that are given as well win over it. The store is made where there is none.
    """
    values = given(options)
    if not values.keys() & {"title", "body"}:
        piped = piped_object()
        if not piped:
            raise InvalidInput(
                "nothing to save",
                remedy="give --title or --body, or a JSON record on standard input",
            )
        values = {**piped, **values}
    record = check_record(values)
    with writing(store) as engine:
        id = engine.save(record, replace=replace, duplicates=duplicates)
        if as_json:
            emit_json({"id": id})
        else:
            emit(id)
        _tell(engine, id, record)


MOST_TOLD = 3
"""The records that are named as alike."""


def _tell(engine: Engine, id: str, record: Record) -> None:
    """Notes on what is alike, and on a type of memory that nothing is known of."""
    for other in engine.duplicates(id, disagreeing=True)[:MOST_TOLD]:
        if other.disagreement:
            note(f"{other.id} disagrees: {other.disagreement} (pinyon conflicts)")
        else:
            note(f"{other.id} says the same, {other.similarity:.0%} alike (--duplicates)")
    types = engine.profile("default").rank.half_lives if record.memory_type else {}
    if types and record.memory_type not in types:
        known = ", ".join(types)
        note(f"{record.memory_type!r} has no half-life of its own; known: {known}")
