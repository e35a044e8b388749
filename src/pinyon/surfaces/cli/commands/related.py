"""related: show the records that are linked with one."""

import sys

import click

from pinyon.engine.reading import DEEPEST
from pinyon.search.related import Related
from pinyon.surfaces.answers import related_to_json
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import Paint, clean, emit, emit_json, note, painter


@click.command(
    epilog=examples(
        "pinyon related retries", "pinyon related retries --relation caused_by --depth 2"
    )
)
@click.argument("id")
@click.option(
    "--relation", "relations", metavar="NAME", multiple=True, help="Only this one; repeatable."
)
@click.option(
    "--depth",
    type=click.IntRange(1, DEEPEST),
    default=1,
    metavar="N",
    show_default=True,
    help=f"How many links away, up to {DEEPEST}.",
)
@store_option
@json_option
def command(
    id: str, relations: tuple[str, ...], depth: int, store: str | None, as_json: bool
) -> None:
    """Show the records that are linked with one.

    The nearest come first, then the strongest links.
    """
    with reading(store) as engine:
        found = engine.related(id, relations=relations, depth=depth)
    if as_json:
        emit_json(related_to_json(found))
    elif found:
        paint = painter(sys.stdout)
        emit("\n".join(_line(id, each, paint) for each in found))
    else:
        note("nothing is linked with it (pinyon link FROM RELATION TO)")


def _line(id: str, related: Related, paint: Paint) -> str:
    edge, record = related.edge, related.record
    arrow = f"-{edge.relation}->" if edge.to_id == record.id else f"<-{edge.relation}-"
    evidence = f"  {clean(edge.evidence)}" if edge.evidence else ""
    return (
        f"{arrow} {paint('title', clean(record.title or record.id))}"
        f"  {paint('quiet', f'{clean(record.id)}  {edge.strength:g}{evidence}')}"
    )
