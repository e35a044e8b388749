"""The guide to the client cannot lie: its Python runs, in order, against a real server."""

import re
from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon.model.errors import NotPermitted, NotRecognised
from tests.surfaces.cli.shell import Shell
from tests.surfaces.serving import serving

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "client.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:7598"


def test_the_python_of_the_guide_runs(tmp_path: Path) -> None:
    store = tmp_path / "guide.pinyon"
    shown: list[str] = []
    names: dict[str, Any] = {"print": lambda *values: shown.append(" ".join(map(str, values)))}
    first, *others, with_token = BLOCK.findall(GUIDE.read_text("utf-8"))
    with serving(store) as server:

        def run(code: str) -> str:
            exec(compile(code.replace(ADDRESS, server.url), str(GUIDE), "exec"), names)
            return shown[-1]

        assert run(first).startswith("retries 0.")
        assert "version 2, not 1 - read it again" in run(others[0])
        assert "cannot be reached" in run(others[1])
        token = max(Shell(store)("token", "create", "reader").stdout.split(), key=len)
        assert "{'note': 1}" in run(with_token.replace("TOKEN", token))
        with pytest.raises(NotRecognised):
            names["notes"].search("retries")  # who has no token is out now
        names["notes"].close()
        with pinyon.connect(server.url, token) as reader, pytest.raises(NotPermitted) as refused:
            reader.save(pinyon.Record(title="New"))
        assert token not in f"{refused.value!r}{reader!r}"
