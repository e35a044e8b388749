"""Limits on time: what takes too long is answered, and does not hold up the rest."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pinyon.access.gate import Gate
from pinyon.engine import Engine, open_engine
from pinyon.model.errors import OutOfTime
from pinyon.model.hit import Answer
from pinyon.surfaces.http.app import build

Asked = Callable[[httpx.AsyncClient], Any]


class Slow(Engine):
    """Searches that last until they may end."""

    may_end: threading.Event
    begun: int

    def search(self, query: str = "", **how: Any) -> Answer:
        if query == "slow":
            self.begun += 1
            self.may_end.wait(20)
        return super().search(query, **how)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Slow]:
    with open_engine(tmp_path / "a.pinyon") as opened:
        engine = Slow(opened._store)
        engine.may_end, engine.begun = threading.Event(), 0
        yield engine
        engine.may_end.set()


def _asked(engine: Engine, tmp_path: Path, work: Asked, timeout_s: float) -> Any:
    """What `work` gives, with a service in this process that has so much time for a request."""
    built = build(engine, Gate(tmp_path / "a.pinyon"), request_timeout_s=timeout_s)

    async def run() -> Any:
        transport = httpx.ASGITransport(built.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            return await work(http)

    return asyncio.run(run())


def test_what_takes_too_long_is_answered_in_time_with_a_remedy(slow: Slow, tmp_path: Path) -> None:
    async def work(http: httpx.AsyncClient) -> httpx.Response:
        return await http.post("/v1/search", json={"query": "slow"})

    answer = _asked(slow, tmp_path, work, 0.2)
    assert answer.status_code == 504
    assert answer.json()["error"]["message"] == "it took longer than 0.2 seconds"
    assert answer.json()["error"]["remedy"]


def test_slow_requests_do_not_hold_up_a_quick_one_and_what_waits_is_never_begun(
    slow: Slow, tmp_path: Path
) -> None:
    from pinyon.surfaces.http.app import THREADS

    async def work(http: httpx.AsyncClient) -> tuple[list[int], int]:
        asked = [http.post("/v1/search", json={"query": "slow"}) for _ in range(THREADS * 2)]
        running = [asyncio.create_task(each) for each in asked]
        health = await http.get("/v1/health")
        return [(await each).status_code for each in running], health.status_code

    statuses, health = _asked(slow, tmp_path, work, 0.5)
    assert (set(statuses), health) == ({504}, 200)
    assert slow.begun == THREADS


def test_a_mistake_of_ours_is_said_without_a_trace(
    slow: Slow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*given: Any, **how: Any) -> Answer:
        raise ZeroDivisionError("the secret of the inside")

    monkeypatch.setattr(slow, "search", broken)

    async def work(http: httpx.AsyncClient) -> httpx.Response:
        return await http.post("/v1/search", json={"query": "x"}, headers={"X-Request-Id": "mine"})

    answer = _asked(slow, tmp_path, work, 5)
    assert (answer.status_code, answer.headers["X-Request-Id"]) == (500, "mine")
    assert "secret" not in answer.text
    assert "the secret of the inside" in caplog.text


def test_what_nobody_waits_for_any_more_is_broken_off(tmp_path: Path) -> None:
    """A read that would go on for minutes frees its thread when its time is over."""
    ended: list[str] = []

    class Endless(Engine):
        def search(self, query: str = "", **how: Any) -> Answer:
            try:
                with self._store.snapshot() as view:
                    view.rows(  # type: ignore[attr-defined]
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                        " WHERE i < 1000000000) SELECT sum(i) FROM n"
                    ).fetchall()
            except OutOfTime as error:
                ended.append(error.problem)
                raise
            return super().search(query, **how)

    async def work(http: httpx.AsyncClient) -> int:
        answer = await http.post("/v1/search", json={"query": "endless"})
        for _ in range(200):
            if ended:
                break
            await asyncio.sleep(0.05)
        return answer.status_code

    with open_engine(tmp_path / "a.pinyon") as opened:
        assert _asked(Endless(opened._store), tmp_path, work, 0.1) == 504
    assert ended == ["the search was stopped by its caller"]
