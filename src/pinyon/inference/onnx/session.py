"""Session: a graph and its tokenizer, loaded on first use, and the batches that go through them."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinyon.inference.contract import BrokenModel
from pinyon.model import patience

if TYPE_CHECKING:
    import numpy as np
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Encoding, Tokenizer

    Array = np.ndarray[Any, Any]
    Feed = dict[str, Array]

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
class Output:
    """What is read of a graph: `choose` gets the number of dimensions of each of its outputs and
    names one, "" for none of them; `otherwise` says what such a graph lacks."""

    choose: Callable[[dict[str, int]], str]
    otherwise: str


class Loaded:
    """The model of some files, for any number of threads. `find` is asked for the files on first
    use; texts are cut after so many `tokens`. Raises BrokenModel when it cannot be loaded."""

    def __init__(
        self,
        name: str,
        find: Callable[[], Files],
        output: Output,
        *,
        tokens: int,
        threads: int | None = None,
    ) -> None:
        self._name = name
        self._find = find
        self._wanted = output
        self._tokens = tokens
        self._threads = threads
        self._lock = threading.RLock()
        self._files: Files | None = None
        self._tokenizer: Tokenizer | None = None
        self._session: InferenceSession | None = None
        self._output = ""

    def run(self, encodings: "Sequence[Encoding]") -> "tuple[Array, Feed]":
        """What the graph says of one batch, and what it was given. Raises OutOfTime where the one
        who asks waits no longer."""
        patience.check()
        session = self.session()
        feed = padded(encodings, _pad(self.tokenizer()))
        wanted = {entry.name: feed[entry.name] for entry in session.get_inputs()}
        try:
            found: Array = session.run([self._output], wanted)[0]
        except Exception as problem:  # onnxruntime's errors have no common class but this
            raise self.broken(f"its graph fails: {problem}") from problem
        return found, feed

    def tokenizer(self) -> "Tokenizer":
        with self._lock:
            if self._tokenizer is None:
                from tokenizers import Tokenizer

                path = self._found().tokenizer
                try:
                    tokenizer = Tokenizer.from_file(str(path))
                except Exception as problem:  # tokenizers raises bare Exception
                    raise self.broken(f"{path} is not a tokenizer: {problem}") from problem
                tokenizer.no_padding()
                tokenizer.enable_truncation(self._tokens)
                self._tokenizer = tokenizer
            return self._tokenizer

    def session(self) -> "InferenceSession":
        with self._lock:
            if self._session is None:
                path = self._found().graph
                try:
                    session = open_session(path, self._threads)
                except Exception as problem:  # onnxruntime's errors have no common class but this
                    raise self.broken(f"{path} cannot be loaded: {problem}") from problem
                strange = {entry.name for entry in session.get_inputs()} - INPUTS
                if strange:
                    raise self.broken(
                        f"{path} is not an encoder of text: it wants {sorted(strange)}"
                    )
                ranks = {entry.name: len(entry.shape) for entry in session.get_outputs()}
                self._output = self._wanted.choose(ranks)
                if not self._output:
                    raise self.broken(f"{path} {self._wanted.otherwise}")
                self._session = session
            return self._session

    def broken(self, problem: str) -> BrokenModel:
        line = " ".join(problem.split())[:300]
        return BrokenModel(f"the model {self._name}: {line}", remedy=self._found().remedy)

    def close(self) -> None:
        with self._lock:
            self._files = self._tokenizer = self._session = None

    def _found(self) -> Files:
        if self._files is None:
            self._files = self._find()
        return self._files


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
    types = np.zeros(size, np.int64)
    for row, encoding in enumerate(encodings):
        ids[row, : len(encoding)] = encoding.ids
        mask[row, : len(encoding)] = 1
        types[row, : len(encoding)] = encoding.type_ids
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


def _pad(tokenizer: "Tokenizer") -> int:
    found = (tokenizer.token_to_id(name) for name in PADDINGS)
    return next((id for id in found if id is not None), 0)
