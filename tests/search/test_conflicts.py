"""Conflicts: pairs that contradict each other, linked or found, until one of the two gives way."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from pinyon.engine import Engine
from pinyon.model.record import Edge, Record
from pinyon.search.conflicts import MOST_NAMESAKES, Conflict
from pinyon.store.contract import Store
from pinyon.store.questions import Joined, Titled, Titles
from tests.store.world import NOW, both_stores, commit, record, save, surveyed

DAY = timedelta(days=1)


def say(engine: Engine, **bodies: str) -> None:
    for id, body in bodies.items():
        engine.save(Record(id=id, title="API port", body=body))


def pairs(engine: Engine, scope: str = "") -> list[tuple[str, str]]:
    return [(one.one, one.other) for one in engine.conflicts(scope)]


@pytest.mark.proves("S14", part="lifecycle")
def test_a_contradiction_that_was_linked_is_listed_with_its_evidence(engine: Engine) -> None:
    for id in ("b", "a", "c"):
        engine.save(Record(id=id, body=f"text of {id}"))
    engine.link("b", "contradicts", "a", evidence="see the review")
    engine.link("b", "contradicts", "c")
    engine.link("a", "supports", "c")
    assert engine.conflicts() == [
        Conflict("a", "b", "contradicts: see the review", True),
        Conflict("b", "c", "contradicts", True),
    ]


@pytest.mark.proves("S14", part="lifecycle")
def test_records_of_one_name_that_differ_in_a_number_are_found(engine: Engine) -> None:
    say(engine, one="It listens on port 80.", two="Listens on port 8080", three="On a cloud")
    assert engine.conflicts() == [Conflict("one", "two", "80 against 8080", False)]


@pytest.mark.proves("S14", part="lifecycle")
def test_an_alias_is_a_name_whatever_its_case(engine: Engine) -> None:
    engine.save(Record(id="one", title="Service address", aliases=("API PORT",), body="Port 80"))
    engine.save(Record(id="two", title="api port", body="Service address: port 81"))
    assert pairs(engine) == [("one", "two")]


@pytest.mark.proves("S14", part="lifecycle")
def test_texts_without_a_common_name_are_found_where_they_say_the_same(engine: Engine) -> None:
    engine.save(Record(id="yes", title="Fridays", body="We deploy to production on quiet days."))
    engine.save(
        Record(id="no", title="Fridays too", body="We never deploy to production on quiet days.")
    )
    assert engine.conflicts() == [Conflict("no", "yes", "one says what the other denies", False)]


@pytest.mark.parametrize("parts", [{"kind": "note"}, {"scope": "team"}])
def test_records_of_another_kind_or_scope_speak_of_something_else(
    engine: Engine, parts: dict[str, Any]
) -> None:
    say(engine, one="Port 80")
    engine.save(Record(id="two", title="API port", body="Port 8080", **parts))
    assert engine.conflicts() == []


def test_sections_of_one_heading_are_no_conflict(engine: Engine) -> None:
    for minutes in (3, 4):
        body = f"Takes {minutes} minutes"
        engine.save(Record(id=f"in-{minutes}", kind="doc", title="Install", body=body))
    assert engine.conflicts() == []


def test_what_many_records_are_called_is_no_name(engine: Engine) -> None:
    def write(day: int) -> None:
        own = f"{chr(97 + day)}ik {chr(97 + day)}ok"
        body = f"Anna saw {day + 13} birds in the wood, later {own}"
        engine.save(Record(id=f"day-{day}", title="Diary", body=body))

    for day in range(MOST_NAMESAKES):
        write(day)
    assert len(pairs(engine)) == MOST_NAMESAKES * (MOST_NAMESAKES - 1) / 2
    write(MOST_NAMESAKES)
    assert pairs(engine) == []


RESOLVED: dict[str, Callable[[Engine], Any]] = {
    "corrected": lambda engine: engine.correct("one", body="Port 8080"),
    "superseded": lambda engine: engine.link("two", "supersedes", "one"),
    "forgotten": lambda engine: engine.forget("one"),
    "expired": lambda engine: engine.update("one", valid_until=NOW),
    "looked at": lambda engine: engine.link("one", "differs_from", "two"),
    "agreed": lambda engine: engine.update("one", body="Port 8080"),
}


@pytest.mark.proves("S14", part="lifecycle")
@pytest.mark.parametrize("how", RESOLVED)
def test_a_conflict_that_was_found_ends_when_one_gives_way(engine: Engine, how: str) -> None:
    say(engine, one="Port 80", two="Port 8080")
    assert pairs(engine) == [("one", "two")]
    RESOLVED[how](engine)
    assert pairs(engine) == []


LINK_RESOLVED: dict[str, Callable[[Engine], Any]] = {
    **{how: RESOLVED[how] for how in ("corrected", "superseded", "forgotten", "expired")},
    "unlinked": lambda engine: engine.unlink("two", "contradicts", "one"),
}


@pytest.mark.proves("S14", part="lifecycle")
@pytest.mark.parametrize("how", LINK_RESOLVED)
def test_a_conflict_that_was_linked_ends_when_one_gives_way(engine: Engine, how: str) -> None:
    for id in ("one", "two"):
        engine.save(Record(id=id, body=id))
    engine.link("two", "contradicts", "one")
    assert pairs(engine) == [("one", "two")]
    LINK_RESOLVED[how](engine)
    assert pairs(engine) == []


def test_corrections_that_disagree_are_a_conflict(engine: Engine) -> None:
    say(engine, old="Port 80", rival="Port 81")
    new = engine.correct("old", body="Port 8080")
    engine.link("rival", "supersedes", "old")
    assert pairs(engine) == [tuple(sorted([new, "rival"]))]


def test_a_scope_holds_its_own_conflicts_and_those_below(engine: Engine) -> None:
    for scope in ("team/api", "team", "other"):
        for port in (80, 81):
            id = f"{scope}-{port}"
            engine.save(Record(id=id, title="Port", body=f"It is port {port}", scope=scope))
    engine.link("team-80", "contradicts", "other-81")
    assert pairs(engine, "team/api") == [("team/api-80", "team/api-81")]
    assert pairs(engine, "team") == [
        ("other-81", "team-80"),
        ("team-80", "team-81"),
        ("team/api-80", "team/api-81"),
    ]
    assert len(pairs(engine)) == 4
    assert pairs(engine, "nowhere") == []


@pytest.fixture(params=[0, 1], ids=["memory", "sqlite"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with both_stores() as stores:
        yield stores[request.param]


def test_a_store_tells_what_its_records_are_called(store: Store) -> None:
    save(
        store,
        record("b", title="Title", aliases=("x", "y"), body="text"),
        record("a", body="w" * 300, scope="team"),
        record("c", kind="note", title="Other kind"),
        record("d", title="Gone"),
    )
    commit(store, forget=["d"])
    every = [
        Titled("a", "memory", "team", "w" * 200, ()),
        Titled("b", "memory", "", "Title", ("x", "y")),
    ]
    assert surveyed(store, Titles(("memory",))) == every
    assert surveyed(store, Titles(("memory",), "team")) == every[:1]


def test_a_store_tells_the_edges_of_a_relation(store: Store) -> None:
    save(store, record("a"), record("b"), record("c"))
    edges = [Edge("a", "contradicts", "b"), Edge("b", "contradicts", "c"), Edge("a", "about", "c")]
    commit(store, edges=edges)
    assert surveyed(store, Joined("contradicts")) == edges[:2]
    commit(store, forget=["c"])
    assert surveyed(store, Joined("contradicts")) == edges[:1]
