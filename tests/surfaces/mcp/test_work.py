"""Work: calls in threads, side by side, and what happens when one is called off."""

import threading
from pathlib import Path

import anyio
import pytest

import pinyon
from pinyon.access import OWNER
from pinyon.surfaces.mcp.warm import warmed
from pinyon.surfaces.mcp.work import CalledOff, Work, in_thread


async def nobody(progress: float, total: float | None = None, message: str | None = None) -> None:
    """Nobody hears it."""


def test_a_slow_call_stops_nobody_else() -> None:
    quick = threading.Event()

    async def both() -> list[str]:
        ended: list[str] = []
        with pinyon.open(":memory:") as engine:

            async def slow() -> None:
                assert await in_thread(Work(engine, OWNER, nobody), lambda: quick.wait(20))
                ended.append("slow")

            async with anyio.create_task_group() as group:
                group.start_soon(slow)
                await in_thread(Work(engine, OWNER, nobody), quick.set)
                ended.append("quick")
        return ended

    assert anyio.run(both) == ["quick", "slow"]


def test_what_is_called_off_knows_it_and_is_done_to_its_end() -> None:
    begun, ended = threading.Event(), threading.Event()

    async def called_off() -> None:
        with pinyon.open(":memory:") as engine:
            work = Work(engine, OWNER, nobody)

            def call() -> None:
                begun.set()
                if work.called_off.wait(20):
                    ended.set()

            async with anyio.create_task_group() as group:
                group.start_soon(in_thread, work, call)
                await anyio.to_thread.run_sync(begun.wait)
                group.cancel_scope.cancel()

    anyio.run(called_off)
    assert ended.is_set()


def test_indexing_ends_when_it_is_called_off(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    with pinyon.open(":memory:") as engine:
        work = Work(engine, OWNER, nobody)
        work.called_off.set()
        with pytest.raises(CalledOff):
            work.index(tmp_path)
        assert engine.index(tmp_path).added == 1


def test_an_error_comes_out_as_itself() -> None:
    async def fails() -> None:
        with pinyon.open(":memory:") as engine:
            work = Work(engine, OWNER, nobody)
            await in_thread(work, lambda: work.get("nope"))

    with pytest.raises(pinyon.PinyonError, match="no record has the id 'nope'"):
        anyio.run(fails)


def test_warming_asks_nothing_that_is_counted_and_is_over_at_the_end() -> None:
    with pinyon.open(":memory:") as engine:
        with warmed(engine):
            pass
        assert engine.questions().asked == 0
        assert not any(thread.name == "pinyon-warm" for thread in threading.enumerate())
