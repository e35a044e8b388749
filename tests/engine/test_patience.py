"""A search ends when its time is over, or when its caller stops it, and the engine goes on."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import pinyon
from pinyon.model import patience
from pinyon.model.errors import InvalidInput, OutOfTime
from pinyon.store.sqlite import SqliteStore

ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)"
    " SELECT sum(i) FROM n"
)


@pytest.fixture(params=["sqlite", "memory"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[pinyon.Engine]:
    path = ":memory:" if request.param == "memory" else tmp_path / "a.pinyon"
    with pinyon.open(path, background=False) as engine:
        engine.save(pinyon.Record(id="fox", body="a red fox"))
        yield engine


def test_a_search_with_time_enough_answers_as_one_without_a_limit(engine: pinyon.Engine) -> None:
    assert [hit.id for hit in engine.search("fox", timeout_s=60)] == ["fox"]
    assert [hit.id for hit in engine.search("fox", stop=threading.Event())] == ["fox"]


def test_a_search_whose_time_is_over_says_so_and_the_next_one_answers(
    engine: pinyon.Engine,
) -> None:
    with pytest.raises(OutOfTime, match="not done after 1e-09 s"):
        engine.search("fox", timeout_s=1e-9)
    assert [hit.id for hit in engine.search("fox")] == ["fox"]


def test_a_search_that_its_caller_stopped_says_so(engine: pinyon.Engine) -> None:
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(OutOfTime, match="stopped by its caller"):
        engine.search("fox", stop=stopped)
    assert engine.questions().asked == 0


@pytest.mark.parametrize("seconds", [0, -1, True, "1", float("nan")])
def test_a_time_that_is_none_is_refused(engine: pinyon.Engine, seconds: float) -> None:
    with pytest.raises(InvalidInput, match="timeout_s"):
        engine.search("fox", timeout_s=seconds)


def test_a_statement_that_would_run_for_minutes_is_ended(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.pinyon")
    begun = time.monotonic()
    with pytest.raises(OutOfTime), patience.within(0.05), store.snapshot() as view:
        view.rows(ENDLESS).fetchall()
    assert time.monotonic() - begun < 30  # it would take minutes
    with store.snapshot() as view:  # the same connection, from the pool, waits as long as it takes
        assert view.rows("SELECT 1").fetchall() == [(1,)]
    store.close()


def test_another_thread_ends_a_statement(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.pinyon")
    stop = threading.Event()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    with pytest.raises(OutOfTime), patience.within(None, stop), store.snapshot() as view:
        view.rows(ENDLESS).fetchall()
    timer.join()
    store.close()
