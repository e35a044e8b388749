"""What the tests of models share: the built granite, and the switch for the network."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinyon.inference.contract import Embedder
from pinyon.inference.open import open_embedder

ASK = "PINYON_TEST_NETWORK"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"network: needs the package index; run with {ASK}=1")


@pytest.fixture(autouse=True)
def _only_where_asked(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("network") and os.environ.get(ASK) != "1":
        pytest.skip(f"needs the package index: set {ASK}=1")


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for the run: building a real model's graph takes a second."""
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def granite(model_cache: Path) -> Iterator[Embedder]:
    embedder = open_embedder("granite", model_cache)
    yield embedder
    embedder.close()
