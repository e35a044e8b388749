"""Every test that asks for `engine` runs over each store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pinyon.engine import Engine
from tests.engine.opened import PLACES, Clock, opened


@pytest.fixture
def clock() -> Clock:
    """The clock of the engine: each moment it gives is a minute after the one before."""
    return Clock()


@pytest.fixture(params=PLACES)
def engine(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Engine]:
    """An engine over an empty store."""
    with opened(request.param, tmp_path, clock) as engine:
        yield engine
