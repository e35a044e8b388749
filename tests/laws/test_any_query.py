"""Any string is a legal question: it has an answer, in every store and with every profile."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.engine import Engine
from pinyon.model.hit import Answer
from pinyon.model.record import Record
from pinyon.search.given import MODES
from tests.store.world import both_stores

PROFILES = ("default", "keyword")
RECORDS = (
    Record(id="fox", title="The <red> fox", body='She said: "C++ & rm -rf /" AND left 🦊'),
    Record(id="東京", title="東京都", body="機械学習 and getUserById(42)", tags=("a b", "x*")),
    Record(id="notes/a.md#one", body="to be or not to be", source="notes/a.md"),
)
FRAGMENTS = (
    *("AND", "OR", "NOT", "NEAR(", "NEAR(a b, 3)", "(", ")", '"', "'", "*", "^", "+", "-", ":"),
    *(
        "title:",
        "body:fox",
        "{title body}",
        "rowid:1",
        "fox",
        "fo*",
        "red",
        "the",
        "東京",
        "学",
        "C++",
    ),
    *(
        "\x00",
        "\ud800",
        "\udfff",
        "🦊",
        "👩‍👩‍👧",
        "\u202e",
        "\u0301",
        "¸",
        "ﷺ",
        "%",
        "_",
        "\\",
        ";--",
    ),
    *("<mark>", "&amp;", "\n", "\u2028", "\ufeff", "9" * 30, "getUserById", "{{age:34}}", "ค้นหา"),
)
any_text = st.text(st.characters(exclude_categories=[]), max_size=40)
questions = any_text | st.lists(st.sampled_from(FRAGMENTS) | any_text, max_size=12).flatmap(
    lambda parts: st.sampled_from(["", " "]).map(lambda gap: gap.join(parts))
)


@pytest.fixture(scope="module")
def engines() -> Iterator[list[Engine]]:
    with both_stores() as stores:
        engines = [Engine(store) for store in stores]
        for engine in engines:
            for record in RECORDS:
                engine.save(record)
        yield engines


def assert_answered(engines: list[Engine], question: str, **how: Any) -> None:
    for profile in PROFILES:
        answers = [engine.search(question, profile=profile, **how) for engine in engines]
        assert all(isinstance(answer, Answer) for answer in answers)
        ids = [[hit.id for hit in answer] for answer in answers]
        assert ids[0] == ids[1]
        assert [[hit.snippet for hit in answer] for answer in answers] == [
            [hit.snippet for hit in answers[0]]
        ] * 2


@settings(max_examples=400, deadline=None)
@given(question=questions, mode=st.sampled_from(MODES))
def test_any_text_is_answered(engines: list[Engine], question: str, mode: str) -> None:
    assert_answered(engines, question, mode=mode)


@pytest.mark.parametrize(
    "piece",
    [*FRAGMENTS, "fox ", "fox AND ", "fox OR ", "fox NOT ", "(fox ", "f* ", '"fox" ', "title:fox "],
    ids=ascii,
)
def test_a_megabyte_of_anything_is_answered(engines: list[Engine], piece: str) -> None:
    assert_answered(engines, piece * (1_000_000 // len(piece)) + "fox")


@pytest.mark.parametrize("question", FRAGMENTS, ids=ascii)
def test_the_signs_of_the_index_are_answered(engines: list[Engine], question: str) -> None:
    for text in (question, f"fox {question}", f"{question} fox", f"({question}) OR fox"):
        assert_answered(engines, text)
