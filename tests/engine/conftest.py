"""Every test that asks for `engine` runs over each store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import pinyon
from pinyon.engine import Engine
from tests.engine.opened import PLACES, Clock, opened
from tests.engine.tiers import filled
from tests.store.world import NOW


@pytest.fixture
def clock() -> Clock:
    """The clock of the engine: each moment it gives is a minute after the one before."""
    return Clock()


@pytest.fixture(params=PLACES)
def engine(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Engine]:
    """An engine over an empty store."""
    with opened(request.param, tmp_path, clock) as engine:
        yield engine


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """A store that can be a tier."""
    return filled(tmp_path / "team.pinyon", theirs="amber river", plan="amber of the team")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Engine]:
    """An engine over a store with two records, one of which the team has too."""
    path = filled(tmp_path / "own.pinyon", mine="amber", plan="amber of my own")
    with pinyon.open(path, create=False, background=False, clock=lambda: NOW) as engine:
        yield engine
