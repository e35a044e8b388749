"""tag: add, remove, rename and list tags."""

import sys

import click

from pinyon.model.record import Record
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, note, painter


@click.group(epilog=examples("pinyon tag add retries decision", "pinyon tag list"))
def command() -> None:
    """Add, remove, rename and list tags."""


@command.command(epilog=examples("pinyon tag add retries decision http"))
@click.argument("id")
@click.argument("tags", metavar="TAG...", nargs=-1, required=True)
@store_option
@json_option
def add(id: str, tags: tuple[str, ...], store: str | None, as_json: bool) -> None:
    """Add tags to a record."""
    with reading(store) as engine:
        _show(engine.tag(id, add=tags), as_json)


@command.command(epilog=examples("pinyon tag remove retries draft"))
@click.argument("id")
@click.argument("tags", metavar="TAG...", nargs=-1, required=True)
@store_option
@json_option
def remove(id: str, tags: tuple[str, ...], store: str | None, as_json: bool) -> None:
    """Remove tags from a record."""
    with reading(store) as engine:
        _show(engine.tag(id, remove=tags), as_json)


@command.command(epilog=examples("pinyon tag rename desicion decision"))
@click.argument("old")
@click.argument("new")
@store_option
@json_option
def rename(old: str, new: str, store: str | None, as_json: bool) -> None:
    """Rename a tag on every record that has it."""
    with reading(store) as engine:
        count = engine.rename_tag(old, new)
    if as_json:
        emit_json({"renamed": count})
    else:
        emit(f"renamed on {count:,} record{'' if count == 1 else 's'}")


@command.command("list", epilog=examples("pinyon tag list --json"))
@store_option
@json_option
def list_(store: str | None, as_json: bool) -> None:
    """List all tags with the number of their records, most first."""
    with reading(store) as engine:
        tags = engine.values("tags")
    if as_json:
        emit_json(tags)
    elif tags:
        paint = painter(sys.stdout)
        emit("\n".join(f"{paint('quiet', f'{n:>6,}')}  {clean(tag)}" for tag, n in tags.items()))
    else:
        note("there are no tags (pinyon tag add ID TAG)")


def _show(record: Record, as_json: bool) -> None:
    if as_json:
        emit_json({"id": record.id, "tags": list(record.tags)})
    else:
        emit(clean(f"{record.id}: {', '.join(record.tags) or 'no tags'}"))
