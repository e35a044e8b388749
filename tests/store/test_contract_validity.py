"""What is valid at a moment: out of every answer before it begins and after it ends."""

from datetime import datetime, timedelta

import pytest

from pinyon.model.query import Filters
from pinyon.store.contract import Store
from tests.store.world import (
    EAST,
    FIRST,
    NOW,
    ask,
    commit,
    embed,
    filtered,
    found,
    near,
    record,
    save,
)

DAY = timedelta(days=1)


def saved(store: Store) -> None:
    save(
        store,
        record("always", body="amber", kind="note"),
        record("from", body="amber", valid_from=NOW),
        record("until", body="amber", valid_until=NOW),
        record("between", body="amber", valid_from=NOW - DAY, valid_until=NOW + DAY),
        use=FIRST,
    )
    embed(store, {"amber": EAST})


AT = [
    (NOW - 2 * DAY, {"always", "until"}),
    (NOW - DAY, {"always", "until", "between"}),
    (NOW - timedelta(microseconds=1), {"always", "until", "between"}),
    (NOW, {"always", "from", "between"}),
    (NOW + DAY, {"always", "from"}),
    (None, {"always", "from", "until", "between"}),
]


@pytest.mark.proves("X5", part="validity")
@pytest.mark.parametrize(("at", "ids"), AT)
def test_only_what_is_valid_at_the_moment_passes(
    store: Store, at: datetime | None, ids: set[str]
) -> None:
    saved(store)
    filters = Filters(at=at)
    for request in (*filtered(filters), near(EAST, filters=filters)):
        assert set(found(store, request)) == ids
    with store.snapshot() as view:
        assert view.passing(["always", "from", "until", "between"], filters) == ids


@pytest.mark.proves("X5", part="validity")
def test_other_filters_hold_beside_the_moment(store: Store) -> None:
    saved(store)
    for at, ids in AT:
        for filters, more in [
            (Filters(at=at, kinds=("note",)), {"always"}),
            (Filters(at=at, without=("note",)), ids - {"always"}),
            (Filters(at=at, kinds=("note",), without=("note",)), set()),
        ]:
            for request in (*filtered(filters), near(EAST, filters=filters)):
                assert set(found(store, request)) == more


@pytest.mark.proves("X5", part="validity")
def test_what_is_not_valid_is_not_judged_either(store: Store) -> None:
    saved(store)
    among = ("until", "from")
    filters = Filters(at=NOW)
    for request in (ask("amber", filters=filters), near(EAST, filters=filters)):
        assert found(store, request._replace(among=among)) == ["from"]


@pytest.mark.proves("X5", part="validity")
def test_what_is_not_valid_takes_nobodys_place(store: Store) -> None:
    better = [
        record(f"r{number}", title="amber", body="amber", valid_until=NOW, updated_at=NOW + DAY)
        for number in range(40)
    ]
    save(store, *better, record("only", body="amber in a long text"), use=FIRST)
    embed(store, {"amber": EAST})
    filters = Filters(at=NOW)
    for request in (*filtered(filters, limit=1), near(EAST, filters=filters, limit=1)):
        assert found(store, request) == ["only"]


def test_the_moment_follows_every_change(store: Store) -> None:
    saved(store)
    save(store, record("from", body="amber", valid_from=NOW + DAY))
    commit(store, forget=["between"])
    for request in (*filtered(Filters(at=NOW)), near(EAST, filters=Filters(at=NOW))):
        assert set(found(store, request)) == {"always"}
