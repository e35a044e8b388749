"""Tune: weights follow the labels, hold to the start where nothing is known, and what is held back
is the same every time."""

import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.evaluate.metrics import ndcg
from pinyon.learn.tune import FOLDS, Case, Found, _table, folds, told_apart, tuned

START = {"lexical": 0.4, "vector": 0.6, "recency": 0.2}

GRADES = st.integers(0, 3)
HITS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), GRADES), max_size=15)
CASES = st.lists(st.tuples(HITS, st.lists(GRADES, max_size=3)), min_size=1, max_size=5)


def planted(weights: Mapping[str, float], *, questions: int = 60, seed: int = 1) -> list[Case]:
    """Questions to which the best hit by these weights is the only relevant one."""
    draw = random.Random(seed)
    cases = []
    for number in range(questions):
        found = [{name: draw.random() for name in weights} for _ in range(20)]
        worth = [sum(weights[name] * value for name, value in hit.items()) for hit in found]
        hits = [
            Found(f"hit-{at}", signals, int(worth[at] == max(worth)))
            for at, signals in enumerate(found)
        ]
        cases.append(Case(f"question {number}", hits, [1]))
    return cases


def mean_ndcg(cases: Sequence[Case], weights: Mapping[str, float]) -> float:
    """Of the order that a search has: by the sum, then by id."""

    def order(case: Case) -> list[str]:
        sums = {
            hit.id: sum(weight * hit.signals.get(name, 0) for name, weight in weights.items())
            for hit in case.hits
        }
        return sorted(sums, key=lambda id: (-sums[id], id))

    def labels(case: Case) -> dict[str, int]:
        found = {hit.id: hit.label for hit in case.hits}
        missed = list(case.labels)
        for label in found.values():
            if label in missed:
                missed.remove(label)
        return found | {f"missed {at}": label for at, label in enumerate(missed)}

    return sum(ndcg(order(case), labels(case), 10) for case in cases) / len(cases)


@given(st.lists(st.text(st.characters(), max_size=4)), st.randoms())
def test_every_question_is_held_back_once_in_whatever_order(
    keys: list[str], draw: random.Random
) -> None:
    parts = folds(keys)
    shuffled = draw.sample(keys, len(keys))
    assert len(parts) == FOLDS
    assert sorted(key for part in parts for key in part) == sorted(set(keys))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert folds(shuffled) == parts


@given(CASES, st.integers(0, 5), st.integers(1, 5))
def test_what_is_maximised_is_the_measure_itself(
    drawn: list[tuple[list[tuple[int, int, int]], list[int]]], lexical: int, vector: int
) -> None:
    cases = [
        Case(
            f"question {number}",
            [
                Found(f"{at:02}", {"lexical": one, "vector": two}, grade)
                for at, (one, two, grade) in enumerate(hits)
            ],
            [*(grade for _, _, grade in hits), *missed],
        )
        for number, (hits, missed) in enumerate(drawn)
    ]
    weights = {"lexical": lexical, "vector": vector}
    ours = _table(cases, list(weights)).ndcg(np.array([lexical, vector], dtype=float))
    assert ours == pytest.approx(mean_ndcg(cases, weights))


@pytest.mark.proves("X8", part="tuning")
@pytest.mark.parametrize(
    "wanted",
    [
        {"lexical": 0.9, "vector": 0.1, "recency": 0.0},
        {"lexical": 0.1, "vector": 0.2, "recency": 0.7},
    ],
)
def test_what_the_labels_follow_is_found_also_for_other_questions(
    wanted: Mapping[str, float],
) -> None:
    weights = tuned(planted(wanted), START, 1.0)
    fresh = planted(wanted, seed=2)
    assert mean_ndcg(fresh, weights) > max(0.9, mean_ndcg(fresh, START) + 0.1)


def test_names_and_sum_stay_those_of_the_start() -> None:
    weights = tuned(planted({"lexical": 0.1, "vector": 0.2, "recency": 0.7}), START, 1.0)
    assert list(weights) == list(START)
    assert sum(weights.values()) == pytest.approx(sum(START.values()), abs=1e-3)
    assert min(weights.values()) >= 0


def test_weights_that_are_right_already_stay() -> None:
    assert tuned(planted(START), START, 1.0) == START


def test_a_signal_in_which_no_hits_differ_keeps_its_ratio() -> None:
    start = {**START, "graph": 0.3}
    cases = planted({"lexical": 0.1, "vector": 0.2, "recency": 0.7})
    weights = tuned(cases, start, 1.0)
    assert weights["recency"] > START["recency"]
    rest = sum(weights[name] for name in START)
    assert weights["graph"] / rest == pytest.approx(0.3 / sum(START.values()), abs=1e-3)


@pytest.mark.parametrize("name", ["lexical", "recency"])
def test_one_signal_alone_leaves_nothing_to_weigh(name: str) -> None:
    cases = [
        case._replace(hits=[hit._replace(signals={name: hit.signals[name]}) for hit in case.hits])
        for case in planted(START)
    ]
    assert told_apart(cases, list(START)) == [name]
    assert tuned(cases, START, 1.0) == START


def test_questions_that_found_nothing_say_nothing() -> None:
    empty = Case("nothing", [], [1])
    cases = planted({"lexical": 0.9, "vector": 0.1, "recency": 0.0})
    assert tuned([empty], START, 1.0) == START
    assert mean_ndcg(cases, tuned([*cases, empty], START, 1.0)) > 0.9


def test_the_same_questions_give_the_same_weights() -> None:
    cases = planted({"lexical": 0.1, "vector": 0.2, "recency": 0.7}, questions=20)
    assert tuned(cases, START, 1.0) == tuned(cases, START, 1.0)
