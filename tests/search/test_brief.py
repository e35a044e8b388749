"""Brief: without a question, what matters now, in as many tokens as there are."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.record import Edge
from pinyon.model.use import Noted, Use
from pinyon.search.brief import LINE, SECTIONS, Brief, brief
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from pinyon.store.sqlite import SqliteStore
from tests.engine.opened import PLACES
from tests.store.world import LATER, NOW, commit, record, save

DAY = timedelta(days=1)


class Torn(NamedTuple):
    one: str
    other: str
    why: str = "80 against 8080"


@pytest.fixture(params=PLACES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each kind."""
    made: Store = (
        MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "brief.pinyon")
    )
    yield made
    made.close()


def briefed(store: Store, **parts: Any) -> Brief:
    with store.snapshot() as view:
        return brief(view, **{"now": NOW, **parts})


def ids(brief: Brief) -> dict[str, list[str]]:
    """Section to the ids of its items; without empty ones."""
    return {section.name: [item.id for item in section] for section in brief if section.items}


@pytest.mark.proves("X16")
def test_it_holds_what_is_important_recent_to_be_done_and_in_conflict(store: Store) -> None:
    save(
        store,
        record("rule", importance=5, updated_at=NOW - 400 * DAY),
        record("news"),
        record("chore", kind="task", status="open", due=NOW - DAY, updated_at=NOW - 300 * DAY),
        record("port80", updated_at=NOW - DAY),
        record("port8080", updated_at=NOW - DAY),
    )
    found = briefed(store, conflicts=[Torn("port80", "port8080")])
    assert ids(found) == {
        "important": ["rule"],
        "recent": ["news"],
        "tasks": ["chore"],
        "conflicts": ["port80", "port8080"],
    }
    assert [section.name for section in found] == list(SECTIONS)
    assert {item.id: item.why for section in found for item in section} == {
        "rule": "importance 5",
        "news": "changed 2026-03-01",
        "chore": "overdue since 2026-02-28",
        "port80": "conflicts with port8080: 80 against 8080",
        "port8080": "conflicts with port80: 80 against 8080",
    }


@pytest.mark.proves("X16")
def test_a_record_with_several_reasons_stands_there_once(store: Store) -> None:
    save(
        store,
        record("a", kind="task", importance=5, due=NOW),
        record("b", kind="task", importance=5),
        record("c", importance=5),
        record("d"),
    )
    found = ids(briefed(store, conflicts=[Torn("a", "d"), Torn("a", "c")]))
    assert found == {"conflicts": ["a", "d", "c"], "tasks": ["b"]}


@pytest.mark.proves("X16")
def test_what_is_superseded_expired_not_yet_valid_or_forgotten_is_out(store: Store) -> None:
    parts: dict[str, Any] = {"kind": "task", "importance": 5, "due": NOW}
    save(
        store,
        record("new", **parts),
        record("old", **parts),
        record("older", **parts),
        record("over", valid_until=NOW, **parts),
        record("soon", valid_from=LATER, **parts),
        record("gone", **parts),
        edges=[Edge("new", "supersedes", "old"), Edge("old", "supersedes", "older")],
    )
    commit(store, forget=["gone"])
    torn = [Torn("new", name) for name in ("old", "over", "soon", "gone")]
    assert ids(briefed(store, conflicts=torn)) == {"tasks": ["new"]}


def test_records_that_supersede_each_other_all_stay(store: Store) -> None:
    edges = [Edge(one, "supersedes", two) for one, two in ("ab", "bc", "ca")]
    save(store, *(record(id) for id in "abcd"), edges=[*edges, Edge("a", "supersedes", "d")])
    assert ids(briefed(store)) == {"recent": ["a", "b", "c", "d"]}


@pytest.mark.proves("X16")
def test_only_what_is_in_the_scope_matters(store: Store) -> None:
    save(
        store,
        record("in", scope="team/api", importance=5),
        record("out", scope="team/apis", importance=5),
    )
    torn = [Torn("in", "out")]
    assert ids(briefed(store, scope="team/api", conflicts=torn)) == {"important": ["in"]}


def test_only_the_kinds_that_are_asked_for_are_there_and_no_bare_files(store: Store) -> None:
    save(store, record("note", kind="note"), record("todo", kind="task"), record("f", kind="file"))
    assert ids(briefed(store)) == {"recent": ["note"], "tasks": ["todo"]}
    assert ids(briefed(store, kinds=["note"])) == {"recent": ["note"]}
    assert ids(briefed(store, kinds=["file"])) == {"recent": ["f"]}


