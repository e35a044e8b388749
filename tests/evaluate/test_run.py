"""Run: each question is asked once for its numbers, and the same answers give the same outcome."""

from collections.abc import Iterator
from itertools import count

import pytest

from pinyon.evaluate.collection import Question
from pinyon.evaluate.metrics import measure
from pinyon.evaluate.run import evaluate, percentile
from pinyon.model.hit import Answer, Hit

QUESTIONS = [Question("q1", "one", {"a": 1}), Question("q2", "two", {"c": 1, "b": 2})]
FOUND = {"one": ["b", "a"], "two": ["b"]}


def ask(question: Question) -> Answer:
    hits = (Hit(id, "doc", "", 1.0, 1.0, {}, {}, "") for id in FOUND[question.text])
    return Answer(tuple(hits), {"warnings": ["no model"] if question.id == "q2" else []})


def ticks() -> Iterator[float]:
    """Each question takes a second more than the one before: 1, 2, 3 ..."""
    now = 0.0
    for second in count(1):
        yield now
        now += second
        yield now


def test_the_outcome_is_the_mean_of_what_each_answer_is_worth() -> None:
    outcome = evaluate(QUESTIONS, ask)
    each = {"q1": measure(["b", "a"], {"a": 1}), "q2": measure(["b"], {"c": 1, "b": 2})}
    assert outcome.each == each
    assert {name: mean.value for name, mean in outcome.means.items()} == pytest.approx(
        {name: (each["q1"][name] + each["q2"][name]) / 2 for name in each["q1"]}
    )
    assert (outcome.queries, outcome.remarks) == (2, {"no model": 1})


def test_progress_tells_each_question() -> None:
    told: list[tuple[int, int]] = []
    evaluate(QUESTIONS, ask, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_the_time_of_a_question_is_taken_from_the_timer() -> None:
    times = ticks()
    outcome = evaluate(QUESTIONS, ask, timer=lambda: next(times))
    assert (outcome.p50_ms, outcome.p95_ms) == (1_000.0, 2_000.0)


def test_what_the_first_question_loads_is_not_on_the_clock() -> None:
    asked: list[str] = []

    def counting(question: Question) -> Answer:
        asked.append(question.id)
        return ask(question)

    evaluate(QUESTIONS, counting)
    assert asked == ["q1", "q1", "q2"]


def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed() -> None:
    values = [float(value) for value in range(20, 0, -1)]
    assert [percentile(values, percent) for percent in (0, 50, 95, 100)] == [1, 10, 19, 20]
    assert percentile([7.0], 95) == 7
