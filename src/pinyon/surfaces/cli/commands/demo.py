"""demo: index Pinyon's own documentation, ask four questions, and explain the answers."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

import pinyon
from pinyon import settings
from pinyon.engine import Engine, open_engine
from pinyon.inference.contract import ModelError
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.cli.hits import answer_lines
from pinyon.surfaces.cli.models import records_line
from pinyon.surfaces.cli.options import examples
from pinyon.surfaces.cli.output import Paint, clean, emit, note, painter, width
from pinyon.surfaces.cli.progress import pace_bar

QUESTIONS = (
    "how do I search only one folder",
    "what happens to a record that I forget",
    "can two programs write at the same time",
)
MEANT = "what if my laptop dies"
"""Shares no word with the page that answers it, which speaks of a crash, a process and the disk."""

HITS = 3

PLACES = (Path("docs"), Path("../../docs"))
"""Where the documentation lies, from the package: inside it, or beside src in the repository."""


@click.command(epilog=examples("pinyon demo"))
@click.option("--store", metavar="FILE", help="Keep the store here, instead of nowhere.")
def command(store: str | None) -> None:
    """See it work, on Pinyon's own documentation.

    Indexes it into a temporary store, asks four questions and explains the answers. The last one
    shares no word with its answer: it is found by meaning. Nothing of yours is touched.
    """
    paint = painter(sys.stdout)
    docs = _documentation()
    with _place(store) as place, open_engine(place, background=False) as engine:
        emit("Pinyon reads its own documentation.\n")
        _type(paint, "index", "docs")
        report = engine.index(docs)
        emit(f"{report.added + report.changed:,} files, {report.records:,} records\n")
        embedded = _embed(engine, paint)
        for question in QUESTIONS:
            _ask(engine, question, paint)
        if embedded:
            emit("This one shares no word with its answer.\n")
            _ask(engine, MEANT, paint)
    emit("Now with what is yours:\n")
    _type(paint, "index", "~/notes")
    _type(paint, "search", "what did we decide")
    emit("\nOr on a page, and for your agent:\n")
    _type(paint, "serve", "--open")
    emit(f"{paint('quiet', '$')} {paint('command', 'claude mcp add pinyon -- pinyon mcp')}")


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


def _embed(engine: Engine, paint: Paint) -> bool:
    """Whether there is something to find by meaning now."""
    if settings.default_model() == "none":
        return False
    _type(paint, "embed")
    try:
        with pace_bar("passages") as advance:
            engine.embed(progress=advance)
    except ModelError as problem:
        note(f"not embedded: {problem}")
        return False
    models = [each for each in engine.models() if each.vectors]
    emit("\n".join(records_line(each) for each in models) + "\n")
    return bool(models)


def _ask(engine: Engine, question: str, paint: Paint) -> None:
    _type(paint, "search", question, "--limit", str(HITS), "--explain")
    answer = engine.search(question, limit=HITS)
    lines = [*answer_lines(answer, paint, width(), explain=True)]
    emit("\n".join(lines if answer.hits else ["nothing found", *lines]) + "\n")


def _type(paint: Paint, *words: str) -> None:
    """The command as a user types it."""
    typed = " ".join(f'"{word}"' if " " in word else word for word in words)
    emit(f"{paint('quiet', '$')} {paint('command', clean(f'pinyon {typed}'))}")
