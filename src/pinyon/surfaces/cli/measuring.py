"""Measuring: a labelled collection in a temporary store, for what measures and what tunes."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from pinyon import settings
from pinyon.engine import Engine, open_engine
from pinyon.evaluate.collection import Collection, Question, read_collection
from pinyon.evaluate.corpus import Parts, write_corpus
from pinyon.evaluate.feedback import Judged, judged
from pinyon.evaluate.run import DEPTH
from pinyon.model.errors import UnknownRecord
from pinyon.model.hit import Answer
from pinyon.surfaces.cli.output import note
from pinyon.surfaces.cli.progress import bar, pace_bar

F = TypeVar("F", bound=Callable[..., Any])

FOLDER = "corpus"
"""The folder in which the files of a collection are said to lie."""


def collection_options(command: F) -> F:
    """Which questions of a collection are asked, and how it becomes a store."""
    options = (
        click.option(
            "--queries", metavar="FILE", help="Ask these, instead of the folder's queries.jsonl."
        ),
        click.option(
            "--qrels", metavar="FILE", help="Judge by these, instead of the folder's qrels.tsv."
        ),
        click.option(
            "--scope-by",
            default="",
            metavar="KEY",
            help="Ask each query among the documents that share its metadata.KEY.",
        ),
        click.option(
            "--whole-files",
            is_flag=True,
            help="One record for a document that is a file, instead of one for each of its parts.",
        ),
        click.option(
            "--limit",
            type=click.IntRange(1),
            metavar="N",
            help="Ask only the first N judged queries.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def given_collection(
    folder: str, *, queries: str | None, qrels: str | None, scope_by: str, whole_files: bool = False
) -> Collection:
    return read_collection(
        Path(folder),
        queries=Path(queries) if queries else None,
        qrels=Path(qrels) if qrels else None,
        scope_by=scope_by,
        whole_files=whole_files,
    )


@contextmanager
def filled(
    collection: Collection,
    profiles: Sequence[str],
    store: str | None,
    keep: Path | None,
    remark: Callable[[str], None] = lambda text: None,
) -> Iterator[Engine]:
    """An engine over a temporary store with the collection in it, at the collection's own present,
    so that every run gives the same numbers. The store is kept only when all went well. What is
    noted of the collection is told to `remark` too."""
    with tempfile.TemporaryDirectory(prefix="pinyon-eval-") as name:
        folder = Path(name)
        _bring_profiles(store, folder / "profiles")
        with (folder / "corpus.jsonl").open("w+b") as lines:
            corpus = write_corpus(collection, lines, divided)
            for text in (*collection.remarks, *corpus.remarks):
                note(f"{collection.name}: {text}")
                remark(text)
            lines.seek(0)
            path = folder / "eval.pinyon"
            with open_engine(path, clock=lambda: corpus.now, background=False) as engine:
                # An unknown one is said before the long work.
                asked = [engine.profile(profile).retrieve.channels for profile in profiles]
                with bar(f"{collection.name}: documents") as advance:
                    engine.import_jsonl(
                        lines,
                        name=str(collection.corpus),
                        progress=lambda done, total: advance(done, total, ""),
                    )
                if any("vector" in channels for channels in asked):
                    _embed(collection, engine)
                yield engine
        if keep:
            shutil.move(path, keep)


def _embed(collection: Collection, engine: Engine) -> None:
    """By the model of new stores. What cannot be embedded is measured by its words."""
    from pinyon.inference.contract import ModelError

    try:
        with pace_bar(f"{collection.name}: passages") as advance:
            done = engine.embed(progress=advance)
    except ModelError as problem:
        note(f"{collection.name}: not embedded: {problem}; words alone are measured")
        return
    if done.waiting:
        note(f"{collection.name}: {done.waiting:,} passages were not embedded: {done.reason}")


def _bring_profiles(store: str | None, to: Path) -> None:
    """Profiles beside the user's store lie beside the temporary one too."""
    beside = next(iter(settings.profile_folders(settings.store_path(store))))
    if beside.is_dir():
        to.mkdir()
        for path in beside.glob("*.toml"):
            shutil.copy2(path, to)


def ask(
    engine: Engine, asked: Question, profile: str, override: Mapping[str, Any] | None = None
) -> Answer:
    """One question, inside its scope, for all that is measured; it leaves nothing behind. Where
    documents are files, the best part of each stands for it, by the id of the document."""
    answer = engine.search(
        asked.text,
        profile=profile,
        scope=asked.scope,
        limit=DEPTH,
        mode="scan",
        group="file" if asked.by_file else "",
        track=False,
        override=override,
    )
    if not asked.by_file:
        return answer
    documents = (hit.source.removeprefix(f"{FOLDER}/") or hit.id for hit in answer)
    hits = (replace(hit, id=id) for hit, id in zip(answer, documents, strict=True))
    return replace(answer, hits=tuple(hits))


def judged_questions(engine: Engine) -> Judged:
    """What the user's own feedback says was right, of the records that are still there."""
    given = engine.verdicts()
    ids = dict.fromkeys(each.id for each in given)
    try:
        engine.get(*ids)
    except UnknownRecord as gone:
        ids = dict.fromkeys(id for id in ids if id not in gone.ids)
    return judged(given, ids)


def divided(path: str, text: str, modified_at: datetime) -> Parts | None:
    """A file as indexing would read it."""
    from pinyon.index.parse import parse, reader
    from pinyon.index.parse.origin import Origin
    from pinyon.index.source.read import decode
    from pinyon.model.check import recheck

    chosen = reader(path)
    if chosen is None or chosen.binary:
        return None
    try:
        parsed = parse(decode(text.encode()) or "", Origin(FOLDER, path, modified_at))
        return Parts([recheck(record) for record in parsed.records], parsed.edges)
    except Exception:  # one file that a parser stumbles over must not stop the others
        return None
