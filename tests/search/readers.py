"""Readers: rerankers so small that a test can read them."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pinyon.inference.contract import NoModel, ProviderError, Reranker

BROKEN: Mapping[str, Callable[[int], list[float]]] = {
    "NaN": lambda count: [math.nan] * count,
    "one NaN": lambda count: [math.nan] + [0.5] * (count - 1),
    "infinity": lambda count: [math.inf] + [0.0] * (count - 1),
    "too far apart": lambda count: [1.7e308] + [-1.7e308] * (count - 1),
    "too few": lambda count: [0.5] * (count - 1),
    "too many": lambda count: [0.5] * (count + 1),
    "none": lambda count: [],
}
"""What no reranker may answer with for so many texts."""


class Time:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Likes:
    """Scores a text by how often a word stands in it, takes so many milliseconds, `new_ms` more
    to prepare, and remembers what it was asked."""

    def __init__(self, word: str, name: str = "likes", *, time: Time | None = None) -> None:
        self.word = word
        self.name = name
        self.time = time
        self.ms = self.new_ms = 0.0
        self.asked: list[tuple[str, list[str]]] = []

    def prepare(self, texts: Sequence[str]) -> None:
        if self.time:
            self.time.now += self.new_ms / 1e3

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((query, list(texts)))
        if self.time:
            self.time.now += self.ms / 1e3
        return [float(text.count(self.word)) for text in texts]

    def close(self) -> None:
        pass


class Answers(Likes):
    """Answers with whatever a function makes of the number of texts."""

    def __init__(self, make: Callable[[int], list[float]]) -> None:
        super().__init__("", "answers")
        self.make = make

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return self.make(len(texts))


class Late(Likes):
    """A server that does not answer in time."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        super().score(query, texts)
        raise ProviderError("no answer in 5 s", remedy="try again later", retryable=True)


class Opening:
    """Opens the rerankers that it is given by name, and counts how often."""

    def __init__(self, **known: Reranker) -> None:
        self.known = known
        self.opened: list[str] = []

    def __call__(self, name: str, cache: Path, key: str | None) -> Reranker:
        self.opened.append(name)
        if name not in self.known:
            raise NoModel(f"no reranker {name!r}", remedy="choose another one")
        return self.known[name]
