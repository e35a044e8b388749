"""Pages: the hits of one question, some at a time, and none of them twice."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.errors import InvalidInput
from pinyon.model.record import Record
from pinyon.search.present import SPARE, seen_before
from pinyon.search.present.page import MOST_SEEN, following
from tests.search.present.shown import Shelf, ids_of
from tests.store.world import NOW, record

IDS = [f"r{at:02}" for at in range(25)]
SHELF = [record(id, body="amber") for id in IDS]


def pages(shelf: Shelf, **asked: Any) -> list[list[str]]:
    """All pages, to the last."""
    found = []
    cursor = ""
    while True:
        shown = shelf.show(cursor=cursor, **asked)
        found.append(ids_of(shown))
        cursor = shown.next
        if not cursor:
            return found


@pytest.mark.proves("X18")
@pytest.mark.parametrize("limit", [1, 7, 10, 24, 25, 26])
def test_the_pages_together_are_the_whole_answer_in_its_order(limit: int) -> None:
    found = pages(Shelf(SHELF), limit=limit)
    assert found == [IDS[at : at + limit] for at in range(0, len(IDS), limit)]


@pytest.mark.proves("X18")
def test_no_record_is_shown_twice_when_another_comes_first_meanwhile() -> None:
    first = Shelf(SHELF).show(limit=10)
    better = [record("new", body="amber"), *reversed(SHELF)]
    second = Shelf(better).show(limit=30, cursor=first.next)
    assert sorted(ids_of(first) + ids_of(second)) == sorted(["new", *IDS])


@pytest.mark.proves("X18")
def test_the_newest_of_the_best_come_first_when_dates_are_asked_for() -> None:
    days = (3, 1, 2, 9)
    shelf = Shelf([record(f"d{n}", created_at=NOW + timedelta(days=n)) for n in days])
    assert ids_of(shelf.show(limit=3, sort="date")) == ["d3", "d2", "d1"]
    assert ids_of(shelf.show(limit=3)) == ["d3", "d1", "d2"]


def test_of_equally_old_hits_the_better_one_comes_first() -> None:
    assert ids_of(Shelf(SHELF).show(limit=5, sort="date")) == IDS[:5]


def test_a_plain_page_reads_each_record_that_it_shows_once_and_no_other() -> None:
    shelf = Shelf(SHELF)
    shelf.show(limit=10)
    assert shelf.fetched == [IDS[:10]]


def test_a_file_among_the_best_lets_some_more_be_read() -> None:
    file = Record(id="file:a.md", kind="file", source="a.md")
    shelf = Shelf([file, *SHELF[:9], record("a.md", source="a.md"), *SHELF[9:]])
    assert ids_of(shelf.show(limit=10)) == [*IDS[:9], "a.md"]
    assert [len(ids) for ids in shelf.fetched] == [10, 10 + SPARE]


@pytest.mark.proves("G8")
def test_a_file_gives_way_to_a_part_that_stood_on_the_page_before() -> None:
    file = Record(id="file:a.md", kind="file", source="a.md")
    shelf = Shelf([record("a.md#s", source="a.md"), *SHELF[:3], file, SHELF[3]])
    assert pages(shelf, limit=2) == [["a.md#s", IDS[0]], [IDS[1], IDS[2]], [IDS[3]]]


def test_what_has_no_record_any_more_is_left_out() -> None:
    assert ids_of(Shelf(SHELF).show(ranked=["gone", *IDS[:2]])) == IDS[:2]


def test_a_hit_says_from_which_tier_it_came() -> None:
    shown = Shelf(SHELF[:2]).show(tiers={IDS[0]: "team"})
    assert [hit.tier for hit in shown.hits] == ["team", ""]


@given(st.sets(st.text(), min_size=1, max_size=50), st.sets(st.text(), max_size=50))
def test_a_cursor_knows_what_was_shown_and_survives_an_address(
    shown: set[str], other: set[str]
) -> None:
    cursor = following(seen_before(""), shown)
    seen = seen_before(cursor)
    assert all(id in seen for id in shown)
    assert len(seen) <= len(shown)
    assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert seen_before(following(seen, other)).digests >= seen.digests


def test_no_cursor_means_that_nothing_was_seen() -> None:
    assert len(seen_before("")) == 0
    assert "a" not in seen_before("")


@pytest.mark.parametrize("cursor", ["?", "a", "AAAA", "é", "AAAAAA===", " ", "A" * 8_000])
def test_a_broken_cursor_is_refused_with_the_remedy(cursor: str) -> None:
    with pytest.raises(InvalidInput, match=r"no cursor \(give meta.next of the page before"):
        seen_before(cursor)


def test_pages_end_where_a_cursor_can_hold_no_more() -> None:
    ids = [f"r{at}" for at in range(MOST_SEEN + 1)]
    assert len(seen_before(following(seen_before(""), ids[:-1]))) == MOST_SEEN
    assert following(seen_before(""), ids) == ""
