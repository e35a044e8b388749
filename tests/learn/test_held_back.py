"""Held back: nDCG of a verdict, the splits, and how likely a gain is by chance."""

import math

import numpy as np
import pytest

from pinyon.learn.held_back import SPLITS, chance, ndcg, split
from pinyon.learn.lessons import Lesson, lessons
from tests.learn.judges import SEEN, blind, judged

ONE = np.array([1.0])


def lesson(*leads: float, liked: bool = True) -> Lesson:
    return Lesson("q", "r", liked, 1.0, np.array(leads).reshape(-1, 1))


def test_ndcg_of_a_liked_hit_is_the_discount_of_its_place() -> None:
    assert ndcg(lesson(0.2, -0.1, -0.3, 0.4), ONE) == pytest.approx(1 / math.log2(3 + 1))


def test_ndcg_of_a_dismissed_hit_is_that_of_all_others() -> None:
    """Two others stand above it, one below: it takes the third of four places."""
    gains = [1 / math.log2(place + 1) for place in (1, 2, 3, 4)]
    expected = (gains[0] + gains[1] + gains[3]) / (gains[0] + gains[1] + gains[2])
    assert ndcg(lesson(0.2, 0.1, -0.3, liked=False), ONE) == pytest.approx(expected)


def test_ties_share_their_places() -> None:
    assert ndcg(lesson(0.0, 0.0), ONE) == pytest.approx(1 / math.log2(2 + 1))


def test_each_split_holds_back_another_third_of_the_questions() -> None:
    read = lessons(judged(blind, questions=30), SEEN)
    chosen = []
    for number in range(SPLITS):
        held, rest = split(read, number)
        asked = {one.question for one in held}
        assert len(asked) == 30 // 3
        assert not asked & {one.question for one in rest}
        assert len(held) + len(rest) == len(read)
        chosen.append(frozenset(asked))
    assert len(set(chosen)) == SPLITS


def test_a_split_depends_on_the_questions_alone() -> None:
    one, two = (lessons(judged(blind, seed=seed, questions=30), SEEN) for seed in (1, 2))
    held = [{lesson.question for lesson in split(read, 0)[0]} for read in (one, two[::-1])]
    assert held[0] == held[1]


@pytest.mark.parametrize("count", [1, 3, 6])
def test_the_chance_that_all_signs_agree_is_one_in_two_to_their_number(count: int) -> None:
    assert chance([1.0] * count) == pytest.approx(1 / 2**count, abs=0.02)


def test_a_loss_is_likely_by_chance() -> None:
    assert chance([-1.0] * 10) > 0.99
    assert chance([0.0] * 10) == 1.0
