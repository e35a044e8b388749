"""conflicts: show the records that contradict each other."""

import sys

import click

from pinyon.search.conflicts import Conflict
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import Paint, clean, emit, emit_json, note, painter


@click.command(epilog=examples("pinyon conflicts", "pinyon conflicts --scope team/api"))
@click.option("--scope", default="", metavar="PATH", help="It and everything below.")
@store_option
@json_option
def command(scope: str, store: str | None, as_json: bool) -> None:
    """Show the records that contradict each other.

    Those that are linked as contradicts, and those that say the same but for a number, a date or a
    negation. Resolve one with pinyon correct, with pinyon forget or with pinyon link NEW supersedes
    OLD; for one that is none, link the two by any other relation.
    """
    with reading(store) as engine:
        found = engine.conflicts(scope)
    if as_json:
        emit_json([one._asdict() for one in found])
    elif found:
        paint = painter(sys.stdout)
        emit("\n".join(_line(one, paint) for one in found))
    else:
        note("no conflicts")


def _line(one: Conflict, paint: Paint) -> str:
    ids = " against ".join(paint("title", clean(id)) for id in (one.one, one.other))
    return f"{ids}  {paint('quiet', clean(one.why))}"
