"""Facts of records: their stems where they are asked for, and how they were used."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from pinyon.model.facts import NONE, Facts, microseconds
from pinyon.model.use import Noted, Use
from pinyon.store.contract import Store
from pinyon.store.questions import Terms
from tests.store.world import LATER, NOW, commit, record, save, surveyed

FOX = record("fox", title="Running foxes", body="the fox runs, the hen runs", tags=("wild",))


def facts(
    store: Store, *ids: str, stems: Sequence[str] = (), fields: Sequence[str] = ()
) -> dict[str, Facts]:
    with store.snapshot() as view:
        return view.facts(ids, stems=stems, fields=fields)


FIELDS = pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (("title",), {"run": 1, "fox": 1}),
        (("title", "body"), {"the": 2, "fox": 2, "run": 3, "hen": 1}),
        (("tags", "body", "tags"), {"the": 2, "fox": 1, "run": 2, "hen": 1, "wild": 1}),
        (("context",), {}),
    ],
)


@pytest.mark.proves("V9")
@FIELDS
def test_the_stems_of_the_asked_fields_are_counted_together(
    store: Store, fields: tuple[str, ...], expected: dict[str, int]
) -> None:
    save(store, FOX)
    assert surveyed(store, Terms(("fox", "nobody"), fields)) == {"fox": expected}


@pytest.mark.proves("V9")
@FIELDS
def test_facts_count_only_the_stems_that_are_asked_for_and_there(
    store: Store, fields: tuple[str, ...], expected: dict[str, int]
) -> None:
    save(store, FOX)
    asked = ("hen", "run", "unheard", "ru", "run")
    counted = {stem: count for stem, count in expected.items() if stem in asked}
    assert facts(store, "fox", stems=asked, fields=fields)["fox"].terms == counted


def test_without_a_field_or_a_stem_nothing_is_counted(store: Store) -> None:
    save(store, FOX)
    for asked in ({}, {"fields": ["body"]}, {"stems": ["fox"]}):
        assert facts(store, "fox", **asked)["fox"].terms == NONE


def test_facts_follow_every_change_and_leave_with_their_record(store: Store) -> None:
    save(store, FOX, record("hen", body="egg"))
    save(store, record("fox", body="hen"))
    commit(store, forget=["hen"])
    found = facts(store, "fox", "hen", "nobody", stems=["hen", "fox"], fields=["title", "body"])
    assert {id: of_it.terms for id, of_it in found.items()} == {"fox": {"hen": 1}}
    assert surveyed(store, Terms(("fox", "hen"), ("title", "body"))) == {"fox": {"hen": 1}}


def test_the_tags_of_facts_are_ordered_by_name_each_once(store: Store) -> None:
    save(store, record("a", tags=("wild", "Red", "tame", "wild", "äh")), record("b"))
    found = facts(store, "a", "b")
    assert [found[id].tags for id in "ab"] == [("Red", "tame", "wild", "äh"), ()]


def test_what_was_found_out_is_kept_until_the_content_changes(store: Store) -> None:
    save(store, FOX)
    with store.snapshot() as view:
        view.scratch["known"] = 1
        assert view.scratch == {"known": 1}
    with store.snapshot() as view:
        assert view.scratch == {"known": 1}
    save(store, record("hen"))
    with store.snapshot() as view:
        assert view.scratch == {}


@pytest.mark.proves("B8")
def test_a_record_that_was_never_used_is_as_strong_as_can_be(store: Store) -> None:
    save(store, FOX)
    fox = facts(store, "fox")["fox"]
    assert (fox.strength, fox.used_us, fox.uses) == (1.0, None, 0)


@pytest.mark.proves("B8")
def test_facts_say_how_a_record_was_used(store: Store) -> None:
    save(store, FOX, record("hen"))
    assert store.note(Noted({"fox": Use(3, LATER, 0.25, 30.0, 5.0, 3, LATER)}))
    found = facts(store, "fox", "hen")
    used = {id: (of_it.strength, of_it.used_us, of_it.uses) for id, of_it in found.items()}
    assert used == {"fox": (0.25, microseconds(LATER), 3), "hen": (1.0, None, 0)}


def test_a_single_store_has_no_tiers(store: Store) -> None:
    save(store, FOX)
    with store.snapshot() as view:
        assert view.tiers == ()
    fox = facts(store, "fox")["fox"]
    assert (fox.tier, fox.priority) == ("", 1.0)


def test_dates_come_back_to_the_microsecond(store: Store) -> None:
    begun = NOW + timedelta(microseconds=1)
    save(store, record("a", created_at=begun, updated_at=LATER, valid_until=LATER))
    found = facts(store, "a")["a"]
    dates = (found.created_us, found.updated_us, found.valid_from_us, found.valid_until_us)
    assert dates == (microseconds(begun), microseconds(LATER), None, microseconds(LATER))
    assert microseconds(begun) == microseconds(NOW) + 1
