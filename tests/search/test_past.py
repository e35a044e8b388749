"""Past: each record in the version that held at a moment."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from pinyon.model.record import Record
from pinyon.search.past import as_they_were
from pinyon.store.contract import Store
from tests.store.world import NOW, both_stores, commit, record, save

HOUR = timedelta(hours=1)


@pytest.fixture(params=[0, 1], ids=["memory", "sqlite"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with both_stores() as stores:
        yield stores[request.param]


def then(store: Store, as_of: datetime) -> dict[str, Record]:
    with store.snapshot() as view:
        return as_they_were(view, view.fetch(["fox"]), as_of)


@pytest.mark.proves("X5", part="validity")
def test_a_record_is_what_it_was_at_each_moment(store: Store) -> None:
    bodies = ("red", "brown", "grey")
    for at, body in enumerate(bodies):
        changed = NOW + at * HOUR
        save(store, record("fox", body=body, updated_at=changed), now=changed)
    told = [then(store, NOW + at * HOUR)["fox"].body for at in range(4)]
    assert told == ["red", "brown", "grey", "grey"]
    assert then(store, NOW + HOUR - HOUR / 60)["fox"].body == "red"


@pytest.mark.proves("X5", part="validity")
def test_what_was_forgotten_then_is_left_out(store: Store) -> None:
    save(store, record("fox", body="red"))
    commit(store, forget=["fox"], now=NOW + HOUR)
    save(store, record("fox", body="grey"), now=NOW + 2 * HOUR)
    assert then(store, NOW)["fox"].body == "red"
    assert then(store, NOW + HOUR) == {}
    assert then(store, NOW + 2 * HOUR)["fox"].body == "grey"


def test_the_history_counts_not_the_date_that_a_caller_gave(store: Store) -> None:
    save(store, record("fox", body="red"))
    save(store, record("fox", body="grey", updated_at=NOW), now=NOW + HOUR)
    assert then(store, NOW)["fox"].body == "red"


def test_without_history_a_record_is_as_it_is(store: Store) -> None:
    save(store, record("fox", body="red"))
    save(store, record("fox", body="grey"), now=NOW + HOUR, keep_history=False)
    assert then(store, NOW)["fox"].body == "grey"
