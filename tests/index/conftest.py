"""What tests of embedding ask for: each store, with a model that is to be used."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pinyon.index.embed import register
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from pinyon.store.sqlite import SqliteStore
from tests.index.embedding import Fake
from tests.store.world import NOW

STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda folder: MemoryStore(),
    "sqlite": lambda folder: SqliteStore(folder / "embed.pinyon"),
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store in which passages wait for the model of `Fake`."""
    opened = STORES[request.param](tmp_path)
    register(opened, Fake(), "fake", now=NOW)
    yield opened
    opened.close()
