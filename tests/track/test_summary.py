"""The questions of a log in a few numbers."""

from datetime import timedelta

import pytest

from pinyon.model.use import Asked
from pinyon.track import SHOWN, Day, QueryStats, summary
from tests.store.world import NOW


def asked(text: str, found: int = 1, ms: float = 1.0, **parts: object) -> Asked:
    whole = {"profile": "default", "kinds": ("note",) if found else (), **parts}
    return Asked(NOW, text, found=found, ms=ms, **whole)  # type: ignore[arg-type]


@pytest.mark.proves("B14")
def test_a_log_is_summed_up() -> None:
    log = [
        asked("Red  fox", found=4, kinds=("note", "task")),
        asked("red fox", found=2),
        asked("yeti", found=0, profile="vault"),
        asked(" YETI ", found=0),
        asked("amber", found=0),
    ]
    assert summary(log) == QueryStats(
        asked=5,
        common=(("red fox", 2), ("yeti", 2), ("amber", 1)),
        unanswered=(("yeti", 2), ("amber", 1)),
        kinds={"note": 2, "task": 1},
        profiles={"default": 4, "vault": 1},
        mean_found=(4 + 2) / 5,
        p50_ms=1.0,
        p95_ms=1.0,
        p99_ms=1.0,
        days=(Day(NOW.date().isoformat(), asked=5, unanswered=3, p50_ms=1.0, p95_ms=1.0),),
    )


@pytest.mark.proves("B14")
def test_each_day_with_questions_is_summed_up_for_itself() -> None:
    later = NOW + timedelta(days=2)
    log = [
        asked("x", ms=1.0)._replace(at=later),
        asked("x", ms=9.0, found=0),
        *(asked("x", ms=3.0),) * 2,
    ]
    assert summary(log).days == (
        Day(NOW.date().isoformat(), asked=3, unanswered=1, p50_ms=3.0, p95_ms=9.0),
        Day(later.date().isoformat(), asked=1, unanswered=0, p50_ms=1.0, p95_ms=1.0),
    )


@pytest.mark.proves("B14")
def test_percentiles_are_the_least_that_so_many_of_a_hundred_do_not_exceed() -> None:
    log = [asked("x", ms=float(ms)) for ms in range(100, 0, -1)]
    found = summary(log)
    assert (found.p50_ms, found.p95_ms, found.p99_ms) == (50.0, 95.0, 99.0)
    one = summary(log[:1])
    assert (one.p50_ms, one.p95_ms, one.p99_ms) == (100.0, 100.0, 100.0)


def test_an_empty_log_is_summed_up_too() -> None:
    assert summary([]) == QueryStats(0, (), (), {}, {}, 0.0, 0.0, 0.0, 0.0)


def test_only_the_most_common_questions_are_named() -> None:
    found = summary([asked(f"question {number}") for number in range(3 * SHOWN)])
    assert (found.asked, len(found.common)) == (3 * SHOWN, SHOWN)
