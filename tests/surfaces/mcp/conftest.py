"""What tests of agents may ask for."""

from pathlib import Path

import pytest

from tests.surfaces.cli.shell import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "agents.pinyon")
