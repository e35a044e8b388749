"""Facts of records: their stems where they are asked for, and how they were used."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from pinyon.model.facts import NONE, Facts
from pinyon.store.contract import Noted, Store
from pinyon.store.questions import Use
from tests.store.world import LATER, NOW, commit, record, save

FOX = record("fox", title="Running foxes", body="the fox runs, the hen runs", tags=("wild",))


def facts(store: Store, *ids: str, terms: Sequence[str] = ()) -> dict[str, Facts]:
    with store.snapshot() as view:
        return view.facts(ids, terms=terms)


@pytest.mark.proves("V9")
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["title"], {"run": 1, "fox": 1}),
        (["title", "body"], {"the": 2, "fox": 2, "run": 3, "hen": 1}),
        (["tags", "body", "tags"], {"the": 2, "fox": 1, "run": 2, "hen": 1, "wild": 1}),
        (["context"], {}),
    ],
)
def test_the_stems_of_the_asked_fields_are_counted_together(
    store: Store, fields: list[str], expected: dict[str, int]
) -> None:
    save(store, FOX)
    assert facts(store, "fox", terms=fields)["fox"].terms == expected


def test_without_a_field_no_stem_is_counted(store: Store) -> None:
    save(store, FOX)
    assert facts(store, "fox")["fox"].terms == NONE


def test_facts_follow_every_change_and_leave_with_their_record(store: Store) -> None:
    save(store, FOX, record("hen", body="egg"))
    save(store, record("fox", body="hen"))
    commit(store, forget=["hen"])
    found = facts(store, "fox", "hen", "nobody", terms=["title", "body"])
    assert {id: of_it.terms for id, of_it in found.items()} == {"fox": {"hen": 1}}


@pytest.mark.proves("B8")
def test_a_record_that_was_never_used_is_as_strong_as_can_be(store: Store) -> None:
    save(store, FOX)
    fox = facts(store, "fox")["fox"]
    assert (fox.strength, fox.used_at, fox.uses) == (1.0, None, 0)


@pytest.mark.proves("B8")
def test_facts_say_how_a_record_was_used(store: Store) -> None:
    save(store, FOX, record("hen"))
    assert store.note(Noted({"fox": Use(3, LATER, 0.25, 30.0, 5.0, 3, LATER)}))
    found = facts(store, "fox", "hen")
    used = {id: (of_it.strength, of_it.used_at, of_it.uses) for id, of_it in found.items()}
    assert used == {"fox": (0.25, LATER, 3), "hen": (1.0, None, 0)}


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
    dates = (found.created_at, found.updated_at, found.valid_from, found.valid_until)
    assert dates == (begun, LATER, None, LATER)
