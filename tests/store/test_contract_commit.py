"""What a commit promises: it happens wholly or not at all, and the next search sees it."""

import pytest

from pinyon.model.errors import DuplicateRecord, InvalidRecord, StaleRecord, UnknownRecord
from pinyon.model.record import Edge
from pinyon.store.contract import Receipt, Store
from pinyon.store.questions import Files, FileState, Values
from tests.store.world import LATER, NOW, ask, commit, fetched, found, record, save, surveyed


def everything(store: Store) -> tuple[object, ...]:
    with store.snapshot() as view:
        return (
            view.revision,
            list(view.records(forgotten=True)),
            list(view.all_edges()),
            list(view.all_versions()),
            view.settings(),
        )


@pytest.mark.proves("P5")
@pytest.mark.proves("G4")
def test_a_saved_record_is_found_by_the_next_search(store: Store) -> None:
    save(store, record("fox", body="a quick brown fox"))
    assert found(store, "brown") == ["fox"]


@pytest.mark.proves("P5")
@pytest.mark.proves("G4")
def test_an_updated_record_is_found_by_its_new_words_only(store: Store) -> None:
    save(store, record("fox", body="a quick brown fox"))
    save(store, record("fox", body="a slow grey fox"))
    assert (found(store, "brown"), found(store, "grey")) == ([], ["fox"])


@pytest.mark.proves("P5")
def test_a_forgotten_record_leaves_every_answer_but_can_still_be_read(store: Store) -> None:
    save(store, record("fox", body="brown", tags=("wild",)))
    commit(store, forget=["fox"], now=LATER)
    with store.snapshot() as view:
        assert found(store, "brown") == []
        assert view.fetch(["fox"]) == {}
        assert view.facts(["fox"]) == {}
        assert list(view.records()) == []
        assert view.survey(Values("tags")) == {}
        assert view.fetch(["fox"], forgotten=True)["fox"].deleted_at == LATER


@pytest.mark.proves("P5")
@pytest.mark.proves("G4")
def test_a_purged_record_leaves_no_trace(store: Store) -> None:
    save(store, record("fox", body="brown"))
    save(store, record("fox", body="grey"))
    save(store, record("hen"), edges=[Edge("hen", "fears", "fox")])
    commit(store, purge=["fox"])
    hen = fetched(store, "hen")["hen"]
    assert everything(store) == (4, [hen], [], [], {})
    assert found(store, "brown grey fox") == []


@pytest.mark.proves("P5")
def test_an_added_tag_is_found_by_the_next_search(store: Store) -> None:
    save(store, record("fox", tags=("wild",)))
    save(store, record("fox", tags=("wild", "hungry")))
    assert found(store, "hungry") == ["fox"]


@pytest.mark.proves("P5")
def test_a_removed_tag_is_no_longer_found(store: Store) -> None:
    save(store, record("fox", tags=("wild", "hungry")))
    save(store, record("fox", tags=("wild",)))
    assert (found(store, "hungry"), found(store, "wild")) == ([], ["fox"])


@pytest.mark.proves("P5")
def test_a_renamed_tag_is_found_by_its_new_name_only(store: Store) -> None:
    save(store, record("fox", tags=("wild",)), record("hen", tags=("tame",)))
    commit(store, rename_tags={"wild": "untamed"})
    assert (found(store, "wild"), found(store, "untamed")) == ([], ["fox"])


def test_a_renamed_tag_keeps_its_place_and_dates_the_record(store: Store) -> None:
    save(store, record("fox", tags=("red", "wild", "shy")))
    receipt = commit(store, rename_tags={"wild": "untamed"}, now=LATER)
    expected = record("fox", tags=("red", "untamed", "shy"), updated_at=LATER, version=2)
    assert fetched(store, "fox") == {"fox": expected}
    assert receipt == Receipt(revision=2, written=("fox",))


def test_a_tag_renamed_to_one_that_is_there_becomes_one_with_it(store: Store) -> None:
    save(store, record("fox", tags=("wild", "red", "untamed")))
    commit(store, rename_tags={"wild": "untamed"})
    assert fetched(store, "fox")["fox"].tags == ("untamed", "red")


def test_renaming_a_tag_leaves_forgotten_records_as_they_were(store: Store) -> None:
    save(store, record("fox", tags=("wild",)))
    commit(store, forget=["fox"])
    commit(store, rename_tags={"wild": "untamed"})
    assert fetched(store, "fox", forgotten=True)["fox"].tags == ("wild",)


def test_what_is_saved_is_read_back_as_it_was_given(store: Store) -> None:
    whole = record(
        "fox/1",
        kind="task",
        title="Ärger im Hühnerstall",
        aliases=("hen house", "coop"),
        body="line one\n  line two\t東京",
        context="farm",
        tags=("Wild", "red"),
        domain="animals",
        severity="warning",
        importance=5,
        mentions=7,
        doc_type="plan",
        memory_type="episodic",
        author="Reynard",
        status="open",
        due=LATER,
        scope="farm/yard",
        source="notes/fox.md",
        lines=(3, 9),
        valid_from=NOW,
        valid_until=LATER,
        half_life=2.5,
        extra={"colour": "red", "legs": 4, "seen": [1, {"by": None}]},
    )
    save(store, whole)
    assert fetched(store, "fox/1") == {"fox/1": whole}


