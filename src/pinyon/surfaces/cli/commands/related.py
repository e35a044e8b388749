"""related: show the records that are linked with one."""

import sys

import click

from pinyon.model.wire import edge_to_json, record_to_json
from pinyon.search.related import Related
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import Paint, clean, emit, emit_json, note, painter


@click.command(
    epilog=examples("pinyon related retries", "pinyon related retries --relation caused_by")
)
@click.argument("id")
@click.option(
    "--relation", "relations", metavar="NAME", multiple=True, help="Only this one; repeatable."
)
@store_option
@json_option
def command(id: str, relations: tuple[str, ...], store: str | None, as_json: bool) -> None:
    """Show the records that are linked with one.

    The strongest links come first.
    """
    with reading(store) as engine:
        found = engine.related(id, relations=relations)
    if as_json:
        emit_json(
            [
                {"edge": edge_to_json(each.edge), "record": record_to_json(each.record)}
                for each in found
            ]
        )
    elif found:
        paint = painter(sys.stdout)
        emit("\n".join(_line(id, each, paint) for each in found))
    else:
        note("nothing is linked with it (pinyon link FROM RELATION TO)")


def _line(id: str, related: Related, paint: Paint) -> str:
    edge, record = related.edge, related.record
    arrow = f"-{edge.relation}->" if edge.from_id == id else f"<-{edge.relation}-"
    evidence = f"  {clean(edge.evidence)}" if edge.evidence else ""
    return (
        f"{arrow} {paint('title', clean(record.title or record.id))}"
        f"  {paint('quiet', f'{clean(record.id)}  {edge.strength:g}{evidence}')}"
    )
