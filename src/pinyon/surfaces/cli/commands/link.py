"""link: join two records by a relation."""

import click

from pinyon.model.wire import edge_to_json
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json


@click.command(
    epilog=examples('pinyon link outage caused_by retries --strength 0.8 --evidence "the log"')
)
@click.argument("from_id", metavar="FROM")
@click.argument("relation")
@click.argument("to_id", metavar="TO")
@click.option(
    "--strength",
    type=float,
    default=1.0,
    metavar="N",
    show_default=True,
    help="From 0 to 1.",
)
@click.option("--evidence", default="", metavar="TEXT", help="Why this is so.")
@store_option
@json_option
def command(
    from_id: str,
    relation: str,
    to_id: str,
    strength: float,
    evidence: str,
    store: str | None,
    as_json: bool,
) -> None:
    """Join two records.

    The relation is a lower-case word such as caused_by or supports. A link with the same ends and
    relation is written over.
    """
    with reading(store) as engine:
        edge = engine.link(from_id, relation, to_id, strength=strength, evidence=evidence)
    if as_json:
        emit_json(edge_to_json(edge))
    else:
        emit(clean(f"{edge.from_id} -{edge.relation}-> {edge.to_id}"))
