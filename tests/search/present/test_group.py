"""Groups: hits of one file, or parts of one record, are one hit that names the others."""

import pytest

from pinyon.model.ask import Ask
from pinyon.model.record import Record
from pinyon.search.present import CROWD, Presented, depth, seen_before
from pinyon.search.present.page import following
from tests.search.present.shown import Shelf, ids_of
from tests.store.world import NOW, record


def groups(shown: Presented) -> dict[str, tuple[str, ...]]:
    return {hit.id: hit.more for hit in shown.hits}


def part(id: str, kind: str = "doc") -> Record:
    return record(id, kind=kind, source=id.partition("#")[0])


@pytest.mark.proves("X18")
def test_hits_of_one_file_are_one_the_best_with_the_others_best_first() -> None:
    shelf = Shelf([part("b#2"), part("a#1"), part("b"), record("alone"), part("b#1"), part("a")])
    assert groups(shelf.show(group="file")) == {
        "b#2": ("b", "b#1"),
        "a#1": ("a",),
        "alone": (),
    }


@pytest.mark.proves("X18")
def test_the_limit_counts_groups_and_each_group_is_whole() -> None:
    crowd = [part(f"a#{at}") for at in range(40)]
    shelf = Shelf([*crowd, part("b"), part("c"), part("a")])
    shown = groups(shelf.show(group="file", limit=2))
    assert shown == {"a#0": (*(f"a#{at}" for at in range(1, 40)), "a"), "b": ()}


@pytest.mark.proves("X18")
def test_a_group_stands_on_one_page_only() -> None:
    shelf = Shelf([part("a#1"), part("b#1"), part("a#2"), part("c#1")])
    first = shelf.show(group="file", limit=1)
    assert groups(first) == {"a#1": ("a#2",)}
    grown = Shelf([*shelf.records, part("a#3")])
    second = grown.show(group="file", limit=2, cursor=first.next)
    assert groups(second) == {"b#1": (), "c#1": ()}
    assert second.next == ""


def test_more_is_searched_for_where_several_become_one() -> None:
    cursor = following(seen_before(""), ["a", "b", "c"])
    for group, crowd in {"": 1, "file": CROWD, "record": CROWD}.items():
        ask = Ask("amber", NOW, limit=7, group=group, cursor=cursor)
        assert depth(ask, seen_before(cursor)) == 7 * crowd + 3


def test_records_without_a_source_are_not_one_file() -> None:
    assert groups(Shelf([record("a"), record("b")]).show(group="file")) == {"a": (), "b": ()}


def test_a_file_whose_part_is_there_is_no_hit_of_its_group() -> None:
    shelf = Shelf([Record(id="file:a", kind="file", source="a"), part("a#1")])
    assert groups(shelf.show(group="file")) == {"a#1": ()}


@pytest.mark.proves("X18")
def test_sections_and_tasks_belong_to_their_document() -> None:
    shelf = Shelf([part("a#one"), part("a#two^task-buy", "task"), part("a"), part("b#one")])
    assert groups(shelf.show(group="record")) == {"a#one": ("a#two^task-buy", "a"), "b#one": ()}


def test_a_document_that_was_not_found_still_joins_its_sections() -> None:
    shelf = Shelf([part("a#one"), part("a#two"), part("a")])
    assert groups(shelf.show(ranked=["a#two", "a#one"], group="record")) == {"a#two": ("a#one",)}


@pytest.mark.proves("X18")
def test_methods_belong_to_their_class_and_a_class_not_to_what_stands_around_it() -> None:
    names = ("a", "a#Fox.run", "a#fly", "a#Fox", "a#Fox.Den.dig")
    shelf = Shelf([part(name, "code") for name in names])
    assert groups(shelf.show(group="record")) == {
        "a": (),
        "a#Fox.run": ("a#Fox", "a#Fox.Den.dig"),
        "a#fly": (),
    }


def test_pages_and_lines_of_a_file_are_records_of_their_own() -> None:
    shelf = Shelf([part(id) for id in ("a.pdf#page-1", "a.pdf#page-2", "b.jsonl#x", "b.jsonl#y")])
    assert len(groups(shelf.show(group="record"))) == 4
    assert ids_of(shelf.show(group="file")) == ["a.pdf#page-1", "b.jsonl#x"]
