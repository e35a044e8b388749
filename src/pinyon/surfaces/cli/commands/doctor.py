"""doctor: check the store, say what is wrong with it, and repair what can be."""

import sys
from dataclasses import asdict
from pathlib import Path

import click

from pinyon import settings
from pinyon.engine import salvage as save_what_can_be_read
from pinyon.model.errors import DamagedStore
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, painter

SALVAGE = "restore a backup, or save what can be read with: pinyon doctor --salvage FILE"


@click.command(
    epilog=examples(
        "pinyon doctor", "pinyon doctor --rebuild", "pinyon doctor --salvage saved.pinyon"
    )
)
@click.option(
    "--rebuild", is_flag=True, help="First make everything anew that is derived from the records."
)
@click.option(
    "--salvage", metavar="FILE", help="Write what can be read of a broken store into a new one."
)
@store_option
@json_option
@click.pass_context
def command(
    ctx: click.Context, rebuild: bool, salvage: str | None, store: str | None, as_json: bool
) -> None:
    """Check the store, and repair it.

    Reads all of it. Exit 0 when it is sound, 1 when something is wrong: each finding says what to
    do. A store whose records are broken themselves stays as it is: --salvage makes a new one.
    """
    if salvage:
        _salvage(store, salvage, as_json)
        return
    findings = _findings(store, rebuild)
    if as_json:
        emit_json(
            {
                "sound": not findings,
                "rebuilt": rebuild,
                "findings": [
                    {"problem": problem, "remedy": remedy} for problem, remedy in findings
                ],
            }
        )
    else:
        paint = painter(sys.stdout)
        lines = [
            f"{paint('problem', clean(problem))} ({clean(remedy)})" for problem, remedy in findings
        ]
        emit("\n".join(lines or ["the store is sound"]))
    if findings:
        ctx.exit(1)


def _findings(store: str | None, rebuild: bool) -> list[tuple[str, str]]:
    """Each problem with its remedy."""
    try:
        with reading(store) as engine:
            if rebuild:
                engine.rebuild()
            return [(finding.problem, finding.remedy) for finding in engine.examine()]
    except DamagedStore as error:  # too broken to be opened, or to be rebuilt
        return [(error.problem, SALVAGE)]


def _salvage(store: str | None, target: str, as_json: bool) -> None:
    saved = save_what_can_be_read(settings.store_path(store), Path(target).expanduser())
    if as_json:
        emit_json(asdict(saved))
        return
    emit(
        clean(
            f"{saved.records:,} records, {saved.versions:,} versions and {saved.edges:,} links"
            f" written to {target}; known to be lost: {saved.lost:,} records;"
            f" {saved.patched:,} have characters that could not be read,"
            f" {saved.nameless:,} lost their id and dates"
        )
    )
