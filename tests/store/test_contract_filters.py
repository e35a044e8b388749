"""What filters promise: they hold for every channel, and they apply before the limit."""

from datetime import timedelta

import pytest

from pinyon.model.query import Filters
from pinyon.store.contract import Store
from tests.store.world import NOW, commit, filtered, found, record, save

DAY = timedelta(days=1)


def expect(store: Store, filters: Filters, ids: set[str]) -> None:
    for request in filtered(filters):
        assert set(found(store, request)) == ids


@pytest.mark.proves("V17")
@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(), {"a", "b", "c", "d"}),
        (Filters(kinds=("note",)), {"a", "b"}),
        (Filters(kinds=("note", "task")), {"a", "b", "c"}),
        (Filters(domains=("farm",)), {"a", "c"}),
        (Filters(domains=("farm", "wood")), {"a", "b", "c"}),
        (Filters(severities=("critical",)), {"a"}),
        (Filters(severities=("critical", "warning")), {"a", "b"}),
        (Filters(authors=("Ann", "Bob")), {"a", "d"}),
        (Filters(tags=("wild",)), {"a", "b", "c"}),
        (Filters(tags=("wild", "red")), {"a", "c"}),
        (Filters(tags=("Wild",)), {"d"}),
        (Filters(kinds=("note",), tags=("red",), domains=("farm",)), {"a"}),
        (Filters(kinds=("note",), severities=("suggestion",)), set()),
    ],
)
def test_records_pass_that_have_the_values(store: Store, filters: Filters, ids: set[str]) -> None:
    save(
        store,
        record(
            "a",
            body="amber",
            kind="note",
            tags=("wild", "red"),
            domain="farm",
            severity="critical",
            author="Ann",
        ),
        record("b", body="amber", kind="note", tags=("wild",), domain="wood", severity="warning"),
        record("c", body="amber", kind="task", tags=("red", "wild"), domain="farm"),
        record("d", body="amber", kind="code", tags=("Wild",), author="Bob"),
    )
    expect(store, filters, ids)


@pytest.mark.proves("S18")
@pytest.mark.parametrize(
    ("scope", "ids"),
    [
        ("team", {"team", "team/api", "team/api/v1", "team/api2", "team/web", "team/a_i"}),
        ("team/api", {"team/api", "team/api/v1"}),
        ("team/api/v1", {"team/api/v1"}),
        ("team/a_i", {"team/a_i"}),
        ("team/%", set()),
        ("api", set()),
        ("", {"none", "team", "team/api", "team/api/v1", "team/api2", "team/web", "team/a_i"}),
    ],
)
def test_a_scope_means_it_and_everything_below(store: Store, scope: str, ids: set[str]) -> None:
    scopes = ["team", "team/api", "team/api/v1", "team/api2", "team/web", "team/a_i"]
    save(store, record("none", body="amber"), *(record(s, body="amber", scope=s) for s in scopes))
    expect(store, Filters(scopes=(scope,) if scope else ()), ids)


@pytest.mark.proves("S18")
def test_several_scopes_mean_any_of_them(store: Store) -> None:
    save(store, *(record(s, body="amber", scope=s) for s in ("team", "team/api", "home", "work")))
    expect(store, Filters(scopes=("team/api", "home")), {"team/api", "home"})


def test_since_is_included_and_until_is_not(store: Store) -> None:
    dates = {"a": NOW - DAY, "b": NOW, "c": NOW + DAY}
    save(store, *(record(id, body="amber", created_at=date) for id, date in dates.items()))
    expect(store, Filters(since=NOW), {"b", "c"})
    expect(store, Filters(until=NOW), {"a"})
    expect(store, Filters(since=NOW, until=NOW + DAY), {"b"})


@pytest.mark.proves("S18")
def test_filters_apply_before_the_limit(store: Store) -> None:
    better = [
        record(f"r{number}", title="amber amber", body="amber", updated_at=NOW + DAY)
        for number in range(40)
    ]
    save(store, *better, record("only", body="amber in a long text", scope="team"))
    for request in filtered(Filters(scopes=("team",)), limit=1):
        assert found(store, request) == ["only"]


@pytest.mark.proves("V17")
def test_filters_follow_every_change(store: Store) -> None:
    save(store, record("a", body="amber", kind="note", tags=("wild",), scope="x"))
    save(store, record("a", body="amber", kind="task", tags=("tame",), scope="y"))
    expect(store, Filters(kinds=("note",)), set())
    expect(store, Filters(kinds=("task",), tags=("tame",), scopes=("y",)), {"a"})


@pytest.mark.proves("P5")
def test_a_renamed_tag_is_filtered_by_its_new_name_only(store: Store) -> None:
    save(store, record("a", body="amber", tags=("wild",)))
    commit(store, rename_tags={"wild": "tame"})
    expect(store, Filters(tags=("wild",)), set())
    expect(store, Filters(tags=("tame",)), {"a"})


def test_a_filter_keeps_the_scores_as_they_are(store: Store) -> None:
    save(store, record("a", body="amber", kind="note"), record("b", body="amber sky", kind="task"))
    with store.snapshot() as view:
        everything, notes = view.retrieve(
            [filtered(Filters())[0], filtered(Filters(kinds=("note",)))[0]]
        )
    assert notes.matches == tuple(match for match in everything.matches if match.id == "a")
