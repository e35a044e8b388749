"""Embedding: models that are no models, and short ways to run them over a store, for its tests."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING

from pinyon.index.embed import Embedded, Pace, embed_waiting
from pinyon.inference.contract import BrokenModel
from pinyon.store.contract import Store, Task
from pinyon.store.questions import Progress, VectorsOf
from tests.store.world import NOW, record, save, surveyed

if TYPE_CHECKING:
    from pinyon.inference.contract import Vectors

DIMS = 16


def vector_of(text: str) -> "Vectors":
    """Each word adds its own direction."""
    import numpy as np

    total = np.zeros(DIMS)
    for word in text.split():
        total += np.frombuffer(blake2b(word.encode(), digest_size=DIMS).digest(), np.uint8) - 127.5
    made: Vectors = (total / np.linalg.norm(total)).astype(np.float32)
    return made


def nothing_wrong(texts: Sequence[str]) -> None:
    """The model takes everything."""


@dataclass
class Fake:
    """An Embedder that keeps what it was given; `trouble` may raise instead."""

    trouble: Callable[[Sequence[str]], None] = nothing_wrong
    dims: int = DIMS
    name: str = "fake@1"
    tokens: int = 512
    given: list[list[str]] = field(default_factory=list)

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        import numpy as np

        self.given.append(list(texts))
        self.trouble(texts)
        return np.stack([vector_of(text) for text in texts])

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        return self.embed_passages(texts)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def close(self) -> None:
        self.given.clear()


def fails_with(error: BaseException) -> Callable[[Sequence[str]], None]:
    def trouble(texts: Sequence[str]) -> None:
        raise error

    return trouble


def fails_for(word: str) -> Callable[[Sequence[str]], None]:
    def trouble(texts: Sequence[str]) -> None:
        if any(word in text for text in texts):
            raise BrokenModel(f"cannot read {word}", remedy="none")

    return trouble


@dataclass
class Ticking:
    """A timer that goes on as texts are embedded, so long for each."""

    each_s: float
    load_s: float = 0.0
    now_s: float = 1000.0

    def __call__(self) -> float:
        return self.now_s

    def tick(self, texts: Sequence[str]) -> None:
        self.now_s += self.load_s + self.each_s * len(texts)
        self.load_s = 0.0


def run(
    store: Store,
    embedder: Fake,
    *,
    now: datetime = NOW,
    seconds: float | None = None,
    timer: Callable[[], float] = lambda: 0.0,
    stop: threading.Event | None = None,
    progress: Callable[[Pace], None] = lambda pace: None,
) -> Embedded:
    return embed_waiting(
        store,
        embedder,
        clock=lambda: now,
        owner="test",
        seconds=seconds,
        stop=stop,
        progress=progress,
        timer=timer,
    )


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def fill(store: Store, count: int) -> list[str]:
    """Records with one short passage each; their ids, sorted."""
    ids = [f"r{at:04}" for at in range(count)]
    save(store, *(record(id, body=f"amber {id}") for id in ids))
    return ids


def vectors(store: Store, *ids: str) -> dict[str, list[bytes]]:
    kept: dict[str, list[bytes]] = surveyed(store, VectorsOf(ids, "fake@1"))
    return kept


def states(store: Store) -> dict[str, dict[str, int]]:
    counted: dict[str, dict[str, int]] = surveyed(store, Progress("fake@1"))
    return counted


def leasable(store: Store, now: datetime = NOW) -> list[Task]:
    return store.lease("fake@1", "somebody else", now=now, until=now, limit=1000)
