"""doctor: check the store, say what is wrong with it, and repair what can be."""

import sys

import click

from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, painter


@click.command(epilog=examples("pinyon doctor", "pinyon doctor --rebuild"))
@click.option(
    "--rebuild", is_flag=True, help="First make everything anew that is derived from the records."
)
@store_option
@json_option
@click.pass_context
def command(ctx: click.Context, rebuild: bool, store: str | None, as_json: bool) -> None:
    """Check the store, and repair it.

    Reads all of it. Exit 0 when it is sound, 1 when something is wrong: each finding says what to
    do.
    """
    with reading(store) as engine:
        if rebuild:
            engine.rebuild()
        findings = engine.examine()
    if as_json:
        emit_json(
            {
                "sound": not findings,
                "rebuilt": rebuild,
                "findings": [{"problem": x.problem, "remedy": x.remedy} for x in findings],
            }
        )
    else:
        paint = painter(sys.stdout)
        lines = [f"{paint('problem', clean(x.problem))} ({clean(x.remedy)})" for x in findings] or [
            "the store is sound"
        ]
        emit("\n".join(lines))
    if findings:
        ctx.exit(1)
