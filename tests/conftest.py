"""What every test may ask for: the whole collection of this run, and what it says it proves."""

import pytest

from tests.proofs import Collected, collect

COLLECTED = pytest.StashKey[Collected]()


@pytest.hookimpl(tryfirst=True)  # before -m and -k take tests away
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = collect(config, items)


@pytest.fixture
def whole_suite(request: pytest.FixtureRequest) -> Collected:
    """Every test that there is; skips where only a part of them was collected."""
    collected = request.config.stash[COLLECTED]
    if collected.missing:
        pytest.skip(f"needs the whole suite: {collected.missing}")
    return collected
