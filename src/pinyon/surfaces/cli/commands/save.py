"""save: write a record, from options or from JSON on standard input."""

from typing import Any

import click

from pinyon.model.check import check_record
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.cli.fields import field_options, given, piped_object
from pinyon.surfaces.cli.options import examples, json_option, store_option, writing
from pinyon.surfaces.cli.output import emit, emit_json


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
@store_option
@json_option
def command(replace: bool, store: str | None, as_json: bool, **options: Any) -> None:
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
        id = engine.save(record, replace=replace)
        if as_json:
            emit_json({"id": id})
        else:
            emit(id)
