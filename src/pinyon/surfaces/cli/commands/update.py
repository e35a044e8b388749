"""update: change some fields of a record; the others stay."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import click

from pinyon.model.errors import InvalidInput, InvalidRecord
from pinyon.model.record import Record
from pinyon.model.wire import record_to_json
from pinyon.surfaces.cli.fields import field_options, given, piped_object
from pinyon.surfaces.cli.options import examples, json_option, store_option, writing
from pinyon.surfaces.cli.output import emit, emit_json

_NEVER_EMPTY = ("kind", "id", "created_at", "updated_at", "version", "deleted_at")
_KEPT = ("id", "version", "deleted_at")
_EMPTY = Record()
CLEARABLE = [field.name for field in dataclasses.fields(Record) if field.name not in _NEVER_EMPTY]


@click.command(
    epilog=examples(
        "pinyon update retries --importance 5 --clear due",
        """echo '{"status": "done"}' | pinyon update ship-it""",
    )
)
@click.argument("id")
@field_options
@click.option(
    "--clear", type=click.Choice(CLEARABLE), multiple=True, help="Empty this field; repeatable."
)
@store_option
@json_option
def command(
    id: str, clear: tuple[str, ...], store: str | None, as_json: bool, **options: Any
) -> None:
    """Change some fields of a record.

    Those that are not given stay. Without options, a JSON object of changes is read from standard
    input; null empties a field. --tag and --alias replace all that there are: to add one, use
    pinyon tag. The record as it was stays in its history.
    """
    changes = given(options)
    if not changes and not clear:
        changes = piped_object()
    changes = emptied(changes, clear)
    if not changes:
        raise InvalidInput(
            "nothing to change", remedy="give an option, or a JSON object on standard input"
        )
    with writing(store, create=False) as engine:
        record = engine.update(id, **changes)
        if as_json:
            emit_json(record_to_json(record))
        else:
            emit(f"{record.id} is now at version {record.version}")


def emptied(changes: Mapping[str, Any], clear: Sequence[str]) -> dict[str, Any]:
    """With the empty value where a field is to be cleared."""
    wanted = {**changes, **dict.fromkeys(clear)}
    for name, value in wanted.items():
        if name in _KEPT:
            raise InvalidRecord(name, "cannot be changed")
        if name not in (*CLEARABLE, *_NEVER_EMPTY):
            known = ", ".join(("kind", *CLEARABLE, "created_at", "updated_at"))
            raise InvalidRecord(name, "no such field", remedy=f"known: {known}")
        if value is None and name in _NEVER_EMPTY:
            raise InvalidRecord(name, "cannot be empty")
    return {
        name: getattr(_EMPTY, name) if value is None and name in CLEARABLE else value
        for name, value in wanted.items()
    }
