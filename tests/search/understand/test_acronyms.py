"""Acronyms: what they stand for is asked as well, both ways, and never at the cost of the rest."""

import json
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest

from pinyon.model.profile import UnderstandSection
from pinyon.model.query import AnyOf, Change, Lexical, Phrase, Query
from pinyon.search.understand.acronyms import unfolded
from pinyon.search.understand.definitions import definition
from pinyon.search.understand.known_acronyms import shipped, small_words
from pinyon.search.understand.operators import parse
from pinyon.store.contract import Store
from pinyon.text.bm25 import idf
from pinyon.text.prepare import prepare
from pinyon.text.stems import words
from pinyon.text.stop_lists import stop_list
from tests.store.conftest import STORES
from tests.store.world import EVERYWHERE, ask, commit, matches, record, save

RRF = ("RRF", "reciprocal rank fusion")
MEGABYTE = 1_000_000


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = STORES[request.param](tmp_path)
    yield opened
    opened.close()


def asked(text: str) -> Query:
    """As plain words without stop words, where it uses no operators."""
    stop = stop_list(UnderstandSection().stop)
    kept = [pair for pair in words(prepare(text)) if pair[0].lower() not in stop]
    terms = {stem: Phrase(word, (stem,)) for word, stem in reversed(kept)}
    plain = AnyOf(tuple(reversed(terms.values()))) if terms else None
    return Query(text, parse(text), plain, tuple(text.split()))


def read(store: Store, text: str) -> Query:
    with store.snapshot() as view:
        return unfolded(view, asked(text))


def changes(store: Store, text: str) -> list[tuple[str, str]]:
    found = read(store, text).changes
    assert {change.why for change in found} <= {"acronym"}
    return [(change.written, change.read) for change in found]


def configure(store: Store, acronyms: Mapping[str, str]) -> None:
    kept = {f"acronyms.{name}": json.dumps(meant) for name, meant in acronyms.items()}
    commit(store, settings=kept)


# both ways


@pytest.mark.proves("S6")
def test_an_acronym_also_asks_for_what_it_stands_for(store: Store) -> None:
    save(store, record("1", body="reciprocal rank fusion joins lists"), record("2", body="a list"))
    query = read(store, "RRF")
    assert query.plain is not None
    typed, added = query.plain.parts
    assert typed == Phrase("RRF", ("rrf",))
    assert isinstance(added, Phrase)
    assert (added.text, added.stems) == (RRF[1], ("reciproc", "rank", "fusion"))
    assert query.changes == (Change(*RRF, "acronym"),)
    assert [match.id for match in matches(store, Lexical(query.plain, EVERYWHERE))] == ["1"]


@pytest.mark.proves("S6")
def test_what_is_spelt_out_also_asks_for_its_acronym(store: Store) -> None:
    save(store, record("1", body="RRF joins lists"), record("2", body="a list"))
    query = read(store, "how does reciprocal rank fusion work?")
    assert query.plain is not None
    assert query.changes == (Change(RRF[1], RRF[0], "acronym"),)
    assert [match.id for match in matches(store, Lexical(query.plain, EVERYWHERE))] == ["1"]


@pytest.mark.proves("S6")
@pytest.mark.parametrize("text", ["rrf", "RRFs", "RRF's", "(RRF)", "what is RRF?", "RRF, then"])
def test_an_acronym_is_heard_however_it_is_typed(store: Store, text: str) -> None:
    save(store, record("1", body="reciprocal rank fusion"))
    assert [meant for _, meant in changes(store, text)] == [RRF[1]]


@pytest.mark.parametrize("text", ["proof of concept", "Proofs of concept", "a proof of concept!"])
def test_small_words_and_endings_do_not_hide_what_is_spelt_out(store: Store, text: str) -> None:
    save(store, record("1", body="the POC went well"))
    assert [meant for _, meant in changes(store, text)] == ["POC"]


# who says what stands for what


