"""What a store knows of itself: counts that follow every change."""

import pytest

from pinyon.model.query import FIELDS
from pinyon.model.record import Edge
from pinyon.store.contract import Store
from pinyon.store.questions import Counts, Files, FileState, Folders, Size, Values, Vocabulary
from tests.store.world import commit, record, save, surveyed

READ = FileState("sub/a.md", 1_700_000_000_123_456_789, 42, "abc", ("one", "two"))


def test_the_vocabulary_counts_records_not_occurrences(store: Store) -> None:
    save(
        store,
        record("a", title="fox", body="fox fox"),
        record("b", tags=("fox",)),
        record("c", body="hen"),
    )
    asked = Vocabulary(("fox", "hen", "yeti"))
    assert surveyed(store, asked) == {"fox": 2, "hen": 1, "yeti": 0}


def test_the_vocabulary_forgets_with_the_records(store: Store) -> None:
    save(store, record("a", body="fox"), record("b", body="fox"), record("c", body="fox hen"))
    commit(store, forget=["a"], purge=["c"])
    assert surveyed(store, Vocabulary(("fox", "hen"))) == {"fox": 1, "hen": 0}


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("tags", [("wild", 2), ("red", 1), ("shy", 1)]),
        ("domain", [("farm", 2), ("wood", 1)]),
        ("kind", [("note", 2), ("task", 1)]),
        ("author", [("Reynard", 1)]),
        ("scope", [("a/b", 2), ("a", 1)]),
    ],
)
def test_values_come_most_first_without_the_empty_one(
    store: Store, field: str, expected: list[tuple[str, int]]
) -> None:
    save(
        store,
        record("1", kind="note", tags=("wild", "shy"), domain="farm", author="Reynard", scope="a"),
        record("2", kind="note", tags=("wild", "red"), domain="farm", scope="a/b"),
        record("3", kind="task", domain="wood", scope="a/b"),
        record("4", kind="code", tags=("gone",), domain="wood", author="Nobody", scope="c"),
    )
    commit(store, forget=["4"])
    assert list(surveyed(store, Values(field)).items()) == expected


def test_the_size_counts_what_the_store_holds(store: Store) -> None:
    save(
        store,
        record("a", kind="task", title="one two", body="three four five"),
        record("b", kind="note", body="six", tags=("seven", "eight")),
        record("c", kind="note", source="nine"),
        record("d", kind="code", body="ten"),
        edges=[Edge("a", "to", "b"), Edge("a", "to", "d")],
    )
    save(store, record("b", kind="note", body="six six", tags=("seven", "eight")))
    commit(store, forget=["d"])
    size = surveyed(store, Size())
    tokens = {"id": 3, "title": 2, "aliases": 0, "body": 5, "context": 0, "tags": 2, "path": 1}
    expected = Counts(
        revision=3,
        kinds={"note": 2, "task": 1},
        forgotten=1,
        edges=2,
        versions=2,
        documents=3,
        tokens=tokens,
        passages=2,
        bytes=size.bytes,
    )
    assert size == expected
    assert list(size.kinds) == ["note", "task"]


def test_an_empty_store_holds_nothing(store: Store) -> None:
    size = surveyed(store, Size())
    nothing = dict.fromkeys(FIELDS, 0)
    assert size == Counts(0, {}, 0, 0, 0, 0, nothing, 0, size.bytes)


def test_settings_are_kept_replaced_and_removed(store: Store) -> None:
    commit(store, settings={"colour": "red", "size": "big", "shape": "round"})
    commit(store, settings={"colour": "blue", "shape": None, "unheard": None})
    with store.snapshot() as view:
        assert list(view.settings().items()) == [("colour", "blue"), ("size", "big")]


def test_folders_are_known_by_name(store: Store) -> None:
    commit(store, folders={"notes": "/notes", "code": "/code"})
    commit(store, folders={"notes": "/elsewhere"})
    assert surveyed(store, Folders()) == {"notes": "/elsewhere", "code": "/code"}


def test_files_are_read_back_as_they_were_given(store: Store) -> None:
    other = FileState("b.md", 5, 6, "def")
    commit(store, folders={"notes": "/notes"}, files={"notes": [READ, other]})
    assert surveyed(store, Files("notes")) == {"sub/a.md": READ, "b.md": other}
    assert surveyed(store, Files("unknown")) == {}


def test_a_file_that_was_read_again_replaces_what_was_known_of_it(store: Store) -> None:
    commit(store, folders={"notes": "/notes"}, files={"notes": [READ]})
    again = FileState("sub/a.md", 9, 9, "new", ("three",))
    commit(store, files={"notes": [again]})
    assert surveyed(store, Files("notes")) == {"sub/a.md": again}


def test_files_that_are_gone_are_dropped_from_their_folder_only(store: Store) -> None:
    folders = {"notes": "/notes", "code": "/code"}
    commit(store, folders=folders, files={"notes": [READ], "code": [READ]})
    commit(store, gone_files={"notes": ["sub/a.md", "unheard.md"]})
    assert surveyed(store, Files("notes")) == {}
    assert surveyed(store, Files("code")) == {"sub/a.md": READ}


def test_a_removed_folder_takes_what_is_known_of_its_files_with_it(store: Store) -> None:
    commit(store, folders={"notes": "/notes"}, files={"notes": [READ]})
    commit(store, folders={"notes": None})
    commit(store, folders={"notes": "/notes"})
    assert surveyed(store, Folders()) == {"notes": "/notes"}
    assert surveyed(store, Files("notes")) == {}
