"""Pinyon itself, with its default profile and the vectors of its own passages."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bench.meaning import MODEL
from bench.peers.case import IMPORT
from pinyon.engine import Engine, open_engine
from pinyon.index.embed import embed_waiting, register
from pinyon.meaning import Searcher
from pinyon.model.record import Record
from pinyon.store.sqlite import SqliteStore
from pinyon.surfaces.cli.measuring import FOLDER
from pinyon.text.passages import digest

if TYPE_CHECKING:
    from bench.peers.case import Array, Case, Vectors
    from pinyon.inference.contract import Vectors as Rows
    from pinyon.store.contract import View


class Pinyon:
    """As it is used: it embeds each question itself."""

    def __init__(self, folder: Path, case: "Case") -> None:
        self._path = folder / "peers.pinyon"
        self._case = case

    def build(self, records: Sequence[Record], vectors: "Vectors") -> None:
        """An import, then the queue of passages, with vectors that are there already."""
        with (
            (self._case.folder / IMPORT).open("rb") as lines,
            open_engine(self._path, background=False, clock=self._clock) as engine,
        ):
            engine.import_jsonl(lines)
        store = SqliteStore(self._path, create=False)
        given = Given(self._case, vectors)
        register(store, given, MODEL, now=self._case.now)
        done = embed_waiting(store, given, clock=self._clock, owner="bench")
        store.close()
        if done.waiting:
            raise RuntimeError(f"{done.waiting:,} passages have no vector: {done.reason}")

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        """Of files the best part stands for the file, as a search from the shell shows it."""
        by_file = self._case.about.by_file
        answer = self._engine.search(
            text,
            scope=scope,
            limit=k,
            mode="scan",
            group="file" if by_file else "",
            track=False,
        )
        if answer.meta["warnings"]:
            raise RuntimeError(f"not a whole search: {answer.meta['warnings']}")
        if not by_file:
            return [hit.id for hit in answer]
        return [hit.source.removeprefix(f"{FOLDER}/") or hit.id for hit in answer]

    @cached_property
    def _engine(self) -> Engine:
        return open_engine(self._path, create=False, background=False, clock=self._clock)

    def _clock(self) -> datetime:
        return self._case.now


class GivenPinyon(Pinyon):
    """As the others are: each question comes with its vector, and no model is loaded. One that was
    corrected keeps the vector of what was typed."""

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        self._given.question = vector
        return super().ask(text, vector, scope, k)

    @cached_property
    def _given(self) -> "Given":
        return Given(self._case, self._case.vectors)

    @cached_property
    def _engine(self) -> Engine:
        store = SqliteStore(self._path, create=False)
        return _Told(store, self._given, self._clock)


class Given:
    """An Embedder that knows the vectors of a case, and that of the question being asked."""

    def __init__(self, case: "Case", vectors: "Vectors") -> None:
        self.name = case.about.model
        self.dims = case.about.dims
        self.tokens = 512
        self.question: Array | None = None
        self._vectors = vectors

    def embed_queries(self, texts: Sequence[str]) -> "Rows":
        import numpy as np

        if self.question is None:
            raise RuntimeError("no question is being asked")
        return np.stack([self.question for _ in texts])

    def embed_passages(self, texts: Sequence[str]) -> "Rows":
        import numpy as np

        return np.stack([self._vectors.passages[digest(text)] for text in texts])

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def close(self) -> None:
        """Nothing is held."""


class _Told(Engine):
    """An engine that is told what embeds its questions."""

    def __init__(self, store: SqliteStore, given: Given, clock: Callable[[], datetime]) -> None:
        super().__init__(store, clock=clock)
        self._told = given

    def _searcher(self, view: "View") -> Searcher:
        return Searcher(self._told.name, self._told)
