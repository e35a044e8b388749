"""HTTP: scores from a server that reranks (Voyage, Cohere, and what speaks like one of them).

A request is POST URL/rerank with `model`, `query` and `documents` (a list of texts); the answer
lists `{"index": 0, "relevance_score": 0.9}` for each of them, the best first.
"""

import math
from collections.abc import Sequence
from typing import Any

from pinyon.inference.models import RerankServer, known
from pinyon.inference.server import Clock, Patience, Server, cut

PATIENCE = Patience(timeout_s=2.2, attempts=2, longest_pause_s=0.5)
"""Somebody waits, and there is an order already: five seconds in all."""

BLANK = "-"
"""Stands for a text without a letter, which servers refuse."""


class HttpReranker:
    """A Reranker that asks a server."""

    def __init__(
        self,
        server: RerankServer,
        key: str | None = None,
        *,
        patience: Patience = PATIENCE,
        clock: Clock | None = None,
    ) -> None:
        where = "" if server.url == known().rerankers[server.name].url else f" {server.url}"
        self.name = f"{server.name}:{server.model}{where}"
        self._settings = server
        self._patience = patience
        self._server = Server(server.name, server.url, variable=server.key, key=key, clock=clock)

    def prepare(self, texts: Sequence[str]) -> None:
        """It reads a text only together with a question: nothing of it is kept."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        most = self._settings.inputs
        return [
            score
            for start in range(0, len(texts), most)
            for score in self._asked(query, texts[start : start + most])
        ]

    def close(self) -> None:
        self._server.close()

    def _asked(self, query: str, texts: Sequence[str]) -> list[float]:
        body = {
            "model": self._settings.model,
            "query": self._sent(query),
            "documents": [self._sent(text) for text in texts],
            **self._settings.extra,
        }
        answer = self._server.answer("rerank", body, self._patience)
        try:
            return _scores(answer[self._settings.results], len(texts))
        except (LookupError, TypeError, ValueError, OverflowError):
            raise self._server.error(
                "answered with something else than a score for each text",
                f"check that {self._settings.url} is the address of a server that reranks",
            ) from None

    def _sent(self, text: str) -> str:
        part = cut(text, self._settings.tokens)
        return part if part.strip() else BLANK


def _scores(results: Any, count: int) -> list[float]:
    """In the order of the texts. Raises ValueError and others unless there is one for each."""
    found: dict[int, float] = {}
    for result in results:
        at, score = result["index"], result["relevance_score"]
        if type(at) is not int or type(score) not in {int, float} or not math.isfinite(score):
            raise ValueError("not a score")
        found[at] = float(score)
    if len(results) != count or sorted(found) != list(range(count)):
        raise ValueError("not one score for each text")
    return [found[at] for at in range(count)]
