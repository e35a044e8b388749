"""What counts as a word: parts of identifiers, stems, folded accents, pairs of unspaced letters."""

import pytest

from pinyon.model.query import FIELDS, Lexical
from pinyon.store.contract import Store
from pinyon.store.questions import Terms
from tests.store.world import ask, found, phrase, record, save

UNSPACED = {
    "chinese": "机器学习很有趣",
    "japanese": "全文検索エンジンとは",
    "korean": "검색엔진입니다",
    "thai": "ค้นหาข้อความ",
}


@pytest.mark.proves("V3")
def test_every_field_is_searched_by_its_own_name_and_no_other(store: Store) -> None:
    save(
        store,
        record("alpha"),
        record("1", title="beta"),
        record("2", aliases=("one", "gamma")),
        record("3", body="delta"),
        record("4", context="epsilon"),
        record("5", tags=("zeta",)),
        record("6", source="notes/theta.md"),
    )
    names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta"]
    ids = ["alpha", "1", "2", "3", "4", "5", "6"]
    everything = " ".join(names)
    alone = [found(store, ask(everything, fields={field: 1.0})) for field in FIELDS]
    assert alone == [[id] for id in ids]
    assert [found(store, name) for name in names] == [[id] for id in ids]


@pytest.mark.proves("V3")
@pytest.mark.parametrize("asked", ["run", "runs", "running", "RUNNING"])
def test_words_meet_by_their_stems(store: Store, asked: str) -> None:
    save(store, record("1", body="she was Running"), record("2", body="she sat"))
    assert found(store, asked) == ["1"]


@pytest.mark.proves("V3")
@pytest.mark.parametrize("asked", ["cafe", "café", "CAFÉ", "cafe\u0301"])
def test_accents_are_folded_on_both_sides(store: Store, asked: str) -> None:
    save(store, record("1", body="the Café opens"), record("2", body="the CAFE closes"))
    assert sorted(found(store, asked)) == ["1", "2"]


@pytest.mark.proves("S19")
@pytest.mark.parametrize("asked", ["user", "authentication", "flow", "user_authentication_flow"])
def test_snake_case_is_found_by_its_parts_and_whole(store: Store, asked: str) -> None:
    save(store, record("1", body="calls user_authentication_flow()"))
    assert found(store, asked) == ["1"]


@pytest.mark.proves("S19")
def test_the_parts_of_an_identifier_are_stemmed(store: Store) -> None:
    save(store, record("1", body="user_authentication_flow"))
    with store.snapshot() as view:
        terms = view.survey(Terms(("1",), ("body",)))["1"]
    assert terms == {"user": 1, "authent": 1, "flow": 1}


@pytest.mark.proves("G5")
@pytest.mark.parametrize("asked", ["get", "user", "by", "id", "getUserById", "getuserbyid"])
def test_camel_case_is_found_by_its_parts_and_whole(store: Store, asked: str) -> None:
    save(store, record("1", body="calls getUserById(7)"))
    assert found(store, asked) == ["1"]


@pytest.mark.proves("G5")
def test_the_parts_of_an_identifier_stand_side_by_side(store: Store) -> None:
    save(store, record("1", body="getUserById"), record("2", body="by the user get id"))
    asked = Lexical(phrase("user by id"), dict.fromkeys(FIELDS, 1.0))
    assert found(store, asked) == ["1"]


@pytest.mark.proves("P9")
@pytest.mark.parametrize("asked", ["age", "34", "age:34", "{{age:34}}"])
def test_a_property_in_braces_is_found_by_name_and_by_value(store: Store, asked: str) -> None:
    save(store, record("1", body="Ann {{age:34}} lives here"))
    assert found(store, asked) == ["1"]


@pytest.mark.proves("X3", part="index")
@pytest.mark.parametrize("text", UNSPACED.values(), ids=UNSPACED.keys())
def test_unspaced_text_is_found_by_any_two_characters(store: Store, text: str) -> None:
    save(store, record("1", body=f"see {text} here"), record("2", body="see nothing here"))
    pairs = [text[at : at + 2] for at in range(len(text) - 1)]
    assert [found(store, pair) for pair in pairs] == [["1"]] * len(pairs)


@pytest.mark.proves("X3", part="index")
def test_unspaced_characters_that_do_not_stand_together_are_not_found(store: Store) -> None:
    save(store, record("1", body="机器学习"))
    assert found(store, "器习") == []
