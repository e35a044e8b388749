"""export: write everything as JSON Lines."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from pinyon import settings
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.cli.options import examples, reading, store_option
from pinyon.surfaces.cli.output import note


@click.command(
    epilog=examples("pinyon export backup.jsonl", 'pinyon export | grep \'"kind":"task"\'')
)
@click.argument("file", default="-")
@store_option
def command(file: str, store: str | None) -> None:
    """Write everything as JSON Lines.

    Records, also forgotten ones, their versions and their links, one object a line, to FILE or to
    standard output. FILE appears when it is complete, never half.
    """
    with reading(store) as engine:
        if file == "-":
            sys.stdout.writelines(f"{line}\n" for line in engine.export())
            return
        target = Path(file).resolve()
        if target == settings.store_path(store).resolve():
            raise InvalidInput(f"{file} is the store itself", remedy="name another file")
        if not target.parent.is_dir():
            raise InvalidInput(f"there is no folder {target.parent}", remedy="make it first")
        note(f"{_write(target, engine.export()):,} lines written to {file}")


def _write(target: Path, lines: Iterable[str]) -> int:
    """Returns how many they were."""
    if target.exists() and not target.is_file():  # a device or a named pipe: nothing to rename
        with target.open("w", encoding="utf-8", newline="\n") as out:
            return _copy(lines, out.write)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        # Only its owner may read it, as the store that it comes from.
        own = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(own, "w", encoding="utf-8", newline="\n") as out:
            count = _copy(lines, out.write)
            out.flush()
            os.fsync(out.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return count


def _copy(lines: Iterable[str], write: Callable[[str], object]) -> int:
    count = 0
    for line in lines:
        write(f"{line}\n")
        count += 1
    return count
