"""Memory, file handles and threads stay flat, whatever is asked, and however often a store is
opened, also in vain."""

import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import pinyon
from bench.soak import held, soak
from pinyon.model.errors import PinyonError
from pinyon.model.record import Record
from tests.faults.length import lasting

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")

SEARCHES, SAVES = lasting(2_000, 20_000), lasting(300, 2_000)
OPENINGS = lasting(60, 300)
KEPT_BLOCKS = 40_000
"""Of Python's memory: the last ten thousand words that were asked for are kept."""

MORE_MB = 12.0
"""That a process may hold at the end of a soak more than at a quarter of it: what SQLite and Python
keep for later. A leak of a kilobyte a search would be more in the long run."""


@pytest.mark.slow
def test_memory_handles_and_threads_stay_flat_over_searches_and_saves(tmp_path: Path) -> None:
    start, *_, quarter, half, _, end = soak(tmp_path / "a.pinyon", SEARCHES, SAVES)
    assert (end.searches, end.saves) == (SEARCHES, SAVES)
    assert end.rss_mb - quarter.rss_mb < MORE_MB
    assert end.blocks - quarter.blocks < KEPT_BLOCKS
    assert end.handles == half.handles == quarter.handles
    assert end.threads == start.threads


def test_what_is_remembered_of_questions_has_an_end(tmp_path: Path) -> None:
    """Words that no record has, without number: nothing is kept of them."""
    with pinyon.open(tmp_path / "a.pinyon", background=False) as engine:
        engine.save(Record(id="a", body="red green blue"))
        engine.search("red", track=False)
        kept = sizes(engine)
        for number in range(300):
            engine.search(f"red unheard{number} OR never{number}*", track=False)
        assert sizes(engine) == {**kept, **bounded(engine)}


def sizes(engine: pinyon.Engine) -> dict[str, int]:
    memory = vars(engine._store._memory)  # type: ignore[attr-defined]
    return {name: len(held) for name, held in memory.items() if isinstance(held, dict)}


def bounded(engine: pinyon.Engine) -> dict[str, int]:
    """Those that are cleared when they are too many."""
    found = sizes(engine)
    assert found["lists"] <= 256
    return {name: found[name] for name in ("lists", "passing", "places")}


def opened_and_closed(path: Path) -> None:
    with pinyon.open(path) as engine:
        engine.search("red")
        engine.save(Record(id="b", body="green"), replace=True)


def opened_with_tiers(path: Path) -> None:
    with pinyon.open(path) as engine:
        assert len(engine.search("red", track=False)) == 2


def left_open(path: Path) -> None:
    """And collected, some time."""
    pinyon.open(path, background=False).search("red", track=False)


def opened_in_vain(path: Path) -> None:
    for name in ("empty", "garbage", "folder", "missing", "cut"):
        with pytest.raises(PinyonError):
            pinyon.open(path.with_name(name), create=False).search("red")


def searched_in_vain(path: Path) -> None:
    with pinyon.open(path, background=False) as engine:
        for mistake in ({"limit": 0}, {"timeout_s": 1e-9}, {"profile": "none"}, {"like": "nobody"}):
            with pytest.raises(PinyonError):
                engine.search("" if "like" in mistake else "red", **mistake)


@pytest.mark.parametrize(
    "use",
    [opened_and_closed, opened_with_tiers, left_open, opened_in_vain, searched_in_vain],
    ids=lambda use: use.__name__,
)
def test_opening_often_leaves_no_handle_and_no_thread(
    tmp_path: Path, use: Callable[[Path], None]
) -> None:
    path = tmp_path / "a.pinyon"
    with pinyon.open(path, background=False) as engine:
        engine.save(Record(id="a", body="red"))
        if use is opened_with_tiers:
            with pinyon.open(tmp_path / "team.pinyon", background=False) as team:
                team.save(Record(id="t", body="red"))
            engine.add_tier("team", tmp_path / "team.pinyon")
    (tmp_path / "empty").touch()
    (tmp_path / "garbage").write_bytes(os.urandom(5_000))
    (tmp_path / "folder").mkdir()
    (tmp_path / "cut").write_bytes(path.read_bytes()[:3_000])
    for _ in range(3):
        use(path)
    before = held(0, 0)
    for _ in range(OPENINGS):
        use(path)
    gc.collect()
    after = held(0, 0)
    assert (after.handles, after.threads) == (before.handles, before.threads)
    assert after.rss_mb - before.rss_mb < MORE_MB
    assert [thread.name for thread in threading.enumerate() if "pinyon" in thread.name] == []
