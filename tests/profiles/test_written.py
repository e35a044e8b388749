"""Written: the file of a profile says only what it changes, and reads back as what it was."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.profiles.load import load, names, shipped
from pinyon.profiles.written import toml, written

CHANGES: list[dict[str, Any]] = [
    {},
    {"rank.weights": {"lexical": 0.25, "vector": 0.75}},
    {"rank.weights.title": 0.1, "fuse.k": 30, "retrieve.channels": ["lexical"]},
    {"relevance.usual": {'a "model"@1 = 2': 0.5}, "understand.fix": False},
    {"understand.routes": {"keyword": {"fuse.k": 3}}, "rank.intent.kinds": {"note": 2}},
]


@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("name", names())
def test_what_is_written_is_read_back(tmp_path: Path, name: str, changes: dict[str, Any]) -> None:
    inherited = load(name)
    profile = load(name, override=changes)._replace(about='Mine: "all" of it.')
    (tmp_path / "mine.toml").write_text(written(inherited, profile), encoding="utf-8")
    assert load("mine", lambda: (tmp_path, *shipped())) == profile._replace(name="mine")


def test_only_what_differs_is_written() -> None:
    inherited = load("default")
    profile = load("default", override={"fuse.k": 30, "rank.weights": {"lexical": 1}})
    text = written(inherited, profile._replace(about="Mine."), remarks=["one", "two"])
    assert text.splitlines()[:2] == ["# one", "# two"]
    assert tomllib.loads(text) == {
        "about": "Mine.",
        "inherits": "default",
        "fuse": {"k": 30},
        "rank": {"weights": {"lexical": 1}},
    }


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]))


@given(
    st.recursive(
        st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e9, 1e9) | TEXTS,
        lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
        max_leaves=8,
    )
)
def test_any_value_is_read_back(value: Any) -> None:
    assert tomllib.loads(f"value = {toml(value)}") == {"value": value}