def test_a_record_is_not_changed_by_what_happens_to_the_mapping_it_came_with(store: Store) -> None:
    extra = {"seen": [1]}
    save(store, record("fox", extra=extra))
    extra["seen"].append(2)
    fetched(store, "fox")["fox"].extra["seen"].append(3)
    assert fetched(store, "fox")["fox"].extra == {"seen": [1]}


def test_version_and_deletion_of_a_given_record_are_ignored(store: Store) -> None:
    save(store, record("fox", version=9, deleted_at=NOW))
    assert fetched(store, "fox") == {"fox": record("fox")}


def test_verbatim_takes_version_and_deletion_as_they_are(store: Store) -> None:
    given = [record("fox", version=9), record("hen", version=4, deleted_at=NOW)]
    save(store, *given, verbatim=True)
    with store.snapshot() as view:
        assert list(view.records(forgotten=True)) == given
        assert list(view.records()) == given[:1]
        assert list(view.all_versions()) == []


def test_verbatim_overwrites_without_a_version_and_repeats_without_a_change(store: Store) -> None:
    save(store, record("fox", body="brown"))
    given = record("fox", body="grey", version=5)
    assert save(store, given, verbatim=True) == Receipt(revision=2, written=("fox",))
    assert save(store, given, verbatim=True) == Receipt(revision=2, unchanged=1)
    assert everything(store) == (2, [given], [], [], {})


def test_a_record_that_equals_what_is_stored_changes_nothing(store: Store) -> None:
    save(store, record("fox", body="brown"))
    before = everything(store)
    again = save(store, record("fox", body="brown", updated_at=LATER), now=LATER)
    assert again == Receipt(revision=1, unchanged=1)
    assert everything(store) == before


def test_a_forgotten_record_comes_back_when_it_is_saved_again(store: Store) -> None:
    save(store, record("fox", body="brown"))
    commit(store, forget=["fox"])
    receipt = save(store, record("fox", body="brown"))
    assert receipt == Receipt(revision=3, written=("fox",))
    assert found(store, "brown") == ["fox"]
    assert fetched(store, "fox") == {"fox": record("fox", body="brown", version=3)}


def test_a_receipt_names_what_was_written_and_removed(store: Store) -> None:
    save(store, record("cat"), record("dog"), record("fox"))
    receipt = save(
        store,
        record("owl"),
        record("fox", body="new"),
        record("cat"),
        forget=["cat"],
        purge=["dog"],
    )
    assert receipt == Receipt(
        revision=2, written=("owl", "fox"), removed=("cat", "dog"), unchanged=1
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"moves": {"nobody": "somebody"}},
        {"moves": {"fox": "hen"}},
        {"expect": {"fox": 7}},
        {"expect": {"fox": 0}},
        {"forget": ["nobody"]},
        {"purge": ["nobody"]},
        {"edges": [Edge("fox", "eats", "nobody")]},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_commit_that_raises_changes_nothing(store: Store, wrong: dict[str, object]) -> None:
    save(store, record("fox", tags=("wild",)), record("hen"), edges=[Edge("fox", "eats", "hen")])
    before = everything(store)
    batch = {
        "records": [record("owl", body="night")],
        "rename_tags": {"wild": "tame"},
        "unlink": [Edge("fox", "eats", "hen")],
        "settings": {"colour": "red"},
        **wrong,
    }
    with pytest.raises((UnknownRecord, DuplicateRecord, StaleRecord)):
        commit(store, **batch)
    assert everything(store) == before
    assert found(store, "night") == []


