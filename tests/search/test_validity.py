"""Validity: what has expired or is not yet valid is left out, and a search as of a date is asked of
what was known then."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pinyon.engine import Engine
from pinyon.model.errors import InvalidRecord
from pinyon.model.record import Record
from tests.engine.opened import PLACES, opened
from tests.store.world import NOW

DAY = timedelta(days=1)


class Calendar:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture(params=PLACES)
def engine(request: pytest.FixtureRequest, tmp_path: Path, calendar: Calendar) -> Iterator[Engine]:
    with opened(request.param, tmp_path, calendar) as engine:
        yield engine


def found(engine: Engine, query: str = "amber", **how: Any) -> list[str]:
    return sorted(hit.id for hit in engine.search(query, **how))


WINDOWS: dict[str, dict[str, datetime]] = {
    "always": {},
    "since": {"valid_from": NOW},
    "for-now": {"valid_from": NOW - DAY, "valid_until": NOW + DAY},
    "expired": {"valid_until": NOW},
    "not-yet": {"valid_from": NOW + DAY},
}


def save_windows(engine: Engine) -> None:
    for id, window in WINDOWS.items():
        engine.save(Record(id=id, body="amber", created_at=NOW - 9 * DAY, **window))  # type: ignore[arg-type]


@pytest.mark.proves("X5", part="validity")
@pytest.mark.parametrize("query", ["amber", "mbe", ""])
def test_what_is_not_valid_now_is_left_out_unless_asked_for(engine: Engine, query: str) -> None:
    save_windows(engine)
    assert found(engine, query) == ["always", "for-now", "since"]
    assert found(engine, query, expired=True) == sorted(WINDOWS)


@pytest.mark.proves("X5", part="validity")
def test_time_alone_lets_records_begin_and_expire(engine: Engine, calendar: Calendar) -> None:
    save_windows(engine)
    calendar.now = NOW + DAY
    assert found(engine) == ["always", "not-yet", "since"]
    calendar.now = NOW - 2 * DAY
    assert found(engine) == ["always", "expired"]


@pytest.mark.proves("X5", part="validity")
def test_a_moment_is_asked_about_with_what_was_valid_then(engine: Engine) -> None:
    save_windows(engine)
    assert found(engine, as_of=NOW - 2 * DAY) == ["always", "expired"]
    assert found(engine, as_of=NOW + DAY) == ["always", "not-yet", "since"]
    assert found(engine, as_of=NOW - 2 * DAY, expired=True) == sorted(WINDOWS)


@pytest.mark.proves("X5", part="validity")
def test_what_was_made_later_was_not_there_yet(engine: Engine, calendar: Calendar) -> None:
    engine.save(Record(id="first", body="amber"))
    calendar.now = NOW + 2 * DAY
    engine.save(Record(id="second", body="amber"))
    assert found(engine, as_of=NOW + DAY) == ["first"]
    assert found(engine, as_of=NOW) == []
    assert found(engine) == ["first", "second"]


@pytest.mark.proves("X5", part="validity")
def test_a_day_alone_means_its_end(engine: Engine) -> None:
    engine.save(Record(id="noon", body="amber"))
    assert found(engine, as_of=NOW.date().isoformat()) == ["noon"]
    assert found(engine, as_of=(NOW - DAY).date().isoformat()) == []


def supersede(engine: Engine) -> None:
    engine.save(Record(id="new", body="amber, at last"))
    engine.link("new", "supersedes", "old")


CHANGES: dict[str, Callable[[Engine], Any]] = {
    "superseded": supersede,
    "corrected": lambda engine: engine.correct("old", body="amber, at last"),
    "updated": lambda engine: engine.update("old", body="amber, at last"),
}


@pytest.mark.proves("X5", part="validity")
@pytest.mark.proves("S14", part="lifecycle")
@pytest.mark.parametrize("how", CHANGES)
def test_what_was_replaced_later_is_back_in_its_old_text(
    engine: Engine, calendar: Calendar, how: str
) -> None:
    engine.save(Record(id="old", body="amber, at first"))
    calendar.now = NOW + 2 * DAY
    CHANGES[how](engine)
    (then,) = engine.search("amber", as_of=NOW + DAY, mode="full")
    assert then.record is not None
    assert (then.id, then.record.body) == ("old", "amber, at first")
    (now,) = engine.search("amber", mode="full")
    assert now.record is not None
    assert now.record.body == "amber, at last"
    (also_now,) = engine.search("amber", as_of=NOW + 3 * DAY)
    assert also_now.id == now.id


@pytest.mark.proves("X5", part="validity")
def test_what_was_superseded_before_stays_out(engine: Engine, calendar: Calendar) -> None:
    engine.save(Record(id="old", body="amber"))
    new = engine.correct("old", title="new")
    calendar.now = NOW + 2 * DAY
    assert found(engine, as_of=NOW + DAY) == [new]
    assert found(engine, as_of=NOW + DAY, superseded=True) == sorted([new, "old"])


@pytest.mark.proves("X5", part="validity")
def test_an_expired_successor_brings_nothing_back(engine: Engine, calendar: Calendar) -> None:
    engine.save(Record(id="old", body="amber"))
    engine.correct("old", valid_until=NOW + DAY)
    calendar.now = NOW + 2 * DAY
    assert found(engine) == []
    assert len(found(engine, expired=True)) == 1


@pytest.mark.parametrize("act", ["save", "update", "correct"])
def test_a_window_upside_down_is_refused(engine: Engine, act: str) -> None:
    engine.save(Record(id="fox", valid_from=NOW))
    window = {"valid_from": NOW, "valid_until": NOW - DAY}
    acts: dict[str, Callable[[], Any]] = {
        "save": lambda: engine.save(Record(id="hen", **window)),  # type: ignore[arg-type]
        "update": lambda: engine.update("fox", valid_until=window["valid_until"]),
        "correct": lambda: engine.correct("fox", valid_until=window["valid_until"]),
    }
    with pytest.raises(InvalidRecord) as refused:
        acts[act]()
    assert refused.value.field == "valid_until"
    assert engine.stats().kinds == {"memory": 1}


def test_a_record_from_the_future_is_found_now(engine: Engine) -> None:
    engine.save(Record(id="tomorrow", body="amber", created_at=NOW + DAY))
    assert found(engine) == ["tomorrow"]
    assert found(engine, as_of=NOW) == []
