"""Routes: which questions are asked by words, which by a name, which by meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.profile import ROUTES
from pinyon.search.understand.operators import parse
from pinyon.search.understand.routes import route_of


def route(text: str) -> str:
    return route_of(text, parse(text))


@pytest.mark.proves("P1")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        '"how does it all work"',
        "'how does it all work'",
        "auth AND NOT oauth",
        "cats OR dogs in town",
        "NEAR(cat dog mouse)",
        "title:retry for slow servers",
        "retri* of failed calls",
        '"exact words" AND more of them',
        "notes of 2024-05-01 from Anna",
        "what was said on 2024/05/01",
        "retry",
        "retry policy",
        "my-page-slug",
        "getUserById",
        "検索",
        "... --- ...",
        "😀 😀 😀 😀",
    ],
)
def test_what_is_looked_up_is_asked_by_words(text: str) -> None:
    assert route(text) == "keyword"


@pytest.mark.proves("P1")
@pytest.mark.parametrize(
    "text",
    [
        "how does authentication work",
        "what did Anna say?",
        "tea and cake, or not",
        "the AND gate AND",
        "room 2024-13-40 is no date",
        "he said: this and/or that",
        "a client/server system, e.g. ours, at 5 p.m.",
        "version 2.0 of the state-of-the-art reader",
        "what's the users' guide about",
        "COVID-19 in the 1980s",
        "機械学習の仕組みを説明",
        "מה שלומך היום חבר",
    ],
)
def test_three_words_or_more_are_asked_by_meaning_too(text: str) -> None:
    assert route(text) == "semantic"


@pytest.mark.parametrize(
    "name",
    [
        "getUserById",
        "HttpClient",
        "user_id",
        "ERR_FOO",
        "__init__",
        "os.path.join",
        "prepare.py",
        "main()",
        "std::vector",
        "--no-fix",
        "src/search/rank",
        "/etc/hosts",
        "./run",
        "~/notes",
        r"C:\Users\anna",
        "https://example.org",
        "E1234",
        "ORA-00942",
        "CVE-2021-44228",
        "0x80070057",
        "3f2a9bc",
        '"connection reset by peer"',
        "`extensions`",
        "“out of memory”",
    ],
)
def test_a_name_of_code_among_words_is_asked_as_a_name(name: str) -> None:
    assert route(f"what does {name} mean") == "identifier"
    assert route(f"where do we see {name}") == "identifier"


def test_a_name_in_a_long_text_is_said_in_passing() -> None:
    text = "the reader of pages knows what HttpClient means"
    assert route(text) == "identifier"
    assert route(f"{text} {'and more of it ' * 8}") == "semantic"


def test_operators_count_only_where_they_are_read() -> None:
    assert route_of("cats AND dogs", parse("cats AND dogs")) == "keyword"
    assert route_of("cats AND dogs", None) == "semantic"


@pytest.mark.parametrize("piece", ["a/", "a-", "aA", "A1", "0a", '"', "`a", "1-", "(", "_", "字"])
def test_ten_thousand_characters_of_anything_have_a_route(piece: str) -> None:
    text = (piece * 10_000)[:9_990]
    assert route(f"{text} and more words") in ROUTES


@given(st.text())
def test_any_text_has_one_route_and_always_the_same(text: str) -> None:
    assert route(text) == route(text)
    assert route(text) in ROUTES