@pytest.mark.proves("X16")
def test_tasks_that_are_due_come_first_and_done_ones_not_at_all(store: Store) -> None:
    save(
        store,
        record("some", kind="task", status="waiting", updated_at=NOW - DAY),
        record("next", kind="task", status="open", due=NOW + DAY),
        record("late", kind="task", due=NOW - DAY),
        *(record(state, kind="task", status=state) for state in ("done", "closed", "cancelled")),
    )
    items = briefed(store)["tasks"].items
    assert [(item.id, item.why) for item in items] == [
        ("late", "overdue since 2026-02-28"),
        ("next", "due 2026-03-02"),
        ("some", "waiting"),
    ]


def test_of_equally_important_records_the_stronger_comes_first(store: Store) -> None:
    save(
        store,
        record("most", importance=5, updated_at=NOW - 900 * DAY),
        record("fresh", importance=4, updated_at=NOW - 10 * DAY),
        record("stale", importance=4, updated_at=NOW - 90 * DAY),
        record("used", importance=4, updated_at=NOW - 90 * DAY),
        record("lasting", importance=4, updated_at=NOW - 90 * DAY, half_life=10_000),
    )
    use = Use(1, NOW - DAY, strength=0.5, stability=30, difficulty=5, reviews=0)
    assert store.note(Noted({"used": use}))
    strengths = {
        "fresh": 0.5 ** (10 / 30),
        "stale": 0.5 ** (90 / 30),
        "used": 0.5 * 0.5 ** (1 / 30),
        "lasting": 0.5 ** (90 / 10_000),
    }
    expected = ["most", *sorted(strengths, key=lambda id: -strengths[id])]
    assert ids(briefed(store))["important"] == expected


def test_of_a_file_only_the_part_that_changed_last_is_recent(store: Store) -> None:
    save(
        store,
        record("a", source="a.md", updated_at=NOW - DAY),
        record("a#new", source="a.md"),
        record("by hand"),
    )
    assert ids(briefed(store)) == {"recent": ["a#new", "by hand"]}


@pytest.mark.proves("X16")
def test_each_section_has_its_share_and_what_it_leaves_goes_to_the_others(store: Store) -> None:
    body = "word " * 100
    save(
        store,
        record("task", kind="task", updated_at=NOW - DAY),
        *(record(f"i{at:02}", importance=5, body=body, updated_at=LATER) for at in range(30)),
        *(record(f"r{at:02}", body=body) for at in range(30)),
    )
    found = briefed(store, tokens=900)
    sizes = {section.name: sum(item.tokens for item in section) for section in found}
    longest = max(item.tokens for section in found for item in section)
    assert len(found["tasks"]) == 1
    assert abs(sizes["important"] - sizes["recent"]) < 2 * longest
    assert 900 - longest < sum(sizes.values()) == found.tokens <= 900
    there = {"important": 30, "recent": 30, "tasks": 1, "conflicts": 0}
    assert {section.name: section.left + len(section) for section in found} == there


def test_a_line_is_the_beginning_of_the_text_cut_between_words(store: Store) -> None:
    save(store, record("long", body="one\n two " * 100), record("wide", body="知" * 500))
    lines = {item.id: item.line for item in briefed(store)["recent"]}
    assert lines["wide"] == "知" * LINE + "…"
    assert lines["long"] == ("one two " * 20)[:LINE].rpartition(" ")[0] + "…"


def test_an_empty_store_gives_an_empty_brief(store: Store) -> None:
    found = briefed(store)
    assert (ids(found), found.tokens, found.at) == ({}, 0, NOW)


def world(sizes: Sequence[int]) -> MemoryStore:
    store = MemoryStore()
    kinds = ("task", "note")
    save(store, *(
        record(f"r{at}", kind=kinds[at % 2], importance=1 + at % 5, body="x " * size)
        for at, size in enumerate(sizes)
    ))  # fmt: skip
    return store


@pytest.mark.proves("X16")
@given(st.lists(st.integers(0, 200), max_size=20), st.integers(0, 600))
def test_it_never_exceeds_its_tokens(sizes: list[int], tokens: int) -> None:
    found = briefed(world(sizes), tokens=tokens)
    items = [item for section in found for item in section]
    for item in items:
        shown = len(item.id) + len(item.title) + len(item.line) + len(item.why)
        assert item.tokens - 1 < shown / 4 <= item.tokens
    assert sum(item.tokens for item in items) == found.tokens <= tokens
    assert len(items) + sum(section.left for section in found) == len(sizes)
    assert len({item.id for item in items}) == len(items)