@pytest.mark.proves("S6")
@pytest.mark.parametrize(
    "text",
    [
        "we use zero knowledge proofs (ZKP) here",
        "we use **Zero-Knowledge Proofs** (ZKPs) here",
        "ZKP (zero knowledge proofs, of 1985) is old",
    ],
)
def test_an_acronym_is_learnt_from_the_records_both_ways(store: Store, text: str) -> None:
    save(store, record("1", body=text))
    assert changes(store, "what is ZKP") == [("ZKP", "zero knowledge proofs")]
    assert changes(store, "zero knowledge proof systems") == [("zero knowledge proof", "ZKP")]


def test_what_most_records_say_is_learnt(store: Store) -> None:
    save(
        store,
        record("1", body="zoo keeping party (ZKP)"),
        record("2", body="Zero knowledge proof (ZKP)"),
        record("3", body="ZKP (zero knowledge proof)"),
    )
    assert changes(store, "ZKP") == [("ZKP", "zero knowledge proof")]


@pytest.mark.proves("S6")
def test_the_users_own_stand_over_the_records_and_the_records_over_the_shipped(
    store: Store,
) -> None:
    texts = ("application programming interface", "apples, pears, iris", "arctic polar ice (API)")
    save(store, *(record(str(at), body=text) for at, text in enumerate(texts)))
    assert changes(store, "API") == [("API", "arctic polar ice")]
    configure(store, {"Api": "Apples pears iris"})
    assert changes(store, "API") == [("API", "apples pears iris")]
    assert changes(store, "apples pears iris") == [("apples pears iris", "API")]


@pytest.mark.proves("S6")
def test_an_empty_text_switches_one_off_both_ways(store: Store) -> None:
    save(store, record("1", body="reciprocal rank fusion (RRF)"))
    configure(store, {"RRF": ""})
    assert changes(store, "RRF") == changes(store, "reciprocal rank fusion") == []


@pytest.mark.proves("S6")
def test_without_a_record_that_holds_it_nothing_is_added(store: Store) -> None:
    save(store, record("1", body="fusion of a reciprocal rank"))
    query = asked("RRF and natural language processing")
    with store.snapshot() as view:
        assert unfolded(view, query) is query


# what it counts


def test_what_is_added_counts_a_little_less_than_what_was_typed(store: Store) -> None:
    others = [record(f"{at}", body="RRF") for at in range(6)]
    save(store, record("spelt", body="reciprocal rank fusion"), *others)
    query = read(store, "RRF")
    assert query.plain is not None
    added = query.plain.parts[1]
    assert isinstance(added, Phrase)
    assert added.weight * idf(7, 1) == pytest.approx(0.9 * idf(7, 6))


def test_single_words_of_an_expansion_bring_nothing(store: Store) -> None:
    save(
        store,
        record("typed", body="RRF is new to us"),
        record("spelt", body="reciprocal rank fusion is new to us"),
        record("single", body="rank is new to us, and so is fusion"),
    )
    query = read(store, "RRF new")
    assert query.plain is not None
    found = {each.id: each for each in matches(store, Lexical(query.plain, EVERYWHERE))}
    plain = {each.id: each for each in matches(store, ask("new"))}
    assert found["single"].score == pytest.approx(plain["single"].score)
    assert found["typed"].score > found["spelt"].score > found["single"].score
    assert found["typed"].share == 1


# what is left alone


@pytest.mark.parametrize(
    "text",
    [
        '"RRF"',
        "RRF AND fox",
        "title:RRF",
        'say "RRF',
        "parse_RRF",
        "rrf.merge",
        "src/rrf",
        "RRF-joined-list",
        "getRRF",
        "reciprocal_rank_fusion",
        "reciprocal. rank. fusion.py",
        "is it",
        "",
        "?!",
        "🦊 🦊",
        "שלום עולם",
    ],
)
def test_quoted_text_operators_and_identifiers_are_left_alone(store: Store, text: str) -> None:
    save(store, record("1", body="reciprocal rank fusion (RRF), שלום עולם"))
    assert read(store, text) == asked(text)


def test_what_is_typed_already_is_not_added_again(store: Store) -> None:
    save(store, record("1", body="reciprocal rank fusion (RRF)"))
    assert changes(store, "RRF is reciprocal rank fusion") == []


