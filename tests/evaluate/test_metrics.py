"""Metrics: equal to those of ir-measures, and means that say how sure they are."""

import math

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import RR, R, nDCG

from pinyon.evaluate.metrics import MEASURES, Mean, mean, measure

REFERENCE = {
    "ndcg@10": nDCG @ 10,
    "recall@5": R @ 5,
    "recall@10": R @ 10,
    "recall@100": R @ 100,
    "mrr@10": RR @ 10,
}

IDS = [f"d{number}" for number in range(130)]
LABELS = st.dictionaries(st.sampled_from(IDS[:30]), st.integers(-1, 3), min_size=1)
SCORES = st.dictionaries(st.sampled_from(IDS), st.integers(0, 5), min_size=1, max_size=130)
"""Few different scores, so that most of them are tied."""


@pytest.mark.proves("X8", part="measuring")
@settings(max_examples=60, deadline=None)
@given(LABELS, SCORES)
def test_every_measure_is_that_of_ir_measures(
    labels: dict[str, int], scores: dict[str, int]
) -> None:
    ranking = sorted(scores, key=lambda id: (-scores[id], id))  # ties as the engine breaks them
    qrels = [ir_measures.Qrel("q", id, label) for id, label in labels.items()]
    run = [ir_measures.ScoredDoc("q", id, -place) for place, id in enumerate(ranking)]
    expected = ir_measures.calc_aggregate(REFERENCE.values(), qrels, run)
    assert measure(ranking, labels) == pytest.approx(
        {name: expected[reference] for name, reference in REFERENCE.items()}
    )


def test_the_gain_of_a_label_is_the_label_itself() -> None:
    found = measure(["fair", "best"], {"best": 3, "fair": 1})
    assert found["ndcg@10"] == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_a_right_document_below_the_cut_counts_for_nothing() -> None:
    ranking = [f"wrong{place}" for place in range(10)]
    found = measure([*ranking, "right"], {"right": 1})
    assert found == {
        "ndcg@10": 0.0,
        "recall@5": 0.0,
        "recall@10": 0.0,
        "recall@100": 1.0,
        "mrr@10": 0.0,
    }


def test_an_empty_answer_is_worth_nothing() -> None:
    assert measure([], {"right": 1}) == dict.fromkeys(MEASURES, 0.0)


def test_the_interval_of_equal_values_has_no_width() -> None:
    assert mean([0.5] * 8) == Mean(0.5, 0.5, 0.5)


def test_the_interval_is_as_wide_as_theory_says() -> None:
    found = mean([0.0, 1.0] * 200)
    standard_error = 0.5 / math.sqrt(400)
    assert found.value == 0.5
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * standard_error, rel=0.1)


def test_the_same_values_give_the_same_interval() -> None:
    values = [0.1, 0.9, 0.4, 0.4, 0.0]
    assert mean(values) == mean(list(values))
    assert mean(values) != mean(values, seed=1)
