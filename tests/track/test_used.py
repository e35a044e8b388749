"""What one more use does to a record: its strength rises, its memory grows more stable."""

from datetime import timedelta
from typing import Any

import pytest

from pinyon.model.facts import Facts, microseconds
from pinyon.model.profile import RankSection
from pinyon.model.use import Use
from pinyon.search.rank.half_life import strength_at
from pinyon.track import LONGEST_DAYS, used
from tests.store.world import NOW

DAY = timedelta(days=1)
HOW = RankSection(fading=30, half_lives={"episodic": 7, "meta-cognitive": 0})


def facts(**parts: Any) -> Facts:
    made = microseconds(NOW)
    blank = Facts("a", "memory", "", "", 3, 0, "", "", "", "", made, made, None, None, None)
    return blank._replace(**parts)


def after(use: Use, known: Facts) -> Facts:
    return known._replace(strength=use.strength, used_us=microseconds(use.used_at), uses=use.times)


@pytest.mark.proves("B8")
def test_strength_halves_after_thirty_days_without_use() -> None:
    assert strength_at(microseconds(NOW + 30 * DAY), facts(), HOW) == 0.5
    assert used(None, facts(), NOW + 30 * DAY, HOW).strength == pytest.approx(0.5 + 0.1)


@pytest.mark.proves("B8")
def test_a_use_raises_strength_by_a_tenth_to_at_most_one() -> None:
    first = used(None, facts(), NOW + 60 * DAY, HOW)
    second = used(first, after(first, facts()), NOW + 60 * DAY, HOW)
    assert [first.strength, second.strength] == pytest.approx([0.25 + 0.1, 0.25 + 0.1 + 0.1])
    assert used(None, facts(), NOW, HOW).strength == 1.0


@pytest.mark.proves("B8")
def test_strength_fades_from_the_last_use_on() -> None:
    first = used(None, facts(), NOW + 60 * DAY, HOW)
    again = used(first, after(first, facts()), NOW + 90 * DAY, HOW)
    assert again.strength == pytest.approx((0.25 + 0.1) / 2 + 0.1)


@pytest.mark.proves("S14", part="lifecycle")
@pytest.mark.parametrize(
    ("parts", "strength", "stability"),
    [
        ({"memory_type": "episodic"}, 0.5, 7.0),
        ({"memory_type": "semantic"}, 2 ** (-7 / 30), 30.0),
        ({"memory_type": "episodic", "half_life": 14.0}, 2 ** (-7 / 14), 14.0),
        ({"memory_type": "meta-cognitive"}, 1.0, LONGEST_DAYS),
    ],
)
def test_the_half_life_is_the_records_own_else_that_of_its_type(
    parts: dict[str, Any], strength: float, stability: float
) -> None:
    use = used(None, facts(**parts), NOW + 7 * DAY, HOW)
    left = 2 ** (-7 / stability)
    assert use.strength == pytest.approx(min(1, strength + 0.1))
    assert use.stability == pytest.approx(
        min(LONGEST_DAYS, stability * (1 + 2 * (11 - 5) / 10 * (1 - left)))
    )


@pytest.mark.proves("S14", part="lifecycle")
def test_stability_grows_more_where_it_was_nearly_forgotten() -> None:
    soon, late = (used(None, facts(), NOW + days * DAY, HOW) for days in (1, 90))
    assert 30 < soon.stability < late.stability
    assert late.stability == pytest.approx(30 * (1 + 2 * 0.6 * (1 - 2**-3)))
    assert used(None, facts(), NOW, HOW).stability == 30


@pytest.mark.proves("S14", part="lifecycle")
def test_difficulty_stays_in_its_limits_and_is_pulled_to_the_usual() -> None:
    left = 2 ** (-90 / 30)
    use = used(None, facts(), NOW + 90 * DAY, HOW)
    shifted = 5 + 0.5 - left
    assert use.difficulty == pytest.approx(shifted + 0.1 * (5 - shifted))
    easy = hard = use
    for _ in range(100):
        easy = used(easy, facts(), easy.used_at, HOW)
        forgotten = hard._replace(stability=0.01)
        hard = used(forgotten, facts(), hard.used_at + DAY, HOW)
    assert easy.difficulty == 1.0
    assert hard.difficulty == pytest.approx(5 + 0.5 * 0.9 / 0.1, abs=1e-3)


def test_a_use_is_counted_and_dated() -> None:
    first = used(None, facts(), NOW, HOW)
    second = used(first, after(first, facts()), NOW + DAY, HOW)
    assert (first.times, first.reviews, first.used_at, first.reviewed_at) == (1, 1, NOW, NOW)
    assert (second.times, second.reviews) == (2, 2)
    assert (second.used_at, second.reviewed_at) == (NOW + DAY, NOW + DAY)


def test_a_use_before_the_last_change_counts_as_one_just_now() -> None:
    early = used(None, facts(), NOW - DAY, HOW)
    assert (early.strength, early.stability) == (1.0, 30.0)
