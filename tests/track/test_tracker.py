"""What searches leave behind is written after them, and never at their cost."""

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from pinyon.model.errors import DamagedStore
from pinyon.model.hit import Answer, Hit
from pinyon.model.profile import Profile, RankSection, TrackSection
from pinyon.model.use import Asked, Noted, Use
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import Log, Size
from pinyon.store.sqlite import SqliteStore
from pinyon.track import LONGEST_TEXT, MOST_WAITING, Tracker
from tests.store.world import NOW, commit, record, save, surveyed, used

DAY = timedelta(days=1)
PROFILE = Profile("default", rank=RankSection(fading=30))
OFF = {"track_use": "false", "log_queries": "false"}


def answer(*ids: str, ms: float = 2.5) -> Answer:
    hits = (Hit(id, "note", id, 1.0, 1.0, {}, {}, "") for id in ids)
    return Answer(tuple(hits), {"ms": ms})


def stored() -> MemoryStore:
    store = MemoryStore()
    save(store, record("a"), record("b"))
    return store


def uses(store: MemoryStore | SqliteStore) -> dict[str, Use]:
    found: dict[str, Use] = used(store, ("a", "b"))
    return found


def log(store: MemoryStore | SqliteStore) -> list[Asked]:
    found: list[Asked] = surveyed(store, Log())
    return found


@pytest.mark.proves("B13")
def test_what_was_returned_counts_as_used() -> None:
    store = stored()
    tracker = Tracker(store)
    tracker.answered(answer("a"), "fox", PROFILE, NOW + 60 * DAY)
    tracker.answered(answer("a", "b"), "hen", PROFILE, NOW + 60 * DAY)
    tracker.close()
    found = uses(store)
    assert {id: (use.times, use.reviews) for id, use in found.items()} == {"a": (2, 2), "b": (1, 1)}
    assert [found["a"].strength, found["b"].strength] == pytest.approx([0.25 + 0.2, 0.25 + 0.1])


@pytest.mark.proves("B8")
def test_to_search_again_raises_strength_by_a_tenth() -> None:
    store = stored()
    for _ in range(2):
        tracker = Tracker(store)
        tracker.answered(answer("a"), "fox", PROFILE, NOW + 60 * DAY)
        tracker.close()
    assert uses(store)["a"].strength == pytest.approx(0.25 + 0.1 + 0.1)
    assert uses(store)["a"].times == 2


@pytest.mark.proves("B14")
def test_questions_are_logged_with_what_came_of_them() -> None:
    store = stored()
    tracker = Tracker(store)
    tracker.answered(answer("a", "b", ms=1.5), "red fox", PROFILE, NOW)
    tracker.answered(answer(), "yeti", PROFILE, NOW + DAY)
    tracker.answered(answer("a"), " ", PROFILE, NOW + DAY)
    assert tracker.flush()
    assert log(store) == [
        Asked(NOW + DAY, "yeti", "default", (), 0, 2.5),
        Asked(NOW, "red fox", "default", ("note",), 2, 1.5),
    ]


@pytest.mark.proves("B13")
def test_the_revision_stays() -> None:
    store = stored()
    before = surveyed(store, Size()).revision
    tracker = Tracker(store)
    tracker.answered(answer("a"), "fox", PROFILE, NOW)
    tracker.close()
    assert uses(store)
    assert surveyed(store, Size()).revision == before


@pytest.mark.proves("B13")
@pytest.mark.proves("B14")
@pytest.mark.parametrize(
    ("track", "settings"),
    [
        (TrackSection(use=False, log=False), {}),
        (TrackSection(), OFF),
        (TrackSection(use=False), {"log_queries": "false"}),
        (TrackSection(log=False), {"track_use": "false"}),
    ],
)
def test_nothing_is_kept_where_it_is_switched_off(
    track: TrackSection, settings: dict[str, str]
) -> None:
    store = stored()
    commit(store, settings=settings)
    tracker = Tracker(store)
    tracker.answered(answer("a"), "fox", PROFILE._replace(track=track), NOW)
    tracker.close()
    assert (uses(store), log(store)) == ({}, [])


