"""Every search here is asked of an engine over each store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pinyon.engine import Engine
from tests.engine.opened import PLACES, opened


@pytest.fixture(params=PLACES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An engine over an empty store."""
    with opened(request.param, tmp_path) as engine:
        yield engine
