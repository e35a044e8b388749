"""Paired: exact where all flips can be tried, near it where they are drawn."""

import math
import random
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.evaluate.paired import SURE, Difference, chance, compare, difference

GAINS = st.lists(st.integers(-4, 4).map(lambda quarters: quarters / 4), min_size=1, max_size=9)
"""Few different values, so that many sums are tied."""


def exact(gains: Sequence[float]) -> float:
    """Every way to flip the signs, one after the other."""
    seen = abs(math.fsum(gains))
    sums = [
        abs(math.fsum(sign * gain for sign, gain in zip(signs, gains, strict=True)))
        for signs in product((1, -1), repeat=len(gains))
    ]
    return sum(total >= seen - 1e-9 for total in sums) / len(sums)


@pytest.mark.proves("X8", part="measuring")
@settings(deadline=None)
@given(GAINS)
def test_few_gains_are_tested_by_all_their_flips(gains: list[float]) -> None:
    assert chance(gains) == pytest.approx(exact(gains))


@pytest.mark.proves("X8", part="measuring")
@pytest.mark.parametrize("seed", range(3))
def test_drawn_flips_come_near_to_all_of_them(seed: int) -> None:
    draw = random.Random(seed)
    gains = [draw.gauss(0.1, 0.3) for _ in range(12)]
    true = exact(gains)
    flips = 4_000
    assert flips < 2**12
    error = math.sqrt(true * (1 - true) / flips)
    assert chance(gains, flips=flips) == pytest.approx(true, abs=4 * error + 1 / flips)


@settings(deadline=None, max_examples=30)
@given(GAINS)
def test_it_is_two_sided_and_questions_without_a_difference_do_not_count(
    gains: list[float],
) -> None:
    assert chance([-gain for gain in gains]) == chance(gains) == chance([*gains, 0.0, 0.0])


def test_no_difference_is_certainly_by_chance() -> None:
    assert difference([0.0] * 20) == Difference(0.0, 1.0)
    assert difference([]) == Difference(0.0, 1.0)


def test_a_gain_on_every_question_is_real_and_one_on_a_few_is_not() -> None:
    assert difference([0.1] * 30).real
    assert not difference([0.1] * 5).real  # 2 of 2 ** 5 ways


def test_who_is_no_better_is_called_so_one_time_in_twenty() -> None:
    draw = random.Random(4)
    called = sum(
        chance([draw.gauss(0, 1) for _ in range(20)], flips=500) < SURE for _ in range(400)
    )
    assert called / 400 == pytest.approx(SURE, abs=0.033)  # three standard errors


def test_the_same_gains_give_the_same_answer() -> None:
    gains = [random.Random(1).random() - 0.4 for _ in range(50)]
    assert chance(gains) == chance(list(gains))


def test_runs_are_compared_on_the_questions_that_both_were_asked() -> None:
    def values(ndcg: float) -> dict[str, float]:
        return {"ndcg@10": ndcg, "recall@10": 1.0}

    first = {"a": values(0.5), "b": values(0.25), "only here": values(1.0)}
    other = {"b": values(0.75), "a": values(0.5), "only there": values(0.0)}
    assert compare(first, other) == {
        "ndcg@10": Difference((0.0 + 0.5) / 2, 1.0),
        "recall@10": Difference(0.0, 1.0),
    }
