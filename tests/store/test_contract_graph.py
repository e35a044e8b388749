"""What hops promise: from record to record, through placeholders, never to what is forgotten."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.model.query import NAMES, Filters, Neighbours, Step
from pinyon.model.record import Edge
from pinyon.store.contract import Store
from tests.store.world import LATER, NOW, both_stores, commit, filtered, found, record, save

DAY = timedelta(days=1)


def steps(store: Store, *ids: str, **how: Any) -> list[Step]:
    with store.snapshot() as view:
        return view.neighbours(Neighbours(ids, **how))


def passing(store: Store, ids: Sequence[str], filters: Filters) -> set[str]:
    with store.snapshot() as view:
        return view.passing(ids, filters)


def saved(store: Store, ids: str, *edges: Edge) -> None:
    save(store, *map(record, ids), edges=edges)


def test_an_edge_is_a_hop_from_each_of_its_ends(store: Store) -> None:
    saved(store, "ab", Edge("a", "links", "b", 0.5))
    assert steps(store, "a") == [Step("a", "b", "links", False, 0.5)]
    assert steps(store, "b") == [Step("b", "a", "links", True, 0.5)]


def test_hops_come_for_all_records_at_once_ordered_as_their_fields_are(store: Store) -> None:
    saved(store, "abc", Edge("b", "links", "a"), Edge("a", "r", "c"), Edge("a", "links", "b"))
    assert steps(store, "b", "a", "a") == [
        Step("a", "b", "links", False, 1.0),
        Step("a", "b", "links", True, 1.0),
        Step("a", "c", "r", False, 1.0),
        Step("b", "a", "links", False, 1.0),
        Step("b", "a", "links", True, 1.0),
    ]


@pytest.mark.proves("G9")
def test_a_hop_goes_through_a_placeholder_with_both_strengths(store: Store) -> None:
    saved(store, "abc", Edge("a", "links", "@b", 0.5), Edge("b", NAMES, "@b", 0.5))
    commit(store, edges=[Edge("c", NAMES, "@b")])
    assert steps(store, "a") == [
        Step("a", "b", "links", False, 0.25),
        Step("a", "c", "links", False, 0.5),
    ]
    assert steps(store, "b") == [Step("b", "a", "links", True, 0.25)]
    assert steps(store, "@b") == []


@pytest.mark.proves("G9")
def test_a_placeholder_that_nothing_is_named_by_leads_nowhere(store: Store) -> None:
    saved(store, "ab", Edge("a", "links", "@x"), Edge("b", "links", "@x"))
    assert steps(store, "a", "b") == []


def test_records_of_the_same_name_are_not_joined_by_it(store: Store) -> None:
    saved(store, "ab", Edge("a", NAMES, "@x"), Edge("b", NAMES, "@x"))
    assert steps(store, "a", "b") == []
    assert steps(store, "a", "b", relations=(NAMES,)) == []


def test_the_strongest_of_several_equal_ways_counts_once(store: Store) -> None:
    names = [Edge("b", NAMES, "@b"), Edge("b", NAMES, "@bee")]
    links = [Edge("a", "links", "@b", 0.2), Edge("a", "links", "@bee", 0.6)]
    saved(store, "ab", *names, *links, Edge("a", "links", "b", 0.4))
    assert steps(store, "a") == [Step("a", "b", "links", False, 0.6)]
    assert steps(store, "b") == [Step("b", "a", "links", True, 0.6)]


def test_no_hop_leads_back_to_where_it_began(store: Store) -> None:
    saved(store, "a", Edge("a", "links", "a"), Edge("a", "links", "@a"), Edge("a", NAMES, "@a"))
    assert steps(store, "a") == []


def test_nothing_leads_to_or_from_a_forgotten_record(store: Store) -> None:
    saved(store, "abc", Edge("a", "links", "b"), Edge("a", "links", "@c"), Edge("c", NAMES, "@c"))
    commit(store, forget=["b", "c"])
    assert steps(store, "a", "b", "c") == []


@pytest.mark.proves("G3")
def test_a_one_way_relation_is_not_followed_backwards(store: Store) -> None:
    edges = [Edge("a", "imports", "b"), Edge("a", "imports", "@c"), Edge("c", NAMES, "@c")]
    saved(store, "abc", *edges, Edge("a", "links", "b"))
    assert steps(store, "a", "b", "c", one_way=("imports",)) == [
        Step("a", "b", "imports", False, 1.0),
        Step("a", "b", "links", False, 1.0),
        Step("a", "c", "imports", False, 1.0),
        Step("b", "a", "links", True, 1.0),
    ]


@pytest.mark.parametrize("target", ["z", "@z"])
@pytest.mark.parametrize(("popular", "followed"), [(0, True), (2, False), (3, True)])
def test_a_one_way_relation_is_not_followed_to_what_too_many_have_it_with(
    store: Store, target: str, popular: int, followed: bool
) -> None:
    edges = [Edge(id, "imports", target) for id in "abc"]
    saved(store, "abcz", *edges, Edge("z", NAMES, "@z"), Edge("b", "links", target))
    there = [Step("a", "z", "imports", False, 1.0)] if followed else []
    assert steps(store, "a", one_way=("imports",), popular=popular) == there
    # Only one-way relations are too popular.
    assert steps(store, "a", popular=popular) == [Step("a", "z", "imports", False, 1.0)]


def test_only_the_relations_asked_for_are_followed(store: Store) -> None:
    saved(store, "ab", Edge("a", "links", "b"), Edge("a", "extends", "b"), Edge("b", "r", "a"))
    assert steps(store, "a", relations=("extends", "r")) == [
        Step("a", "b", "extends", False, 1.0),
        Step("a", "b", "r", True, 1.0),
    ]


ENDS = st.sampled_from(["a", "b", "c", "d", "@x", "@y"])
EDGES = st.lists(
    st.builds(
        Edge,
        st.sampled_from("abcd"),
        st.sampled_from(["imports", "links", NAMES]),
        ENDS,
        st.sampled_from([0.0, 0.5, 1.0]),
    ),
    max_size=14,
)


@settings(max_examples=60, deadline=None)
@given(EDGES, st.integers(0, 2), st.sampled_from([(), ("imports",)]), st.sampled_from(["", "d"]))
def test_the_stores_agree_about_every_hop(
    edges: list[Edge], popular: int, one_way: tuple[str, ...], forgotten: str
) -> None:
    with both_stores() as stores:
        for store in stores:
            saved(store, "abcd", *edges)
            commit(store, forget=list(forgotten))
        memory, sqlite = (
            steps(store, "a", "b", "d", "@x", one_way=one_way, popular=popular) for store in stores
        )
    assert memory == sqlite
    assert memory == sorted(set(memory))


def test_those_pass_that_can_be_found_and_have_the_values(store: Store) -> None:
    save(store, record("a", kind="note"), record("b", kind="note", scope="x"), record("c"))
    commit(store, forget=["c"])
    ids = ("a", "b", "c", "@x", "nobody")
    assert passing(store, ids, Filters()) == {"a", "b"}
    assert passing(store, ids, Filters(kinds=("note",), scopes=("x",))) == {"b"}
    assert passing(store, ("a",), Filters(without=("note",))) == set()


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(without=("file",)), {"a", "b"}),
        (Filters(without=("file", "task")), {"a"}),
        (Filters(without=("page",)), {"a", "b", "c"}),
        (Filters(kinds=("note", "file"), without=("file",)), {"a"}),
    ],
)
def test_nothing_passes_of_a_kind_that_is_left_out(
    store: Store, filters: Filters, ids: set[str]
) -> None:
    kinds = {"a": "note", "b": "task", "c": "file"}
    save(store, *(record(id, body="amber", kind=kind) for id, kind in kinds.items()))
    for request in filtered(filters):
        assert set(found(store, request)) == ids


@pytest.mark.proves("X5", part="validity")
def test_edges_that_were_made_later_do_not_count(store: Store) -> None:
    saved(
        store,
        "abcd",
        Edge("a", "links", "b", created_at=NOW),
        Edge("a", "links", "c", created_at=LATER),
        Edge("a", "links", "d"),
    )
    assert [step.end for step in steps(store, "a", before=NOW)] == ["b", "d"]
    assert [step.end for step in steps(store, "a", before=NOW - DAY)] == ["d"]
    assert [step.end for step in steps(store, "a", before=LATER)] == ["b", "c", "d"]
    assert [step.end for step in steps(store, "a", before=NOW, relations=("links",))] == ["b", "d"]


def test_a_name_that_was_given_later_leads_nowhere(store: Store) -> None:
    edges = [Edge("a", "links", "@b"), Edge("b", NAMES, "@b", created_at=LATER)]
    saved(store, "ab", *edges)
    assert (steps(store, "a", before=NOW), steps(store, "b", before=NOW)) == ([], [])
    assert [step.end for step in steps(store, "a", before=LATER)] == ["b"]


def test_edges_that_were_made_later_make_nothing_popular(store: Store) -> None:
    edges = [Edge("a", "links", "c"), Edge("b", "links", "c", created_at=LATER)]
    saved(store, "abc", *edges)
    how = {"one_way": ("links",), "popular": 1}
    assert steps(store, "a", **how) == []
    assert [step.end for step in steps(store, "a", before=NOW, **how)] == ["c"]
