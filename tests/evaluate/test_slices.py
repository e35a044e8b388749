"""Slices: parts of the questions, whose figures add up to those of the whole."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.evaluate.collection import Question
from pinyon.evaluate.metrics import MEASURES
from pinyon.evaluate.run import Outcome, evaluate
from pinyon.evaluate.slices import Slice, length_of, slices
from pinyon.model.hit import Answer, Hit

TEXTS = st.lists(st.integers(1, 12), min_size=1, max_size=8)


def answered(questions: list[Question]) -> Outcome:
    """Each question finds the document of its own length in words, among others."""

    def ask(question: Question) -> Answer:
        words = len(question.text.split())
        ids = [f"d{number}" for number in range(words, words + 3)]
        hits = (Hit(id, "doc", "", 1.0, 1.0, {}, {}, "") for id in ids)
        return Answer(tuple(hits), {"route": "keyword" if words < 3 else "semantic"})

    return evaluate(questions, ask)


def asked(at: int, words: int, category: str = "") -> Question:
    return Question(f"q{at}", "word " * words, {f"d{(words + at) % 12}": 1}, "", category)


@pytest.mark.parametrize(
    ("words", "slice"),
    [(1, "1-3 words"), (3, "1-3 words"), (4, "4-8 words"), (8, "4-8 words"), (9, "9+ words")],
)
def test_a_question_is_as_long_as_its_words(words: int, slice: str) -> None:
    assert length_of(" word" * words) == slice


@pytest.mark.proves("X8", part="measuring")
@settings(deadline=None, max_examples=30)
@given(TEXTS)
def test_the_slices_of_all_questions_add_up_to_the_whole(lengths: list[int]) -> None:
    questions = [asked(at, words) for at, words in enumerate(lengths)]
    outcome = answered(questions)
    for found in slices(questions, outcome).values():
        assert sum(one.queries for one in found.values()) == len(questions)
        for name in MEASURES:
            total = math.fsum(one.means[name] * one.queries for one in found.values())
            assert total / len(questions) == pytest.approx(outcome.means[name].value)


def test_questions_are_told_apart_by_category_length_and_route() -> None:
    questions = [asked(0, 1, "temporal"), asked(1, 9, "single-hop"), asked(2, 9)]
    outcome = answered(questions)
    found = slices(questions, outcome)
    assert {
        by: {name: one.queries for name, one in each.items()} for by, each in found.items()
    } == {
        "category": {"single-hop": 1, "temporal": 1},
        "length": {"1-3 words": 1, "9+ words": 2},
        "route": {"keyword": 1, "semantic": 2},
    }
    assert found["category"]["temporal"] == Slice(1, outcome.each["q0"])


def test_without_categories_there_are_no_slices_of_them() -> None:
    questions = [asked(0, 1)]
    assert list(slices(questions, answered(questions))) == ["length", "route"]
