"""Measuring: a labelled collection in a temporary store, for what measures and what tunes."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pinyon import settings
from pinyon.engine import Engine, open_engine
from pinyon.evaluate.collection import Collection, Question, read_collection, write_corpus
from pinyon.evaluate.run import DEPTH
from pinyon.model.hit import Answer
from pinyon.surfaces.cli.output import note
from pinyon.surfaces.cli.progress import bar, pace_bar


def given_collection(
    folder: str, *, queries: str | None, qrels: str | None, scope_by: str
) -> Collection:
    return read_collection(
        Path(folder),
        queries=Path(queries) if queries else None,
        qrels=Path(qrels) if qrels else None,
        scope_by=scope_by,
    )


@contextmanager
def filled(
    collection: Collection, profiles: Sequence[str], store: str | None, keep: Path | None
) -> Iterator[Engine]:
    """An engine over a temporary store with the collection in it, at the collection's own present,
    so that every run gives the same numbers. The store is kept only when all went well."""
    with tempfile.TemporaryDirectory(prefix="pinyon-eval-") as name:
        folder = Path(name)
        _bring_profiles(store, folder / "profiles")
        with (folder / "corpus.jsonl").open("w+b") as lines:
            corpus = write_corpus(collection, lines)
            for remark in (*collection.remarks, *corpus.remarks):
                note(f"{collection.name}: {remark}")
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


def ask(engine: Engine, asked: Question, profile: str) -> Answer:
    """One question, inside its scope, for all that is measured; it leaves nothing behind."""
    return engine.search(
        asked.text, profile=profile, scope=asked.scope, limit=DEPTH, mode="scan", track=False
    )
