"""Whatever a caller hands over ends in a result or in one of Pinyon's errors, never a raw one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.model.errors import InvalidInput, NotAStore, PinyonError, StoreError

HALF = "half \ud800 pair"


@pytest.mark.parametrize(
    "call",
    [
        lambda engine: engine.get(HALF),
        lambda engine: engine.forget(HALF),
        lambda engine: engine.forget(HALF, purge=True),
        lambda engine: engine.related(HALF),
        lambda engine: engine.history(HALF),
        lambda engine: engine.rename_tag(HALF, "fine"),
        lambda engine: engine.update(HALF, title="fine"),
        lambda engine: engine.link(HALF, "supports", "fine"),
        lambda engine: engine.search("x", limit="3"),
        lambda engine: engine.search("x", limit=2.5),
        lambda engine: engine.search("x", kinds="note"),
        lambda engine: engine.search("x", scope="a//b"),
        lambda engine: engine.search("x", since="someday"),
        lambda engine: engine.search("x", profile="../default"),
        lambda engine: engine.search("x", profile="p" * 5000),
    ],
)
def test_an_argument_that_makes_no_sense_is_refused(
    tmp_path: Path, call: Callable[[Engine], Any]
) -> None:
    with pinyon.open(tmp_path / "s.pinyon") as engine, pytest.raises(PinyonError):
        call(engine)


@pytest.mark.parametrize("name", ["tags", "domains", "authors"])
def test_a_filter_by_what_is_no_text_finds_nothing(tmp_path: Path, name: str) -> None:
    with pinyon.open(tmp_path / "s.pinyon") as engine:
        engine.save(pinyon.Record(title="fox", tags=("a",)))
        filters: dict[str, Any] = {name: [HALF]}
        assert len(engine.search("fox", **filters)) == 0


def test_a_closed_engine_says_so(tmp_path: Path) -> None:
    engine = pinyon.open(tmp_path / "s.pinyon")
    engine.close()
    with pytest.raises(StoreError, match="closed"):
        engine.search("fox")


def test_a_path_with_a_nul_is_refused() -> None:
    with pytest.raises(InvalidInput):
        pinyon.open("a\0b")


@pytest.mark.parametrize("content", [b"x", b"a note", b"SQLite format 2\0"])
def test_a_small_file_of_something_else_is_refused_and_left_alone(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    with pytest.raises(NotAStore):
        pinyon.open(path)
    assert path.read_bytes() == content
