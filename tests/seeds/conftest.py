"""Each seed is asked as a user asks it: over a file, by an engine and from a shell."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pinyon.engine import Engine
from pinyon.store.contract import Store
from pinyon.store.sqlite import SqliteStore
from tests.engine.opened import opened
from tests.surfaces.cli.shell import Shell


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """An engine over an empty file, on a day that does not pass."""
    with opened("sqlite", tmp_path) as engine:
        yield engine


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty file, to be filled with vectors too."""
    store = SqliteStore(tmp_path / "vectors.pinyon")
    yield store
    store.close()


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("PINYON_PROFILES", str(tmp_path / "no-profiles"))
    return Shell(tmp_path / "shell.pinyon")
