"""demo: index Pinyon's own documentation, ask three questions, and explain the answers."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

import pinyon
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.cli.hits import answer_lines
from pinyon.surfaces.cli.options import examples, writing
from pinyon.surfaces.cli.output import Paint, clean, emit, painter, width

QUESTIONS = (
    "how do I search only one folder",
    "what happens to a record that I forget",
    "can two programs write at the same time",
)
HITS = 3

PLACES = (Path("docs"), Path("../../docs"))
"""Where the documentation lies, from the package: inside it, or beside src in the repository."""


@click.command(epilog=examples("pinyon demo"))
@click.option("--store", metavar="FILE", help="Keep the store here, instead of nowhere.")
def command(store: str | None) -> None:
    """See it work, on Pinyon's own documentation.

    Indexes it into a temporary store, asks three questions and explains the answers. It touches
    nothing of yours.
    """
    paint = painter(sys.stdout)
    docs = _documentation()
    with _place(store) as place, writing(place) as engine:
        emit("Pinyon reads its own documentation.\n")
        _type(paint, "index", "docs")
        report = engine.index(docs)
        emit(f"{report.added + report.changed:,} files, {report.records:,} records\n")
        for question in QUESTIONS:
            _type(paint, "search", question, "--limit", str(HITS), "--explain")
            answer = engine.search(question, limit=HITS)
            lines = [*answer_lines(answer, paint, width(), explain=True)]
            emit("\n".join(lines if answer.hits else ["nothing found", *lines]) + "\n")
    emit("Now with what is yours:\n")
    _type(paint, "index", "~/notes")
    _type(paint, "search", "what did we decide")


def _documentation() -> Path:
    package = Path(pinyon.__file__).parent
    for place in PLACES:
        if (package / place).is_dir():
            return (package / place).resolve()
    raise InvalidInput("Pinyon's documentation is not here", remedy="install it again")


@contextmanager
def _place(store: str | None) -> Iterator[str]:
    if store:
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="pinyon-demo-") as folder:
        yield str(Path(folder) / "demo.pinyon")


def _type(paint: Paint, *words: str) -> None:
    """The command as a user types it."""
    typed = " ".join(f'"{word}"' if " " in word else word for word in words)
    emit(f"{paint('quiet', '$')} {paint('command', clean(f'pinyon {typed}'))}")
