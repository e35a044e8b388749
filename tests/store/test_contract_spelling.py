"""What a store tells about the spelling of its words: which there are, and how they are written."""

import pytest

from pinyon.model.query import Filters
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import Beginning, Vocabulary, Written
from pinyon.store.sqlite import SqliteStore
from pinyon.store.sqlite.spelling import WORDS_A_COMMIT
from pinyon.store.sqlite.substring import MOST_S, scan
from pinyon.store.tiers import Member, TieredView
from tests.store.world import commit, record, save, substring, surveyed


@pytest.mark.proves("S6")
def test_the_words_that_begin_alike_come_with_their_records_the_shortest_first(
    store: Store,
) -> None:
    save(store, record("1", title="Validation", body="valid tokens; a vat of Vaccines"))
    save(store, record("2", body="validated vats, ümlaut, tokens"))
    assert list(surveyed(store, Beginning("va")).items()) == [
        ("vat", 2),
        ("valid", 2),
        ("vaccin", 1),
    ]
    assert surveyed(store, Beginning("u")) == {"umlaut": 1}
    assert surveyed(store, Beginning("x")) == {}


@pytest.mark.proves("S6")
def test_a_small_store_knows_each_word_at_once_and_forgets_it_with_its_record(store: Store) -> None:
    save(store, record("1", body="token"))
    assert surveyed(store, Beginning("t")) == {"token": 1}
    save(store, record("2", body="tokens ticket"))
    assert surveyed(store, Beginning("t")) == {"token": 2, "ticket": 1}
    commit(store, forget=["2"])
    assert surveyed(store, Beginning("t")) == {"token": 1}


def test_a_long_list_of_words_may_be_some_commits_old_but_not_after_much_has_come(
    store: Store,
) -> None:
    names = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}q" for n in range(2 * WORDS_A_COMMIT)]
    save(store, *(record(f"{n}", body=name) for n, name in enumerate(names)))
    before = len(surveyed(store, Beginning("w")))
    save(store, record("one", body="wombat"))
    assert len(surveyed(store, Beginning("w"))) - before in (0, 1)
    assert surveyed(store, Vocabulary(("wombat",))) == {"wombat": 1}
    save(store, *(record(f"more{n}", body="walrus") for n in range(20)))
    known = surveyed(store, Beginning("w"))
    assert (known["wombat"], known["walru"]) == (1, 20)


@pytest.mark.proves("S6")
def test_a_stem_is_written_as_its_words_are_in_some_records(store: Store) -> None:
    save(store, record("1", title="Validation of Tokens", tags=("invalid",)))
    save(store, record("2", body="VALIDATED? pleases the Café", aliases=("please",)))
    asked = Written(("valid", "pleas", "cafe", "nothing"))
    assert surveyed(store, asked) == {
        "valid": ("validated", "validation"),
        "pleas": ("please", "pleases"),
        "cafe": ("cafe",),
    }
    commit(store, forget=["2"])
    assert surveyed(store, asked) == {"valid": ("validation",)}


@pytest.mark.proves("S6")
def test_tiers_add_up_their_words_and_join_how_they_are_written(store: Store) -> None:
    other = MemoryStore()
    save(store, record("1", body="tokens"))
    save(other, record("2", body="token tap"))
    with store.snapshot() as home, other.snapshot() as guest:
        view = TieredView(home, [Member("home", 1, home), Member("guest", 2, guest)])
        assert list(view.survey(Beginning("t")).items()) == [("tap", 1), ("token", 2)]
        assert view.survey(Written(("token", "tap", "tin"))) == {
            "token": ("token", "tokens"),
            "tap": ("tap",),
        }


@pytest.mark.proves("B7")
def test_a_search_letter_by_letter_ends_in_time_with_what_it_has(store: Store) -> None:
    if not isinstance(store, SqliteStore):
        pytest.skip("the reference is clear, not fast")
    save(store, *(record(f"{n:04}", body="an amber lamp") for n in range(2_000)))
    asked = substring("mbe")._replace(limit=3_000, filters=Filters())
    ticks = iter(range(10_000))
    with store.snapshot() as view:
        whole = scan(view.db, asked, timer=lambda: 0.0)
        cut = scan(view.db, asked, timer=lambda: next(ticks) * MOST_S / 5)
        again = scan(view.db, asked, timer=lambda: 0.0)
    assert (len(whole.matches), whole.cut) == (2_000, False)
    assert 0 < len(cut.matches) < 2_000
    assert cut.cut
    assert {match.id for match in cut.matches} <= {match.id for match in whole.matches[-1_999:]}
    assert again == whole
