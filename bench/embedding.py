"""Embedding: passages in bulk against a bare onnxruntime on the same batches of similar length."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING

import pinyon
from bench import corpus
from bench.clock import cpu_ms
from bench.figure import Figure
from bench.meaning import MODEL, NOW, granite, granite_files
from bench.world import World
from pinyon.engine import Engine
from pinyon.inference.onnx.session import batches, open_session
from pinyon.meaning import Choice, open_choice
from pinyon.model.record import Record
from pinyon.store.contract import Batch
from pinyon.store.sqlite import SqliteStore
from pinyon.text.passages import passages

if TYPE_CHECKING:
    from bench.exact import Array

AT_LEAST = 0.9
"""Of the rate of bare onnxruntime."""

TEXTS, PART = 1_000, 250
"""So many records in all; a part goes to one rival right after the other."""


class Bare:
    """Tokenizer and session, with the options that ours has, and the shortest way through them."""

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        files = granite_files()
        self._session = open_session(files.graph, None)
        self._inputs = [entry.name for entry in self._session.get_inputs()]
        self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(granite().tokens)
        self._pad = self._tokenizer.token_to_id("<pad>") or 0

    def embed(self, texts: Sequence[str]) -> "Array":
        """In batches, so not in the order of the texts; of any length."""
        import numpy as np

        read = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        made = []
        for batch in batches([len(ids) for ids in read]):
            longest = max(len(read[at]) for at in batch)
            ids = np.array([read[at] + [self._pad] * (longest - len(read[at])) for at in batch])
            mask = np.array([[1] * len(read[at]) + [0] * (longest - len(read[at])) for at in batch])
            given = {"input_ids": ids, "attention_mask": mask}
            made.append(self._session.run(None, {name: given[name] for name in self._inputs})[0])
        return np.concatenate(made)


def embedding(world: World) -> list[Figure]:
    """CPU time, which counts all threads; tokenising is included on all sides."""
    records = corpus.held_back(TEXTS)
    bare, ours = Bare(), granite()
    lengths: list[int] = []
    times: list[list[float]] = []
    with _empty_cache(world.cache) as folder:
        while some := list(islice(records, PART)):
            texts = [passage.text for record in some for passage in passages(record)]
            lengths += map(ours.count_tokens, texts)
            with _waiting(folder / f"{len(lengths)}.pinyon", some) as engine:
                rivals = (
                    partial(bare.embed, texts),
                    partial(ours.embed_passages, texts),
                    partial(_embed, engine, len(texts)),
                )
                times.append([cpu_ms(rival) / len(texts) for rival in rivals])
    size = len(lengths)
    bare_ms, ours_ms, engine_ms = (median(column) for column in zip(*times, strict=True))
    rate = median(taken[0] / taken[1] for taken in times)
    through = median(taken[0] / taken[2] for taken in times)
    return [
        Figure(size, "tokens of a text", fmean(lengths)),
        Figure(size, "bare onnxruntime, a text", bare_ms, "ms"),
        Figure(size, "embed_passages, a text", ours_ms, "ms"),
        Figure(size, "engine.embed, a text", engine_ms, "ms"),
        Figure(size, "rate of embed_passages / bare", rate, "x", least=AT_LEAST),
        Figure(size, "rate of engine.embed / bare", through, "x"),
    ]


def _embed(engine: Engine, count: int) -> None:
    done = engine.embed().done
    if done != count:
        raise RuntimeError(f"{done} of {count} passages were embedded")


@contextmanager
def _waiting(path: Path, records: Sequence[Record]) -> Iterator[Engine]:
    """An engine over new records that wait for the model, which is loaded."""
    store = SqliteStore(path)
    store.commit(Batch(now=NOW, records=records))
    store.close()
    with pinyon.open(path, background=False) as engine:
        engine.use_model(MODEL)
        yield engine


@contextmanager
def _empty_cache(near: Path) -> Iterator[Path]:
    """A cache folder that has the model and remembers no vectors: what is embedded here must not
    be answered from the user's, nor go there."""
    graph = granite_files().graph.parent
    before = os.environ.get("PINYON_CACHE")
    with tempfile.TemporaryDirectory(dir=near, prefix="embedding-") as name:
        shutil.copytree(graph, Path(name, graph.parent.name, graph.name))
        os.environ["PINYON_CACHE"] = name
        try:
            yield Path(name)
        finally:
            open_choice(Choice(MODEL)).close()
            os.environ.pop("PINYON_CACHE")
            if before is not None:
                os.environ["PINYON_CACHE"] = before
