"""Understand: what becomes of a question before the store is asked."""

from typing import Any

import pytest

from pinyon.model.profile import UnderstandSection
from pinyon.model.query import FIELDS, AllOf, AnyOf, Expression, Near, Phrase, Query, Without
from pinyon.search.understand import LONGEST
from pinyon.search.understand import understand as understand_in
from pinyon.search.understand.operators import DEEPEST, parse
from pinyon.store.memory import MemoryStore
from tests.store.world import NOW

RED, FOX, HEN = (Phrase(word, (word,)) for word in ("red", "fox", "hen"))


def understand(text: str, how: UnderstandSection) -> Query:
    """In an empty store, where every word is new: nothing is read as another."""
    with MemoryStore().snapshot() as view:
        return understand_in(view, text, how, NOW)


def terms(text: str, **how: Any) -> list[str]:
    plain = understand(text, UnderstandSection(**how)).plain
    assert plain is not None
    return [part.text for part in plain.parts if isinstance(part, Phrase)]


@pytest.mark.proves("V4")
def test_a_sentence_becomes_its_terms_joined_by_or() -> None:
    plain = understand("how does JWT validation work", UnderstandSection()).plain
    expected = (
        Phrase("JWT", ("jwt",)),
        Phrase("validation", ("valid",)),
        Phrase("work", ("work",)),
    )
    assert plain == AnyOf(expected)


@pytest.mark.proves("V4")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The state OF the Art", ["state", "Art"]),
        ("plan b for x", ["plan"]),
        ("retry retries retrying", ["retry"]),
        ("tokens, tokens; TOKENS!", ["tokens"]),
    ],
)
def test_stop_words_single_letters_and_repetitions_are_left_out(
    text: str, expected: list[str]
) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize("text", ["to be or not to be", "a b c", "the"])
def test_a_question_of_nothing_but_stop_words_keeps_them(text: str) -> None:
    assert terms(text) == list(dict.fromkeys(text.split()))


@pytest.mark.proves("G5")
def test_the_list_for_code_keeps_what_the_list_for_prose_drops() -> None:
    asked = "if not is the for has do can loop"
    assert terms(asked, stop="code") == ["if", "not", "is", "for", "has", "do", "can", "loop"]
    assert terms(asked, stop="prose") == ["loop"]


@pytest.mark.proves("G5")
def test_an_identifier_is_asked_by_its_parts_and_whole() -> None:
    assert terms("getUserById", stop="code") == ["get", "User", "Id", "getUserById"]


def test_the_section_says_how_many_terms_and_how_short() -> None:
    assert terms("alpha beta gamma", terms=2) == ["alpha", "beta"]
    assert terms("ab abc abcd", shortest=3) == ["abc", "abcd"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"red fox"', Phrase("red fox", ("red", "fox"))),
        ("'red fox'", Phrase("red fox", ("red", "fox"))),
        ("red AND fox", AllOf((RED, FOX))),
        ("red OR fox", AnyOf((RED, FOX))),
        ("fox NOT hen", Without(FOX, HEN)),
        ("fox AND NOT hen", Without(FOX, HEN)),
        ("red OR fox AND hen", AnyOf((RED, AllOf((FOX, HEN))))),
        ("(red OR fox) AND hen", AllOf((AnyOf((RED, FOX)), HEN))),
        ("red OR fox NOT hen", AnyOf((RED, Without(FOX, HEN)))),
        ("fox NOT red NOT hen", Without(FOX, AnyOf((RED, HEN)))),
        ('red "fox"', AllOf((RED, FOX))),
        ("NEAR(red fox)", Near((RED, FOX), 10)),
        ("NEAR(red fox, 3)", Near((RED, FOX), 3)),
        ("fo*", Phrase("fo", ("fo",), prefix=True)),
        ('"red fo"*', Phrase("red fo", ("red", "fo"), prefix=True)),
        ("title:fox", Phrase("fox", ("fox",), field="title")),
        ('title:"red fox"', Phrase("red fox", ("red", "fox"), field="title")),
        ("tags:fo* AND hen", AllOf((Phrase("fo", ("fo",), True, "tags"), HEN))),
    ],
)
def test_operators_parse_into_the_expression_they_say(text: str, expected: Expression) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_can_be_named(field: str) -> None:
    assert parse(f"{field}:fox") == Phrase("fox", ("fox",), field=field)


def test_an_identifier_in_an_expression_is_its_parts_side_by_side_or_the_whole() -> None:
    parts = Phrase("get Fox", ("get", "fox"))
    whole = Phrase("getFox", ("getfox",))
    assert parse("getFox AND hen") == AllOf((AnyOf((parts, whole)), HEN))


@pytest.mark.parametrize(
    "text",
    [
        "foo AND",
        "AND foo",
        "NOT foo",
        "a OR OR b",
        '"unbalanced',
        "(fox AND hen",
        "fox AND hen)",
        "NEAR()",
        "NEAR(fox, many)",
        "NEAR(fox, 99999)",
        '"" AND fox',
        "*",
        "fox AND *",
        "title:",
        "colour:red AND",
        "(" * (DEEPEST + 1) + "fox AND hen" + ")" * (DEEPEST + 1),
    ],
)
def test_what_does_not_parse_is_no_expression_but_still_a_question(text: str) -> None:
    query = understand(text, UnderstandSection())
    assert query.asked is None
    assert query.pieces


@pytest.mark.parametrize(
    "text",
    ["fox and hen", "not a fox", "http://fox.example", "C++", "rm -rf /", "sand or", "2*3 =6"],
)
def test_everyday_text_is_not_taken_for_an_expression(text: str) -> None:
    assert parse(text) is None


def test_operators_can_be_switched_off() -> None:
    assert understand("fox AND hen", UnderstandSection(operators=False)).asked is None


def test_only_the_beginning_of_a_very_long_question_is_read() -> None:
    exact, longer = (understand("x" * size, UnderstandSection()) for size in (LONGEST, LONGEST + 1))
    assert (exact.cut, longer.cut) == (False, True)
    assert exact.text == longer.text
