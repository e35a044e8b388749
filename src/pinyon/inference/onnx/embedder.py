"""Embedder: texts through a tokenizer and an ONNX graph, one vector each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pinyon.inference.check import readable, unit_rows
from pinyon.inference.onnx.session import Files, Loaded, Output, batches

if TYPE_CHECKING:
    from tokenizers import Encoding

    from pinyon.inference.contract import Vectors
    from pinyon.inference.onnx.session import Array

WINDOW = 1_024
"""Texts that are tokenised and sorted together: their tokens are all in memory at once."""


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
        self._loaded = Loaded(shape.name, find, VECTORS, tokens=shape.tokens, threads=threads)

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, self._shape.query_prefix)

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, self._shape.passage_prefix)

    def count_tokens(self, text: str) -> int:
        tokenizer = self._loaded.tokenizer()
        read = tokenizer.encode(self._shape.passage_prefix + readable(text))
        added = tokenizer.num_special_tokens_to_add(False)
        return len(read.ids) + sum(len(rest.ids) - added for rest in read.overflowing)

    def close(self) -> None:
        self._loaded.close()

    def width(self) -> int:
        """The length of the graph's vectors, found out by running one text."""
        return int(self._pooled(self._loaded.tokenizer().encode_batch_fast(["width"])).shape[-1])

    def _embed(self, texts: Sequence[str], prefix: str) -> "Vectors":
        import numpy as np

        vectors = np.zeros((len(texts), self.dims), np.float32)
        for start in range(0, len(texts), WINDOW):
            part = [prefix + readable(text) for text in texts[start : start + WINDOW]]
            vectors[start : start + WINDOW] = self._window(part)
        return vectors

    def _window(self, texts: list[str]) -> "Vectors":
        import numpy as np

        encodings = self._loaded.tokenizer().encode_batch_fast(texts)
        rows = np.zeros((len(texts), self.dims), np.float32)
        for batch in batches([len(encoding) for encoding in encodings]):
            found = self._pooled([encodings[at] for at in batch])
            try:
                rows[batch] = unit_rows(found, len(batch), self.dims)
            except ValueError as problem:
                raise self._loaded.broken(str(problem)) from problem
        return rows

    def _pooled(self, encodings: "Sequence[Encoding]") -> "Array":
        found, feed = self._loaded.run(encodings)
        if found.ndim == 3:
            # A graph may compute in half precision, in which a sum over tokens would overflow.
            states = found.astype("f4", copy=False)
            found = POOLING[self._shape.pooling](states, feed["attention_mask"])
        return found


def _vectors(ranks: dict[str, int]) -> str:
    """The output to read: sentence_embedding, else the first with one vector per token."""
    if ranks.get("sentence_embedding") == 2:
        return "sentence_embedding"
    return next((name for name, rank in ranks.items() if rank == 3), "")


VECTORS = Output(_vectors, "gives neither sentence_embedding nor one vector per token")


def _first_token(states: "Array", mask: "Array") -> "Array":
    return states[:, 0]


def _mean_of_tokens(states: "Array", mask: "Array") -> "Array":
    weight = mask[:, :, None].astype(states.dtype)
    mean: Array = (states * weight).sum(axis=1) / weight.sum(axis=1).clip(1)
    return mean


POOLING = {"cls": _first_token, "mean": _mean_of_tokens}
