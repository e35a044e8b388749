"""One server for most tests of a module, over a store that each test gives records of its own."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.surfaces.serving import Serving, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("served") / "store.pinyon") as running:
        yield running


@pytest.fixture(scope="module")
def http(server: Serving) -> Iterator[httpx.Client]:
    """One for the module: to make a client takes longer than most tests."""
    with httpx.Client(base_url=server.url, timeout=20) as client:
        yield client


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder that takes a second or two to index."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(200):
        (folder / f"note-{number:03}.md").write_text(f"# Note {number}\n\nPines grow.\n" * 4)
    return folder
