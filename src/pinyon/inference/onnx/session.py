"""Session: texts through a tokenizer and an ONNX graph, in batches of similar length."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinyon.inference.check import readable, unit_rows
from pinyon.inference.contract import BrokenModel

if TYPE_CHECKING:
    import numpy as np
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Encoding, Tokenizer

    from pinyon.inference.contract import Vectors

    Array = np.ndarray[Any, Any]
    Feed = dict[str, Array]

WINDOW = 1_024
"""Texts that are tokenised and sorted together: their tokens are all in memory at once."""

BATCH_TOKENS = 2_048
"""Padded tokens of one run: more of them cost memory and, past the cores' caches, time."""

INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
PADDINGS = ("<pad>", "[PAD]", "<|padding|>")


@dataclass(frozen=True, slots=True)
class Files:
    """Where a graph and its tokenizer lie, and what to do when they cannot be used."""

    graph: Path
    tokenizer: Path
    remedy: str


@dataclass(frozen=True, slots=True)
class Shape:
    """How texts become vectors. `pooling` (cls or mean) is for a graph that gives one vector per
    token; one that gives `sentence_embedding` has pooled already."""

    name: str
    dims: int
    tokens: int
    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: str = "mean"


class OnnxEmbedder:
    """An Embedder on this machine. `find` is asked for the files on first use."""

    def __init__(
        self, shape: Shape, find: Callable[[], Files], *, threads: int | None = None
    ) -> None:
        self.name, self.dims, self.tokens = shape.name, shape.dims, shape.tokens
        self._shape = shape
        self._find = find
        self._threads = threads
        self._lock = threading.RLock()
        self._files: Files | None = None
        self._tokenizer: Tokenizer | None = None
        self._session: InferenceSession | None = None

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, self._shape.query_prefix)

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, self._shape.passage_prefix)

    def count_tokens(self, text: str) -> int:
        tokenizer = self._loaded_tokenizer()
        read = tokenizer.encode(self._shape.passage_prefix + readable(text))
        added = tokenizer.num_special_tokens_to_add(False)
        return len(read.ids) + sum(len(rest.ids) - added for rest in read.overflowing)

    def close(self) -> None:
        with self._lock:
            self._files = self._tokenizer = self._session = None

    def _embed(self, texts: Sequence[str], prefix: str) -> "Vectors":
        import numpy as np

        vectors = np.zeros((len(texts), self.dims), np.float32)
        for start in range(0, len(texts), WINDOW):
            part = [prefix + readable(text) for text in texts[start : start + WINDOW]]
            vectors[start : start + WINDOW] = self._window(part)
        return vectors

    def _window(self, texts: list[str]) -> "Vectors":
        import numpy as np

        tokenizer, session = self._loaded_tokenizer(), self._loaded_session()
        encodings = tokenizer.encode_batch_fast(texts)
        rows = np.zeros((len(texts), self.dims), np.float32)
        for batch in batches([len(encoding) for encoding in encodings]):
            chosen = [encodings[at] for at in batch]
            rows[batch] = self._run(session, padded(chosen, _pad(tokenizer)))
        return rows

    def width(self) -> int:
        """The length of the graph's vectors, found out by running one text."""
        tokenizer, session = self._loaded_tokenizer(), self._loaded_session()
        feed = padded(tokenizer.encode_batch_fast(["width"]), _pad(tokenizer))
        return int(self._pooled(session, feed).shape[-1])

    def _run(self, session: "InferenceSession", feed: "Feed") -> "Vectors":
        try:
            return unit_rows(self._pooled(session, feed), len(feed["input_ids"]), self.dims)
        except ValueError as problem:
            raise self._broken(str(problem)) from problem

    def _pooled(self, session: "InferenceSession", feed: "Feed") -> "Array":
        wanted = {entry.name: feed[entry.name] for entry in session.get_inputs()}
        try:
            found: Array = session.run([pooled_output(session)], wanted)[0]
        except Exception as problem:  # onnxruntime's errors have no common class but this
            raise self._broken(f"its graph fails: {problem}") from problem
        if found.ndim == 3:
            # A graph may compute in half precision, in which a sum over tokens would overflow.
            states = found.astype("f4", copy=False)
            found = POOLING[self._shape.pooling](states, feed["attention_mask"])
        return found

    def _loaded_tokenizer(self) -> "Tokenizer":
        with self._lock:
            if self._tokenizer is None:
                from tokenizers import Tokenizer

                path = self._found().tokenizer
                try:
                    tokenizer = Tokenizer.from_file(str(path))
                except Exception as problem:  # tokenizers raises bare Exception
                    raise self._broken(f"{path} is not a tokenizer: {problem}") from problem
                tokenizer.no_padding()
                tokenizer.enable_truncation(self.tokens)
                self._tokenizer = tokenizer
            return self._tokenizer

    def _loaded_session(self) -> "InferenceSession":
        with self._lock:
            if self._session is None:
                path = self._found().graph
                try:
                    session = open_session(path, self._threads)
                except Exception as problem:  # onnxruntime's errors have no common class but this
                    raise self._broken(f"{path} cannot be loaded: {problem}") from problem
                strange = {entry.name for entry in session.get_inputs()} - INPUTS
                if strange or pooled_output(session) == "":
                    raise self._broken(
                        f"{path} is not an encoder of text: it wants {sorted(strange)}"
                        if strange
                        else f"{path} gives neither sentence_embedding nor one vector per token"
                    )
                self._session = session
            return self._session

    def _found(self) -> Files:
        if self._files is None:
            self._files = self._find()
        return self._files

    def _broken(self, problem: str) -> BrokenModel:
        line = " ".join(problem.split())[:300]
        return BrokenModel(f"the model {self.name}: {line}", remedy=self._found().remedy)


