"""Budgets: the best answer that fits so many tokens, for any number of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.hit import Hit
from pinyon.model.profile import PresentSection
from pinyon.model.record import Record
from pinyon.search.given import MODES
from pinyon.search.present.budget import Fitted, fit
from pinyon.search.present.hits import Standing
from tests.search.present.shown import AMBER, Shelf, candidates, ids_of
from tests.store.world import record

HOW = PresentSection()
WORDS = st.sampled_from(["amber", "fox", "<b>", "hen", "a&b", "琥珀", "x" * 40])
BODIES = st.lists(st.lists(WORDS, max_size=300).map(" ".join), max_size=12)


def of(bodies: list[str]) -> list[Standing]:
    records = [
        record(f"r{at:02}", title="t" * (at % 4), body=body) for at, body in enumerate(bodies)
    ]
    found = candidates(record.id for record in records)
    return [Standing(one, record) for one, record in zip(found, records, strict=True)]


def fitted(bodies: list[str], tokens: int, mode: str = "match") -> Fitted:
    return fit(of(bodies), tokens, AMBER, mode, HOW, {})


def shown(hit: Hit) -> int:
    """The characters of id, title and snippet, and of a whole record where there is one."""
    texts = [hit.id, hit.title, hit.snippet]
    return len("".join([*texts, hit.record.body, hit.record.context] if hit.record else texts))


def long(word: str) -> str:
    return f"{'before ' * 300}amber {word} {'after ' * 300}"


@pytest.mark.proves("X4")
@given(BODIES, st.integers(0, 2_000), st.sampled_from(MODES))
def test_what_is_shown_never_exceeds_the_budget(bodies: list[str], tokens: int, mode: str) -> None:
    hits, no_room = fitted(bodies, tokens, mode)
    assert sum(map(shown, hits)) <= 4 * tokens
    assert len(hits) + no_room == len(bodies)
    assert [hit.id for hit in hits] == sorted(hit.id for hit in hits)


@pytest.mark.proves("X4")
@given(BODIES, st.integers(0, 1_000), st.integers(0, 200), st.sampled_from(MODES))
def test_more_tokens_never_show_less_of_the_first_hit(
    bodies: list[str], tokens: int, more: int, mode: str
) -> None:
    def first(tokens: int) -> int:
        return sum(shown(hit) for hit in fitted(bodies, tokens, mode).hits if hit.id == "r00")

    assert first(tokens) <= first(tokens + more)


@pytest.mark.proves("X4")
def test_several_hits_in_short_beat_one_in_full() -> None:
    bodies = [long(f"w{at}") for at in range(10)]
    whole = len(bodies[0]) // 4
    hits, no_room = fitted(bodies, whole, "full")
    assert (len(hits), no_room) == (10, 0)
    assert all("<mark>amber</mark>" in hit.snippet for hit in hits)


@pytest.mark.proves("X4")
def test_the_best_hits_show_more_than_the_last_ones() -> None:
    hits = fitted([long(f"w{at}") for at in range(10)], 1_000).hits
    words = [len(hit.snippet.split()) for hit in hits]
    assert words == sorted(words, reverse=True)
    assert (words[0], words[-1]) == (6 * HOW.words, HOW.words // 4)


@pytest.mark.proves("X4")
def test_a_hit_that_was_found_by_meaning_shows_the_passage_that_matched() -> None:
    body = "".join(f"{'word ' * 150}end{part}. " for part in range(5))
    start = body.index("end1. ") + len("end1. ")
    end = body.index("end2.") + len("end2.")
    (one,) = of([body])
    near = Standing(one.candidate._replace(span=(start, end), sources={"vector": 1}), one.record)
    (hit,) = fit([near], 1_000, AMBER, "match", HOW, {}).hits
    assert hit.snippet == f"…{body[start:end]}…"


def test_one_hit_alone_takes_what_it_can_use() -> None:
    (hit,) = fitted([long("w")], 10_000, "full").hits
    assert hit.record is not None
    (hit,) = fitted([long("w")], 10_000).hits
    assert len(hit.snippet.split()) == 6 * HOW.words


def test_the_record_of_a_hit_is_whole_or_not_there() -> None:
    hits = fitted([long("w"), "amber"], len(long("w")) // 4, "full").hits
    assert [hit.record is None for hit in hits] == [True, False]


@pytest.mark.proves("X4")
@pytest.mark.parametrize("tokens", [0, 1])
def test_a_budget_too_small_for_one_hit_shows_none_and_says_so(tokens: int) -> None:
    assert fitted([long("w")] * 2, tokens) == Fitted([], 2)
    presented = Shelf([record("a", body=long("w"))]).show(tokens=1)
    assert (presented.hits, presented.next, presented.left_out) == ([], "", {"no room": 1})


@pytest.mark.proves("X4")
def test_what_had_no_room_stands_on_the_next_page() -> None:
    shelf = Shelf([record(f"r{at}", body=f"amber {'abcdefghij'[at] * 90}") for at in range(10)])
    found: list[str] = []
    cursor = ""
    while not found or cursor:
        page = shelf.show(tokens=100, cursor=cursor)
        assert page.hits
        found += ids_of(page)
        cursor = page.next
    assert sorted(found) == sorted(record.id for record in shelf.records)


SAME = "The amber fox sleeps under the old tree near the river and dreams of autumn"


@pytest.mark.proves("X4")
def test_what_says_the_same_is_shown_once_and_named() -> None:
    shelf = Shelf([
        record("best", body=SAME),
        record("other", body="Something else about amber"),
        record("copy", body=f"{SAME} again"),
    ])  # fmt: skip
    presented = shelf.show(tokens=500)
    assert {hit.id: hit.more for hit in presented.hits} == {"best": ("copy",), "other": ()}
    assert presented.left_out == {"alike": 1}
    assert ids_of(shelf.show()) == ["best", "other", "copy"]


def test_how_much_is_alike_is_the_share_of_words_that_a_profile_names() -> None:
    shelf = Shelf([record("a", body="amber fox hen"), record("b", body="amber fox owl")])
    shared = 2 / 4
    for share, ids in ((shared, ["a"]), (shared + 0.01, ["a", "b"])):
        assert ids_of(shelf.show(tokens=500, how=PresentSection(alike=share))) == ids


def test_what_differs_in_a_number_is_not_the_same() -> None:
    shelf = Shelf([record(f"p{port}", body=f"{SAME}, port {port}") for port in (80, 8080)])
    assert ids_of(shelf.show(tokens=500)) == ["p80", "p8080"]


def test_the_places_of_copies_go_to_other_hits() -> None:
    copies = [record(f"c{at}", body=SAME) for at in range(4)]
    others: list[Record] = [record("x", body="amber necklace"), record("y", body="amber ale")]
    shelf = Shelf([*copies, *others])
    assert ids_of(shelf.show(tokens=500, limit=3)) == ["c0", "x", "y"]