def test_a_question_in_capitals_is_not_full_of_acronyms(store: Store) -> None:
    save(store, record("1", body="how old wine ages (HOWA), dogs of wales eat (DOWE)"))
    assert changes(store, "HOWA DOWE") != []
    assert changes(store, "HOWA DOWE IS WHAT WE ALL WANT TO KNOW NOW") == []


# bad lists, bad texts


def test_a_list_with_a_loop_goes_round_once(store: Store) -> None:
    configure(store, {"AB": "CD", "CD": "AB"})
    save(store, record("1", body="AB"), record("2", body="CD"))
    assert changes(store, "AB") == [("AB", "cd")]
    assert changes(store, "AB CD") == []


@pytest.mark.parametrize("meant", ["gnu is not unix", "the of and", "gnu", "?!", " ", "x" * 10_000])
def test_an_expansion_that_adds_nothing_is_ignored(store: Store, meant: str) -> None:
    configure(store, {"GNU": meant})
    save(store, record("1", body="gnu is not unix, the of and"))
    assert changes(store, "GNU tools") == []


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "3", "null", '["RRF"]'])
def test_a_broken_setting_is_as_if_it_were_not_there(store: Store, text: str) -> None:
    save(store, record("1", body="reciprocal rank fusion"))
    commit(store, settings={"acronyms.RRF": text})
    assert changes(store, "RRF") == [RRF]


def test_among_a_thousand_settings_the_right_ones_are_found(store: Store) -> None:
    letters = "abcdefghij"
    codes = list(product(letters, repeat=3))
    configure(store, {f"X{a}{b}{c}": f"xenon {a}{a} {b}{b} {c}{c}" for a, b, c in codes})
    save(store, record("1", body="xenon aa bb cc"), record("2", body="XJJA"))
    assert changes(store, "xabc") == [("xabc", "xenon aa bb cc")]
    assert changes(store, "xenon jj jj aa") == [("xenon jj jj aa", "XJJA")]


@pytest.mark.parametrize("piece", ["(", "(RRF", "RRF (", "RRF (a ", "r ", "(RRF)", "a(RRF) "])
def test_a_megabyte_of_brackets_defines_nothing(piece: str) -> None:
    assert definition(piece * (MEGABYTE // len(piece)), "RRF", small_words()) == ""


def test_a_question_of_ten_thousand_words_is_read_in_part(store: Store) -> None:
    save(store, record("1", body="reciprocal rank fusion (RRF)"))
    assert changes(store, "RRF " + "amber fox " * 5_000) == [RRF]
    assert changes(store, "amber fox " * 5_000 + "RRF") == []


@pytest.mark.parametrize(
    ("acronym", "text", "meant"),
    [
        ("DOD", "the Department of Defense (DOD)", "department of defense"),
        ("PS", "a point of sale (PS)", "point of sale"),
        ("IAM", "identity and access management (IAM)", "identity and access management"),
        ("RF", "end. Rank fusion (RF)", "rank fusion"),
        ("RF", "rank. Fusion (RF)", ""),
        ("BM25", "best match 25 (BM25)", "best match 25"),
        ("RF", "rank\nfusion (RF)", "rank fusion"),
        ("RF", "rank\n\nfusion (RF)", ""),
        ("RF", "rank fusion (RFC)", ""),
        ("RF", "BRF (rank fusion)", ""),
        ("RF", "RF (rank fusion", ""),
    ],
)
def test_a_definition_is_what_the_initials_say(acronym: str, text: str, meant: str) -> None:
    assert definition(text, acronym, small_words()) == meant


# the shipped list


def test_the_shipped_list_is_in_lower_case_and_each_fits_one_acronym() -> None:
    expansions = shipped().expansions
    assert all(key == key.lower() and key.isalnum() for key in expansions)
    assert all(meant == meant.lower().strip() for meant in expansions.values())
    assert len(set(expansions.values())) == len(expansions)
    assert not expansions.keys() & stop_list("prose")
