"""import: read records from a file of JSON Lines."""

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

import click

from pinyon.model.errors import InvalidInput
from pinyon.surfaces.cli.options import examples, json_option, store_option, writing
from pinyon.surfaces.cli.output import emit, emit_json
from pinyon.surfaces.cli.progress import bar

COUNTS = ("records", "versions", "edges", "unchanged")


@click.command(
    "import",
    epilog=examples(
        "pinyon import notes.jsonl",
        "pinyon export --store old.pinyon | pinyon import - --store new.pinyon",
    ),
)
@click.argument("file")
@click.option("--replace", is_flag=True, help="Write over records that have other content.")
@store_option
@json_option
def command(file: str, replace: bool, store: str | None, as_json: bool) -> None:
    """Read records from a file of JSON Lines.

    One object a line: "type" is record (also when missing), version or edge, as export writes them.
    FILE can be - for standard input. Every line is checked before any is written. The store is made
    where there is none.
    """
    name = "standard input" if file == "-" else file
    with _lines(file) as lines, writing(store) as engine:
        with bar(name) as advance:
            done = engine.import_jsonl(
                lines,
                name=name,
                replace=replace,
                progress=lambda count, total: advance(count, total, ""),
            )
        counts = {part: getattr(done, part) for part in COUNTS}
        if as_json:
            emit_json(counts)
        else:
            emit(", ".join(f"{count:,} {part}" for part, count in counts.items()))


def _lines(file: str) -> AbstractContextManager[BinaryIO]:
    """Opened before the store, so that a wrong name makes none."""
    if file != "-":
        return Path(file).open("rb")
    if sys.stdin.isatty():
        raise InvalidInput("nothing comes in by standard input", remedy="pipe a file into it")
    return nullcontext(sys.stdin.buffer)
