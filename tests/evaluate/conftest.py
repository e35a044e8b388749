"""A shell whose user has no store and no profiles."""

from pathlib import Path

import pytest

from tests.surfaces.cli.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("PINYON_PROFILES", str(tmp_path / "no-profiles"))
    return Shell(tmp_path / "mine" / "notes.pinyon")