def open_session(path: Path, threads: int | None) -> "InferenceSession":
    """Raises whatever onnxruntime raises."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or cores()
    # Idle threads would burn the cores that the caller's own work needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4  # what fails is raised, and said once
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def cores() -> int:
    """The cores that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def pooled_output(session: "InferenceSession") -> str:
    """The output to read: sentence_embedding, else the first with one vector per token, else ""."""
    ranks = {entry.name: len(entry.shape) for entry in session.get_outputs()}
    if ranks.get("sentence_embedding") == 2:
        return "sentence_embedding"
    return next((name for name, rank in ranks.items() if rank == 3), "")


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions of texts that go through the graph together: of similar length, longest first,
    at most BATCH_TOKENS with the padding, or one text alone."""
    batch: list[int] = []
    longest = 0
    for at in sorted(range(len(lengths)), key=lambda at: -lengths[at]):
        if batch and (len(batch) + 1) * longest > BATCH_TOKENS:
            yield batch
            batch = []
        longest = longest if batch else lengths[at]
        batch.append(at)
    if batch:
        yield batch


def padded(encodings: "Sequence[Encoding]", pad: int) -> "Feed":
    """The inputs of a graph, one row per text, filled up on the right."""
    import numpy as np

    size = (len(encodings), max(len(encoding) for encoding in encodings))
    ids, mask = np.full(size, pad, np.int64), np.zeros(size, np.int64)
    for row, encoding in enumerate(encodings):
        ids[row, : len(encoding)] = encoding.ids
        mask[row, : len(encoding)] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros(size, np.int64)}


def _pad(tokenizer: "Tokenizer") -> int:
    found = (tokenizer.token_to_id(name) for name in PADDINGS)
    return next((id for id in found if id is not None), 0)


def _first_token(states: "Array", mask: "Array") -> "Array":
    return states[:, 0]


def _mean_of_tokens(states: "Array", mask: "Array") -> "Array":
    weight = mask[:, :, None].astype(states.dtype)
    mean: Array = (states * weight).sum(axis=1) / weight.sum(axis=1).clip(1)
    return mean


POOLING = {"cls": _first_token, "mean": _mean_of_tokens}
