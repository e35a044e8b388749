"""backup: copy the store while it is in use."""

from pathlib import Path

import click

from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json
from pinyon.surfaces.cli.progress import bar


@click.command(
    epilog=examples(
        "pinyon backup ~/backups/notes-2024-05-01.pinyon",
        "pinyon search retries --store ~/backups/notes-2024-05-01.pinyon",
    )
)
@click.argument("file")
@click.option("--replace", is_flag=True, help="Write over a file that is there already.")
@store_option
@json_option
def command(file: str, replace: bool, store: str | None, as_json: bool) -> None:
    """Copy the store while it is in use.

    FILE becomes a store as this one is at this moment, with everything: records, history, links,
    vectors, feedback. Others may read and write meanwhile. FILE appears when it is whole, never
    half. To go back to it, name it with --store, or put it in the store's place when nothing uses
    that.
    """
    with reading(store) as engine, bar(file) as advance:
        engine.backup(
            file, replace=replace, progress=lambda done, total: advance(done, total, "pages")
        )
    size = Path(file).expanduser().stat().st_size
    if as_json:
        emit_json({"file": str(Path(file).expanduser().absolute()), "bytes": size})
    else:
        emit(clean(f"{size:,} bytes written to {file}"))