@pytest.mark.proves("B13")
@pytest.mark.proves("B14")
@pytest.mark.parametrize("off", OFF)
def test_use_and_log_are_switched_off_apart(off: str) -> None:
    store = stored()
    commit(store, settings={off: "false"})
    tracker = Tracker(store)
    tracker.answered(answer("a"), "fox", PROFILE, NOW)
    tracker.close()
    assert (bool(uses(store)), bool(log(store))) == (off != "track_use", off != "log_queries")


@pytest.mark.proves("B14")
def test_old_questions_go_and_only_so_many_stay() -> None:
    store = stored()
    commit(store, settings={"log_days": "3", "log_most": "2"})
    for day in (0, 7, 8, 9):
        tracker = Tracker(store)
        tracker.answered(answer("a"), f"day {day}", PROFILE, NOW + day * DAY)
        tracker.close()
    assert [asked.text for asked in log(store)] == ["day 9", "day 8"]
    tracker = Tracker(store)
    tracker.answered(answer(), "day 12", PROFILE, NOW + 12 * DAY)
    tracker.close()
    assert [asked.text for asked in log(store)] == ["day 12", "day 9"]


@pytest.mark.proves("B13")
def test_a_locked_file_fails_nothing_and_what_was_left_is_dropped(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "busy.pinyon")
    save(store, record("a"))
    other = apsw.Connection(str(store.path))
    other.execute("BEGIN IMMEDIATE")
    tracker = Tracker(store)
    tracker.answered(answer("a"), "fox", PROFILE, NOW)
    assert tracker.flush() is False
    other.execute("ROLLBACK")
    other.close()
    assert tracker.flush() is True
    assert (uses(store), log(store)) == ({}, [])
    store.close()


class Broken(MemoryStore):
    """A store that cannot be read."""

    def snapshot(self) -> Any:
        raise DamagedStore("broken", remedy="none")


@pytest.mark.proves("B13")
def test_a_broken_store_fails_nothing() -> None:
    tracker = Tracker(Broken())
    tracker.answered(answer("a"), "fox", PROFILE, NOW)
    assert tracker.flush() is False
    tracker.close()


class Untouched(MemoryStore):
    """Fails the test when anybody asks it."""

    def snapshot(self) -> Any:
        raise AssertionError("a search does not wait for the store")

    def note(self, noted: Noted) -> bool:
        raise AssertionError("a search does not write")


@pytest.mark.proves("B13")
def test_an_answer_touches_no_file_and_what_waits_is_bounded() -> None:
    tracker = Tracker(Untouched())
    for _ in range(MOST_WAITING + 10):
        tracker.answered(answer("a"), "x" * 2 * LONGEST_TEXT, PROFILE, NOW)
    assert len(tracker._left) == MOST_WAITING
    assert len(tracker._left[0].text) == LONGEST_TEXT


class Told(MemoryStore):
    """Says when something was noted."""

    def __init__(self) -> None:
        super().__init__()
        self.noted = threading.Event()

    def note(self, noted: Noted) -> bool:
        done = super().note(noted)
        self.noted.set()
        return done


@pytest.mark.proves("B13")
def test_a_thread_writes_behind_the_answers() -> None:
    store = Told()
    save(store, record("a"))
    tracker = Tracker(store, background=True, delay_s=0)
    tracker.answered(answer("a"), "fox", PROFILE, NOW)
    assert store.noted.wait(10)
    store.noted.clear()
    tracker.answered(answer("a"), "hen", PROFILE, NOW)
    assert store.noted.wait(10)
    tracker.close()
    assert uses(store)["a"].times == 2


@pytest.mark.proves("B13")
def test_a_close_writes_what_the_thread_has_not_written_yet() -> None:
    store = Told()
    save(store, record("a"))
    tracker = Tracker(store, background=True, delay_s=3_600)
    tracker.answered(answer("a"), "fox", PROFILE, NOW)
    tracker.close()
    assert uses(store)["a"].times == 1
    tracker.answered(answer("a"), "fox", PROFILE, NOW)
    tracker.close()
    assert uses(store)["a"].times == 1


def test_records_that_are_gone_by_then_are_left_out() -> None:
    store = stored()
    tracker = Tracker(store)
    tracker.answered(answer("a", "b", "nobody"), "fox", PROFILE, NOW)
    commit(store, forget=["b"])
    tracker.close()
    assert set(uses(store)) == {"a"}
