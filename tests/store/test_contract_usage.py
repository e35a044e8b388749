"""What searches leave behind: use, the log of questions, feedback. None of it is content."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pinyon.model.errors import UnknownRecord
from pinyon.model.use import Asked, Noted, Use
from pinyon.store.contract import Store
from pinyon.store.questions import Feedback, Feedbacks, Log, Size
from tests.store.world import LATER, NOW, commit, record, save, surveyed, used

DAY = timedelta(days=1)
USED = Use(2, NOW, 0.5, 30.0, 5.0, 1, NOW)
JUDGED = Feedback(NOW, "a", "accepted", "red fox", "vault", {"lexical": 0.5}, ({"lexical": 0.25},))


def asked(day: int, text: str = "fox", **parts: object) -> Asked:
    whole = {"profile": "default", "kinds": ("note",), "found": 1, "ms": 2.5, **parts}
    return Asked(NOW + day * DAY, text, **whole)  # type: ignore[arg-type]


def uses(store: Store, *ids: str) -> dict[str, Use]:
    found: dict[str, Use] = used(store, ids)
    return found


def log(store: Store, **parts: object) -> list[Asked]:
    found: list[Asked] = surveyed(store, Log(**parts))  # type: ignore[arg-type]
    return found


def feedback(store: Store, profile: str = "vault") -> list[Feedback]:
    found: list[Feedback] = surveyed(store, Feedbacks(profile))
    return found


@pytest.mark.proves("B13")
def test_the_first_use_is_kept_as_it_is(store: Store) -> None:
    save(store, record("a"), record("b"))
    assert store.note(Noted({"a": USED}))
    assert uses(store, "a", "b", "nobody") == {"a": USED}


@pytest.mark.proves("B13")
def test_counts_are_added_and_the_rest_is_written_over(store: Store) -> None:
    save(store, record("a"))
    store.note(Noted({"a": USED}))
    store.note(Noted({"a": Use(3, LATER, 0.75, 60.0, 4.0, 2, None)}))
    assert uses(store, "a") == {"a": Use(2 + 3, LATER, 0.75, 60.0, 4.0, 1 + 2, None)}


def test_the_use_of_an_unknown_record_is_ignored(store: Store) -> None:
    save(store, record("a"))
    assert store.note(Noted({"nobody": USED, "a": USED}))
    save(store, record("nobody"))
    assert uses(store, "a", "nobody") == {"a": USED}


@pytest.mark.proves("B13")
def test_neither_use_nor_feedback_changes_the_revision(store: Store) -> None:
    save(store, record("a"))
    before = surveyed(store, Size()).revision
    store.note(Noted({"a": USED}, [asked(0)]))
    commit(store, feedback=[JUDGED])
    assert surveyed(store, Size()).revision == before


def test_a_view_does_not_see_what_was_noted_after_it_was_opened(store: Store) -> None:
    save(store, record("a"))
    with store.snapshot() as view:
        store.note(Noted({"a": USED}, [asked(0)]))
        assert (view.uses(("a",)), view.survey(Log())) == ({}, [])
        assert view.facts(["a"])["a"].uses == 0


def test_use_and_feedback_go_with_a_purged_record(store: Store) -> None:
    save(store, record("a"), record("b"))
    store.note(Noted({"a": USED, "b": USED}))
    commit(store, feedback=[JUDGED, replace(JUDGED, id="b")])
    commit(store, purge=["b"])
    save(store, record("b"))
    assert uses(store, "a", "b") == {"a": USED}
    assert feedback(store) == [JUDGED]


def test_use_and_feedback_outlast_forgetting(store: Store) -> None:
    save(store, record("a"))
    store.note(Noted({"a": USED}))
    commit(store, feedback=[JUDGED])
    commit(store, forget=["a"])
    save(store, record("a"))
    assert (uses(store, "a"), feedback(store)) == ({"a": USED}, [JUDGED])


def test_use_and_feedback_move_with_their_record(store: Store) -> None:
    save(store, record("a"), record("b"))
    store.note(Noted({"a": USED, "b": USED._replace(times=9)}))
    commit(store, feedback=[JUDGED, replace(JUDGED, id="b", verdict="dismissed")])
    commit(store, forget=["b"])
    commit(store, moves={"a": "b"})
    assert uses(store, "a", "b") == {"b": USED}
    assert feedback(store) == [replace(JUDGED, id="b")]


@pytest.mark.proves("B14")
def test_the_log_comes_newest_first(store: Store) -> None:
    store.note(Noted(asked=[asked(1), asked(0, found=0, kinds=())]))
    store.note(Noted(asked=[asked(1, "hen", profile="vault")]))
    assert log(store) == [
        asked(1, "hen", profile="vault"),
        asked(1),
        asked(0, found=0, kinds=()),
    ]
    assert log(store, since=NOW + DAY, limit=1) == [asked(1, "hen", profile="vault")]
    assert log(store, since=NOW + 2 * DAY) == []


@pytest.mark.proves("B14")
def test_only_the_newest_questions_stay(store: Store) -> None:
    store.note(Noted(asked=[asked(day) for day in (3, 1, 2)]))
    store.note(Noted(asked=[asked(0), asked(4)], keep=3))
    assert log(store) == [asked(4), asked(3), asked(2)]
    store.note(Noted(keep_since=NOW + 3 * DAY))
    assert log(store) == [asked(4), asked(3)]


def test_feedback_is_ordered_by_time_question_and_record(store: Store) -> None:
    save(store, record("a"), record("b"))
    given = [
        replace(JUDGED, at=LATER, query="amber"),
        replace(JUDGED, id="b", query="red fox"),
        JUDGED,
        replace(JUDGED, id="b", query="blue", signals={}, passed=()),
        replace(JUDGED, profile="default"),
    ]
    commit(store, feedback=given)
    assert feedback(store) == [given[3], given[2], given[1], given[0]]
    assert feedback(store, "default") == [given[4]]
    assert feedback(store, "unheard") == []


def test_feedback_is_written_over_that_with_the_same_identity(store: Store) -> None:
    save(store, record("a"))
    commit(store, feedback=[JUDGED])
    again = replace(JUDGED, at=LATER, verdict="dismissed", signals={}, passed=())
    commit(store, feedback=[again])
    assert feedback(store) == [again]


def test_feedback_to_no_record_is_refused_and_nothing_is_written(store: Store) -> None:
    save(store, record("a"))
    with pytest.raises(UnknownRecord):
        commit(store, feedback=[JUDGED, replace(JUDGED, id="nobody")])
    assert feedback(store) == []


def test_feedback_given_with_its_record_is_kept(store: Store) -> None:
    save(store, record("a"), feedback=[JUDGED])
    assert feedback(store) == [JUDGED]