@pytest.mark.parametrize("date", ["created_at", "updated_at"])
def test_a_record_without_its_dates_is_refused(store: Store, date: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        save(store, record("fox", **{date: None}))
    assert refused.value.field == date
    assert everything(store) == (0, [], [], [], {})


def test_an_expected_version_lets_the_change_through(store: Store) -> None:
    save(store, record("fox", body="brown"), expect={"fox": 0})
    save(store, record("fox", body="grey"), expect={"fox": 1})
    assert fetched(store, "fox")["fox"].version == 2


def test_a_record_that_somebody_else_changed_is_stale(store: Store) -> None:
    save(store, record("fox", body="brown"))
    save(store, record("fox", body="grey"))
    with pytest.raises(StaleRecord, match="is at version 2, not 1"):
        save(store, record("fox", body="white"), expect={"fox": 1})


def test_a_record_that_is_expected_but_not_there_is_stale(store: Store) -> None:
    with pytest.raises(StaleRecord, match="is at version 0, not 1"):
        save(store, record("fox"), expect={"fox": 1})


def test_a_record_that_must_not_be_there_is_a_duplicate(store: Store) -> None:
    save(store, record("fox"))
    with pytest.raises(DuplicateRecord) as refused:
        save(store, record("fox", body="another"), expect={"fox": 0})
    assert refused.value.id == "fox"


def test_a_forgotten_record_counts_as_none_where_none_is_expected(store: Store) -> None:
    save(store, record("fox"))
    commit(store, forget=["fox"])
    save(store, record("fox", body="new"), expect={"fox": 0})
    assert found(store, "new") == ["fox"]


@pytest.mark.parametrize("part", ["forget", "purge"])
def test_unknown_ids_are_all_named(store: Store, part: str) -> None:
    save(store, record("fox"))
    with pytest.raises(UnknownRecord) as refused:
        commit(store, **{part: ["yeti", "fox", "unicorn"]})
    assert refused.value.ids == ("yeti", "unicorn")


def test_what_is_forgotten_cannot_be_forgotten_again(store: Store) -> None:
    save(store, record("fox"))
    commit(store, forget=["fox"])
    with pytest.raises(UnknownRecord):
        commit(store, forget=["fox"])


def test_what_is_forgotten_can_be_purged(store: Store) -> None:
    save(store, record("fox"))
    commit(store, forget=["fox"])
    assert commit(store, purge=["fox"]) == Receipt(revision=3, removed=("fox",))
    assert everything(store) == (3, [], [], [], {})


def test_a_moved_record_is_found_under_its_new_id_only(store: Store) -> None:
    save(store, record("fox", body="brown"))
    receipt = commit(store, moves={"fox": "vixen"})
    with store.snapshot() as view:
        assert list(view.records(forgotten=True)) == [record("vixen", body="brown")]
    assert receipt == Receipt(revision=2, written=("vixen",), removed=("fox",))
    assert (found(store, "fox"), found(store, "vixen")) == ([], ["vixen"])


def test_a_move_to_a_taken_id_is_a_duplicate(store: Store) -> None:
    save(store, record("fox"), record("hen"))
    with pytest.raises(DuplicateRecord) as refused:
        commit(store, moves={"fox": "hen"})
    assert refused.value.id == "hen"


def test_a_move_takes_the_place_of_a_forgotten_record(store: Store) -> None:
    save(store, record("fox", body="brown"), record("hen", body="white"))
    commit(store, forget=["hen"])
    receipt = commit(store, moves={"fox": "hen"})
    assert receipt == Receipt(revision=3, written=("hen",), removed=("fox",))
    assert everything(store) == (3, [record("hen", body="brown")], [], [], {})


def test_a_record_is_moved_before_it_is_written(store: Store) -> None:
    save(store, record("old", body="brown"))
    save(store, record("new", body="grey"), moves={"old": "new"}, expect={"new": 1})
    with store.snapshot() as view:
        assert list(view.records()) == [record("new", body="grey", version=2)]


def test_the_revision_grows_by_one_with_each_change_of_content(store: Store) -> None:
    save(store, record("fox", tags=("wild",)), record("hen"))
    receipts = [
        save(store, record("fox", tags=("wild",), body="brown")),
        commit(store, edges=[Edge("fox", "eats", "hen")]),
        commit(store, unlink=[Edge("fox", "eats", "hen")]),
        commit(store, rename_tags={"wild": "tame"}),
        commit(store, forget=["hen"]),
        commit(store, purge=["hen"]),
    ]
    assert [receipt.revision for receipt in receipts] == [2, 3, 4, 5, 6, 7]


def test_the_revision_stays_where_content_stays(store: Store) -> None:
    save(store, record("fox"), record("hen"), edges=[Edge("fox", "eats", "hen")])
    receipts = [
        commit(store),
        save(store, record("fox")),
        commit(store, edges=[Edge("fox", "eats", "hen")]),
        commit(store, unlink=[Edge("hen", "eats", "fox")]),
        commit(store, rename_tags={"nothing": "something"}),
        commit(store, settings={"colour": "red"}),
        commit(store, folders={"notes": "/notes"}),
        commit(store, files={"notes": [FileState("a.md", 1, 2, "x")]}),
        commit(store, gone_files={"notes": ["a.md"]}),
    ]
    assert [receipt.revision for receipt in receipts] == [1] * 9
    assert surveyed(store, Files("notes")) == {}


def test_examining_finds_nothing_wrong_and_rebuilding_changes_no_answer(store: Store) -> None:
    save(store, record("fox", title="Brown", body="quick fox"), record("hen", body="brown hen"))
    commit(store, forget=["hen"])
    before = everything(store)[1:]
    store.rebuild()
    assert store.examine() == []
    assert everything(store)[1:] == before
    assert found(store, ask("brown hen fox")) == ["fox"]


def test_scrubbing_takes_nothing_but_what_was_purged(store: Store) -> None:
    save(store, record("fox", body="brown"), record("hen", body="brown"))
    save(store, record("fox", body="grey"))
    commit(store, purge=["hen"])
    before = everything(store)[1:]
    store.scrub()
    assert everything(store)[1:] == before
    assert (found(store, "brown"), found(store, "grey")) == ([], ["fox"])


def test_closing_twice_is_closing_once(store: Store) -> None:
    save(store, record("fox"))
    store.close()
    store.close()
