"""Every test in this folder runs once for each store: they all keep one contract."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore


def _memory(folder: Path) -> Store:
    return MemoryStore()


def _sqlite(folder: Path) -> Store:
    from pinyon.store.sqlite import SqliteStore

    return SqliteStore(folder / "contract.pinyon")


STORES: dict[str, Callable[[Path], Store]] = {"memory": _memory, "sqlite": _sqlite}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    opened = STORES[request.param](tmp_path)
    yield opened
    opened.close()
