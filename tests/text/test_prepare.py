"""Prepare: identifiers, signs and text without spaces become words, whatever the text."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.text.prepare import MOST_PARTS, prepare
from pinyon.text.stems import stems

MEGABYTE = 1_000_000
HOSTILE = {
    "capitals and small letters in turn": "aA",
    "capitals, and a small letter at the end": "A",
    "digits and letters in turn": "a1",
    "plurals of acronyms": "AAs",
    "signs": "C++#",
    "characters without spaces": "東",
    "accents in the wrong order": "\u0315\u0300",
    "accents and a sound mark": "\u0300\uff9e",
    "what one character expands to many": "ﷺ",
    "halves of a surrogate pair": "\ud800",
    "nothing but NUL": "\x00",
}
any_text = st.text(st.characters(exclude_categories=[]), max_size=60)


def stems_of(text: str) -> list[str]:
    return stems(prepare(text))


@pytest.mark.proves("G5")
def test_camel_case_becomes_its_parts_and_the_whole() -> None:
    assert stems_of("getUserById") == ["get", "user", "by", "id", "getuserbyid"]


@pytest.mark.proves("S19")
def test_snake_case_becomes_its_stemmed_parts() -> None:
    assert stems_of("user_authentication_flow") == ["user", "authent", "flow"]


@pytest.mark.proves("S19")
@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("sha256", ["sha", "256", "sha256"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("parseJSON2XML", ["pars", "json", "2", "xml", "parsejson2xml"]),
        ("src/auth/token.py", ["src", "auth", "token", "py"]),
        ("kebab-case", ["kebab", "case"]),
        ("SCREAMING_CASE", ["scream", "case"]),
    ],
)
def test_each_way_to_write_an_identifier_is_split(identifier: str, parts: list[str]) -> None:
    assert stems_of(identifier) == parts


def test_the_plural_of_an_acronym_is_one_word() -> None:
    assert stems_of("two URLs") == ["two", "url"]


@pytest.mark.proves("P9")
def test_a_property_in_braces_is_its_name_and_its_value() -> None:
    assert stems_of("{{age:34}}") == [*stems_of("age"), "34"]


def test_a_language_with_a_sign_has_a_name_of_its_own() -> None:
    plain, plus, sharp = (set(stems_of(name)) for name in ("C", "C++", "C#"))
    assert plain < plus
    assert plain < sharp
    assert plus & sharp == plain


@pytest.mark.proves("X3", part="index")
@pytest.mark.parametrize(
    "text",
    [
        "机器学习很有趣",
        "全文検索エンジン",
        "검색엔진입니다",
        "ข้อความ",
        "ພາສາລາວ",
        "ភាសាខ្មែរ",
        "မြန်မာ",
    ],
)
def test_text_without_spaces_becomes_its_pairs(text: str) -> None:
    text = unicodedata.normalize("NFKC", text)
    assert prepare(text).split() == [text[at : at + 2] for at in range(len(text) - 1)]


@pytest.mark.proves("X3", part="index")
def test_words_beside_unspaced_text_stay_whole() -> None:
    assert prepare("Python入門book").split() == ["Python", "入門", "book"]


def test_a_word_of_very_many_parts_stays_whole() -> None:
    most, more = "aB" * (MOST_PARTS // 2), "aB" * MOST_PARTS
    assert len(stems_of(most)) > 1
    assert stems_of(more) == [more.lower()]


@pytest.mark.proves("V3")
@pytest.mark.parametrize("text", ["Café", "CAFÉ", "cafe\u0301", "ｃａｆｅ"])
def test_every_way_to_write_a_letter_is_one_word(text: str) -> None:
    assert stems_of(text) == ["cafe"]


@settings(max_examples=300, deadline=None)
@given(any_text)
def test_any_text_can_be_prepared_and_stored(text: str) -> None:
    prepared = prepare(text)
    assert prepared.encode().decode() == prepared
    assert all(" " not in stem and stem for stem in stems(prepared))


@settings(max_examples=200, deadline=None)
@given(any_text, any_text)
def test_a_word_has_the_same_stems_wherever_it_stands(before: str, after: str) -> None:
    # What is asked and what is indexed go through one function, and neighbours change nothing.
    assert stems_of(f"{before} \n {after}") == stems_of(before) + stems_of(after)


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_megabyte_of_anything_is_prepared(piece: str) -> None:
    text = piece * (MEGABYTE // len(piece.encode("utf-8", "replace"))) + "a end"
    assert stems_of(text)[-1] == "end"
