"""HTTP: vectors from a server that speaks OpenAI's protocol (OpenAI, Voyage, Ollama, vLLM, ...).

A request is POST URL/embeddings with `model` and `input` (a list of texts); the answer is
`{"data": [{"index": 0, "embedding": [...]}, ...]}`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pinyon.inference.check import readable, unit_rows
from pinyon.inference.models import Provider, known
from pinyon.inference.server import BYTES_PER_TOKEN, Clock, Patience, Server, cut

if TYPE_CHECKING:
    from pinyon.inference.contract import Vectors

# Somebody waits for a query, and words alone answer it too; nobody waits for passages.
QUERY = Patience(timeout_s=5.0, attempts=2, longest_pause_s=1.0)
PASSAGES = Patience(timeout_s=60.0, attempts=5, longest_pause_s=30.0)
HURRIED = Patience(timeout_s=2.0, attempts=1, longest_pause_s=0.0)
"""For passages while somebody waits after all: what is not done is done later."""


class HttpEmbedder:
    """An Embedder that asks a server."""

    def __init__(
        self,
        provider: Provider,
        key: str | None = None,
        *,
        query: Patience = QUERY,
        passages: Patience = PASSAGES,
        clock: Clock | None = None,
    ) -> None:
        size = f"@{provider.dims}" if provider.dims_field else ""
        where = "" if provider.url == known().providers[provider.name].url else f" {provider.url}"
        self.name = f"{provider.name}:{provider.model}{size}{where}"
        self.tokens = provider.tokens
        self._provider = provider
        self._query, self._passages = query, passages
        self._server = Server(
            provider.name, provider.url, variable=provider.key, key=key, clock=clock
        )
        self._dims = provider.dims

    @property
    def dims(self) -> int:
        if not self._dims:
            rows = self._rows(["dimensions"], {}, self._query)
            first = rows[0] if isinstance(rows[0], list) else []
            self._dims = self._checked(rows, 1, len(first)).shape[1]
        return self._dims

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, self._provider.query, self._query)

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, self._provider.passage, self._passages)

    def count_tokens(self, text: str) -> int:
        return max(1, math.ceil(len(readable(text).encode()) / BYTES_PER_TOKEN))

    def close(self) -> None:
        self._server.close()

    def _embed(
        self, texts: Sequence[str], extra: Mapping[str, Any], patience: Patience
    ) -> "Vectors":
        import numpy as np

        dims = self.dims
        parts = [np.zeros((0, dims), np.float32)]
        for batch in self._batches(texts):
            parts.append(self._checked(self._rows(batch, extra, patience), len(batch), dims))
        return np.concatenate(parts)

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """In order, at most as many texts and tokens as the provider takes at once."""
        batch: list[str] = []
        size = 0
        for text in texts:
            part = cut(text, self.tokens)
            cost = self.count_tokens(part)
            if batch and (len(batch) == self._provider.inputs or size + cost > self._provider.size):
                yield batch
                batch, size = [], 0
            batch.append(part or " ")  # an empty text is refused by the protocol
            size += cost
        if batch:
            yield batch

    def _rows(self, batch: list[str], extra: Mapping[str, Any], patience: Patience) -> list[Any]:
        """The vectors of one request as they came, in the order of the texts."""
        body: dict[str, Any] = {"model": self._provider.model, "input": batch, **extra}
        if self._provider.dims_field:
            body[self._provider.dims_field] = self._provider.dims
        answer = self._server.answer("embeddings", body, patience)
        try:
            data = answer["data"]
            rows = {item.get("index", at): item["embedding"] for at, item in enumerate(data)}
            return [rows[at] for at in range(max(len(batch), len(data)))]
        except (LookupError, TypeError, AttributeError):
            raise self._server.error(
                "answered with something else than a vector for each text",
                f"check that {self._provider.url} is the address of an embedding server",
            ) from None

    def _checked(self, rows: list[Any], count: int, dims: int) -> "Vectors":
        try:
            return unit_rows(rows, count, dims)
        except ValueError as problem:
            raise self._server.error(
                f"sent vectors that cannot be used: {problem}",
                "check the model and the number of dimensions in the settings",
            ) from None
