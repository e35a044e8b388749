"""Age: decay by half-life and in validity windows, strength by use, and the time asked about."""

import math
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.facts import Facts, microseconds
from pinyon.model.profile import RankSection
from pinyon.search.rank.half_life import half_life_of, strength_at
from tests.search.rank.built import NINE_TYPES, ago, facts, signal, us
from tests.store.world import NOW

HOW = RankSection(half_life=365, fading=30, half_lives=NINE_TYPES)
DAYS = st.floats(-5_000, 50_000)
TYPES = st.sampled_from(["", "unheard of", *NINE_TYPES])


def decay(*about: Facts, now: datetime = NOW) -> list[float]:
    return signal("decay", about, HOW, now=now)


@pytest.mark.proves("V10")
def test_decay_is_1_when_new_a_half_after_a_year_and_a_quarter_after_two() -> None:
    ages = (0, 30, 365, 730)
    assert decay(*(facts(str(age), updated_at=ago(age)) for age in ages)) == pytest.approx(
        [math.exp(-math.log(2) * age / 365) for age in ages]
    )
    assert decay(*(facts(str(age), updated_at=ago(age)) for age in (0, 365, 730))) == [1, 0.5, 0.25]


@pytest.mark.proves("V10")
def test_in_a_window_decay_is_1_until_the_last_quarter_then_falls_in_a_line_to_0() -> None:
    windowed = facts("a", valid_from=NOW, valid_until=NOW + timedelta(days=100))
    expected = {
        0: 1,
        50: 1,
        75: 1,
        80: (100 - 80) / 25,
        90: (100 - 90) / 25,
        99: (100 - 99) / 25,
        100: 0,
        101: 0,
    }
    found = {day: decay(windowed, now=NOW + timedelta(days=day))[0] for day in expected}
    assert found == pytest.approx(expected)


def test_a_window_without_a_beginning_begins_when_the_record_was_made() -> None:
    made = facts("a", created_at=ago(90), valid_until=NOW + timedelta(days=10))
    assert decay(made) == pytest.approx([10 / (100 / 4)])


def test_a_window_is_stronger_than_any_half_life() -> None:
    old = facts(
        "a",
        updated_at=ago(1_000),
        half_life=1.0,
        valid_from=ago(1_000),
        valid_until=NOW + timedelta(days=1_000),
    )
    assert decay(old) == [1]


def test_what_only_begins_to_be_valid_fades_by_its_half_life() -> None:
    assert decay(facts("a", updated_at=ago(365), valid_from=ago(400))) == [0.5]


def test_a_window_upside_down_is_over_when_it_ends() -> None:
    upside_down = facts("a", valid_from=NOW, valid_until=ago(10))
    assert decay(upside_down, now=ago(11)) == [1]
    assert decay(upside_down, now=ago(10)) == [0]
    assert decay(upside_down) == [0]


def test_what_is_dated_in_the_future_is_new() -> None:
    future = facts("a", updated_at=NOW + timedelta(days=40))
    assert decay(future) == [1]
    assert signal("recency", [future], HOW) == [1]


@pytest.mark.proves("S14", part="lifecycle")
def test_each_type_of_memory_fades_by_its_own_half_life_and_one_never() -> None:
    of = [facts(name, memory_type=name, updated_at=ago(60)) for name in NINE_TYPES]
    fading = [2 ** (-60 / days) if days else 1.0 for days in NINE_TYPES.values()]
    assert signal("decay", of, HOW) == pytest.approx(fading)
    assert signal("recency", of, HOW) == pytest.approx(fading)
    assert fading[-1] == 1


def test_a_record_s_own_half_life_stands_over_its_type_and_its_type_over_the_profile() -> None:
    own = facts("own", memory_type="working", half_life=10.0)
    assert half_life_of(own, NINE_TYPES, 365) == 10
    assert half_life_of(own._replace(half_life=None), NINE_TYPES, 365) == 1
    plain = facts("plain")
    assert half_life_of(plain, NINE_TYPES, 365) == 365
    assert half_life_of(plain._replace(memory_type="unheard of"), NINE_TYPES, 365) == 365


@pytest.mark.proves("B8")
def test_strength_halves_every_30_days_since_the_last_use() -> None:
    used = facts("a", strength=0.8, used_at=ago(60), updated_at=ago(900))
    assert strength_at(microseconds(NOW), used, HOW) == 0.8 * 2 ** (-60 / 30)
    assert signal("recency", [used], HOW) == [0.8 / 4]


@pytest.mark.proves("B8")
def test_what_was_never_used_fades_from_full_strength_since_its_last_change() -> None:
    never = [facts("new"), facts("old", created_at=ago(500), updated_at=ago(30))]
    assert signal("recency", never, HOW) == [1, 0.5]


def test_what_is_of_the_time_asked_about_counts_1_and_the_rest_by_its_distance() -> None:
    week = (ago(14), ago(7))
    of = {
        "first moment": (ago(14), 1),
        "inside": (ago(10), 1),
        "a week before": (ago(21), 2 ** (-7 / 7)),
        "two weeks before": (ago(28), 2 ** (-14 / 7)),
        "three days after": (ago(4), 2 ** (-3 / 7)),
    }
    about = [facts(name, created_at=created) for name, (created, _) in of.items()]
    assert signal("time", about, HOW, period=week) == pytest.approx(
        [expected for _, expected in of.values()]
    )


def test_a_period_of_hours_is_as_wide_as_a_day() -> None:
    hour = (ago(1), ago(1) + timedelta(hours=1))
    assert signal("time", [facts("a", created_at=ago(3))], HOW, period=hour) == [2 ** (-2 / 1)]


def test_a_question_without_a_time_says_nothing_of_it() -> None:
    assert signal("time", [facts("a")], HOW) == [0]


@given(DAYS, DAYS, DAYS, TYPES, st.floats(0, 1), st.one_of(st.none(), st.floats(1e-6, 1e9)))
def test_whatever_the_dates_are_every_signal_of_age_lies_between_0_and_1(
    updated: float,
    start: float,
    end: float,
    memory_type: str,
    strength: float,
    half_life: float | None,
) -> None:
    about = facts(
        "a",
        created_at=ago(updated),
        updated_at=ago(updated),
        memory_type=memory_type,
        strength=strength,
        half_life=half_life,
    )
    windowed = about._replace(valid_from_us=us(ago(start)), valid_until_us=us(ago(end)))
    period = (min(ago(start), ago(end)), max(ago(start), ago(end)))
    for name in ("decay", "recency", "time"):
        found = signal(name, [about], HOW, period=period)
        assert 0 <= found[0] <= 1
    assert 0 <= decay(windowed)[0] <= 1


@given(st.floats(0, 2_000), st.floats(0, 2_000), TYPES)
def test_what_is_older_never_counts_more(one: float, other: float, memory_type: str) -> None:
    newer, older = sorted((one, other))
    of = [
        facts(name, updated_at=ago(days), memory_type=memory_type)
        for name, days in (("newer", newer), ("older", older))
    ]
    for name in ("decay", "recency"):
        first, second = signal(name, of, HOW)
        assert first >= second
