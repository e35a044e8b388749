"""What the history of a record promises: each state it was in, in order, until it is purged."""

from datetime import timedelta

import pytest

from pinyon.model.record import Version
from pinyon.store.contract import Store
from pinyon.store.questions import History
from tests.store.world import LATER, NOW, commit, fetched, record, save, surveyed


@pytest.mark.proves("S14", part="history")
def test_each_change_keeps_what_the_record_was_before(store: Store) -> None:
    days = [NOW + timedelta(days=day) for day in range(5)]
    save(store, record("fox", body="brown"))
    save(store, record("fox", body="grey", updated_at=days[1]), now=days[1])
    commit(store, forget=["fox"], now=days[2])
    save(store, record("fox", body="white", updated_at=days[3]), now=days[3])
    brown = record("fox", body="brown", version=1)
    grey = record("fox", body="grey", updated_at=days[1], version=2)
    gone = record("fox", body="grey", updated_at=days[1], version=3, deleted_at=days[2])
    assert surveyed(store, History("fox")) == [
        Version(brown, "updated", days[1]),
        Version(grey, "forgotten", days[2]),
        Version(gone, "restored", days[3]),
    ]
    white = record("fox", body="white", updated_at=days[3], version=4)
    assert fetched(store, "fox") == {"fox": white}


@pytest.mark.proves("S14", part="history")
def test_a_record_that_never_changed_has_no_history(store: Store) -> None:
    save(store, record("fox"))
    save(store, record("fox", updated_at=LATER), now=LATER)
    assert surveyed(store, History("fox")) == []
    assert surveyed(store, History("nobody")) == []


def test_history_is_still_there_when_the_record_is_forgotten(store: Store) -> None:
    save(store, record("fox"))
    commit(store, forget=["fox"], now=LATER)
    assert surveyed(store, History("fox")) == [Version(record("fox"), "forgotten", LATER)]


def test_a_renamed_tag_makes_a_version(store: Store) -> None:
    save(store, record("fox", tags=("wild",)))
    commit(store, rename_tags={"wild": "tame"}, now=LATER)
    before = Version(record("fox", tags=("wild",)), "updated", LATER)
    assert surveyed(store, History("fox")) == [before]


def test_without_history_what_is_overwritten_is_gone(store: Store) -> None:
    save(store, record("fox", body="brown"), keep_history=False)
    save(store, record("fox", body="grey"), keep_history=False)
    assert surveyed(store, History("fox")) == []
    assert fetched(store, "fox") == {"fox": record("fox", body="grey", version=1)}


def test_history_that_was_kept_stays_when_no_more_is_kept(store: Store) -> None:
    save(store, record("fox", body="brown"))
    save(store, record("fox", body="grey"))
    kept = surveyed(store, History("fox"))
    save(store, record("fox", body="white"), keep_history=False)
    assert kept == [Version(record("fox", body="brown"), "updated", NOW)]
    assert surveyed(store, History("fox")) == kept


def test_a_purge_takes_the_history_with_it(store: Store) -> None:
    save(store, record("fox", body="brown"))
    save(store, record("fox", body="grey"))
    commit(store, purge=["fox"])
    save(store, record("fox", body="white"))
    assert surveyed(store, History("fox")) == []
    assert fetched(store, "fox")["fox"].version == 1


def test_a_move_takes_the_history_along_under_the_new_id(store: Store) -> None:
    save(store, record("fox", body="brown"))
    save(store, record("fox", body="grey"))
    commit(store, moves={"fox": "vixen"})
    before = Version(record("vixen", body="brown"), "updated", NOW)
    assert surveyed(store, History("vixen")) == [before]
    assert surveyed(store, History("fox")) == []


def test_imported_versions_are_added_as_they_are_and_only_once(store: Store) -> None:
    first = Version(record("fox", body="brown", version=1), "updated", NOW)
    second = Version(record("fox", body="grey", version=2), "forgotten", LATER)
    save(store, record("fox", version=3), versions=[second, first], verbatim=True)
    again = commit(store, versions=[first, second])
    assert surveyed(store, History("fox")) == [first, second]
    assert again.revision == 1


def test_all_versions_come_by_record_and_number(store: Store) -> None:
    save(store, record("hen", body="one"), record("fox", body="one"))
    save(store, record("hen", body="two"), record("fox", body="two"))
    save(store, record("hen", body="three"))
    with store.snapshot() as view:
        assert list(view.all_versions()) == [
            Version(record("fox", body="one", version=1), "updated", NOW),
            Version(record("hen", body="one", version=1), "updated", NOW),
            Version(record("hen", body="two", version=2), "updated", NOW),
        ]
