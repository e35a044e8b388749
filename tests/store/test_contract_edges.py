"""What edges promise: one per identity, never to nobody, out of sight with what was forgotten."""

import pytest

from pinyon.model.errors import UnknownRecord
from pinyon.model.record import Edge
from pinyon.store.contract import Store
from pinyon.store.questions import Edges
from tests.store.world import NOW, commit, record, save, surveyed


def all_edges(store: Store) -> list[Edge]:
    with store.snapshot() as view:
        return list(view.all_edges())


def test_an_edge_is_read_back_as_it_was_given(store: Store) -> None:
    edge = Edge("fox", "eats", "hen", 0.25, "feathers at the den", NOW)
    save(store, record("fox"), record("hen"), edges=[edge])
    assert surveyed(store, Edges(("fox",))) == [edge]
    assert all_edges(store) == [edge]


def test_an_edge_is_written_over_the_one_with_its_identity(store: Store) -> None:
    save(store, record("fox"), record("hen"), edges=[Edge("fox", "eats", "hen", 0.25, "a guess")])
    commit(store, edges=[Edge("fox", "eats", "hen", 0.75, "seen")])
    assert all_edges(store) == [Edge("fox", "eats", "hen", 0.75, "seen")]


def test_another_relation_or_direction_is_another_edge(store: Store) -> None:
    edges = [Edge("fox", "eats", "hen"), Edge("fox", "sees", "hen"), Edge("hen", "sees", "fox")]
    save(store, record("fox"), record("hen"), edges=edges)
    assert all_edges(store) == edges


def test_unlinking_removes_the_edge_with_that_identity_only(store: Store) -> None:
    edges = [Edge("fox", "eats", "hen", 0.5, "feathers"), Edge("fox", "sees", "hen")]
    save(store, record("fox"), record("hen"), edges=edges)
    commit(store, unlink=[Edge("fox", "eats", "hen")])
    assert all_edges(store) == edges[1:]


def test_edges_of_several_records_come_once_each_and_in_order(store: Store) -> None:
    edges = [Edge("a", "r", "b"), Edge("a", "s", "a"), Edge("b", "r", "c"), Edge("c", "r", "d")]
    save(store, *map(record, "abcd"), edges=edges[::-1])
    assert surveyed(store, Edges(("b", "a"))) == edges[:3]
    assert all_edges(store) == edges


@pytest.mark.parametrize("edge", [Edge("fox", "eats", "yeti"), Edge("yeti", "eats", "fox")])
def test_an_edge_needs_both_of_its_ends(store: Store, edge: Edge) -> None:
    save(store, record("fox"))
    with pytest.raises(UnknownRecord) as refused:
        commit(store, edges=[edge])
    assert refused.value.ids == ("yeti",)


def test_an_end_that_begins_with_an_at_sign_needs_no_record(store: Store) -> None:
    edge = Edge("fox", "known_to", "@farmer")
    save(store, record("fox"), edges=[edge])
    assert surveyed(store, Edges(("@farmer",))) == [edge]


def test_a_forgotten_record_is_no_end_for_a_new_edge(store: Store) -> None:
    save(store, record("fox"), record("hen"))
    commit(store, forget=["hen"])
    with pytest.raises(UnknownRecord) as refused:
        commit(store, edges=[Edge("fox", "eats", "hen")])
    assert refused.value.ids == ("hen",)


def test_unlinking_what_is_not_linked_changes_nothing(store: Store) -> None:
    save(store, record("fox"))
    receipt = commit(store, unlink=[Edge("fox", "eats", "hen"), Edge("yeti", "eats", "fox")])
    assert receipt.revision == 1
    assert all_edges(store) == []


def test_an_edge_may_be_written_with_the_record_that_it_needs(store: Store) -> None:
    save(store, record("fox"))
    save(store, record("hen"), edges=[Edge("fox", "eats", "hen")])
    assert all_edges(store) == [Edge("fox", "eats", "hen")]


def test_edges_hide_while_an_end_is_forgotten_and_show_when_it_comes_back(store: Store) -> None:
    edge = Edge("fox", "eats", "hen")
    save(store, record("fox"), record("hen"), edges=[edge])
    commit(store, forget=["hen"])
    hidden = surveyed(store, Edges(("fox", "hen")))
    save(store, record("hen"))
    assert (hidden, surveyed(store, Edges(("fox", "hen")))) == ([], [edge])


def test_edges_of_forgotten_records_are_still_among_all_edges(store: Store) -> None:
    save(store, record("fox"), record("hen"), edges=[Edge("fox", "eats", "hen")])
    commit(store, forget=["hen"])
    assert all_edges(store) == [Edge("fox", "eats", "hen")]


def test_a_purge_takes_the_edges_at_both_ends_with_it(store: Store) -> None:
    edges = [Edge("fox", "eats", "hen"), Edge("hen", "fears", "fox"), Edge("hen", "likes", "hen")]
    save(store, record("fox"), record("hen"), edges=edges)
    commit(store, purge=["fox"])
    assert all_edges(store) == [Edge("hen", "likes", "hen")]


def test_a_move_takes_the_edges_along(store: Store) -> None:
    edges = [
        Edge("fox", "eats", "hen", 0.5),
        Edge("fox", "likes", "fox"),
        Edge("hen", "sees", "fox"),
    ]
    save(store, record("fox"), record("hen"), edges=edges)
    commit(store, moves={"fox": "vixen"})
    assert all_edges(store) == [
        Edge("hen", "sees", "vixen"),
        Edge("vixen", "eats", "hen", 0.5),
        Edge("vixen", "likes", "vixen"),
    ]
