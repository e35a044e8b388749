"""Jobs: one after the other, none harmed by another, and only so many remembered."""

import threading
from typing import Any

import pytest

from pinyon.model.errors import InvalidInput
from pinyon.surfaces.http.jobs import MOST_KEPT, Jobs, Progress, Work


def _nothing(progress: Progress) -> dict[str, Any]:
    return {}


def _telling(told: threading.Event) -> Work:
    def work(progress: Progress) -> dict[str, Any]:
        told.set()
        return {}

    return work


def test_one_that_fails_says_why_and_the_next_is_done(caplog: pytest.LogCaptureFixture) -> None:
    def refused(progress: Progress) -> dict[str, Any]:
        raise InvalidInput("there is no folder", remedy="check the path")

    def broken(progress: Progress) -> dict[str, Any]:
        raise ZeroDivisionError("a secret")

    jobs = Jobs()
    over = threading.Event()
    ids = [jobs.add("index", "", work)["id"] for work in (refused, broken, _nothing)]
    jobs.add("index", "", _telling(over))
    assert over.wait(10)
    ended = [jobs.get(id) for id in ids]
    assert [job["state"] for job in ended] == ["failed", "failed", "done"]
    assert ended[0]["error"] == {
        "type": "InvalidInput",
        "message": "there is no folder",
        "remedy": "check the path",
    }
    assert "secret" not in str(ended[1]["error"])
    assert "a secret" in caplog.text
    jobs.close()


def test_the_oldest_that_ended_are_forgotten_first() -> None:
    jobs = Jobs()
    for _ in range(MOST_KEPT + 20):
        over = threading.Event()
        jobs.add("index", "", _telling(over))
        assert over.wait(10)
    known = jobs.all()
    assert len(known) == MOST_KEPT
    assert [job["state"] for job in known[1:]] == ["done"] * (MOST_KEPT - 1)
    jobs.close()


def test_closing_ends_what_runs_at_its_next_step_and_what_waits_is_never_begun() -> None:
    jobs = Jobs()
    running, stopped, begun = threading.Event(), threading.Event(), threading.Event()

    def endless(progress: Progress) -> dict[str, Any]:
        running.set()
        try:
            while True:
                progress(1, 2, "next")
        finally:
            stopped.set()

    first = jobs.add("index", "", endless)["id"]
    second = jobs.add("index", "", _telling(begun))["id"]
    assert running.wait(10)
    jobs.close()
    assert stopped.is_set()
    assert (jobs.get(first)["state"], jobs.get(second)["state"]) == ("cancelled", "cancelled")
    assert not begun.is_set()
