"""Configured: what a store's settings make of a profile, and which settings it takes."""

import json
from collections.abc import Mapping

import pytest

from pinyon.model.errors import InvalidInput, UnknownProfile, UnknownSetting
from pinyon.profiles.configured import (
    KEYS,
    PLAIN,
    check_removal,
    check_setting,
    configured,
    over,
    value_at,
)
from pinyon.profiles.load import load, shipped

RECENCY = "profiles.brain.rank.weights.recency"


def kept(key: str, value: str, settings: Mapping[str, str] | None = None) -> tuple[str, str]:
    return check_setting(key, value, settings or {}, shipped)


@pytest.mark.proves("B6")
def test_what_is_configured_stands_over_what_was_learnt() -> None:
    settings = {
        "learned.brain": json.dumps({"override": {"rank.weights": {"lexical": 1, "recency": 1}}}),
        RECENCY: "0.3",
        "profiles.brainy.rank.weights.recency": "0.9",
    }
    changes = configured(settings, "brain")
    assert list(changes.items()) == [
        ("rank.weights", {"lexical": 1, "recency": 1}),
        ("rank.weights.recency", 0.3),
    ]
    assert load("brain", override=changes).rank.weights == {"lexical": 1, "recency": 0.3}


@pytest.mark.proves("B6")
def test_what_a_call_says_stands_over_what_is_configured_part_by_part() -> None:
    below = {"rank.weights": {"lexical": 1}, "rank.weights.recency": 0.3}
    whole = over(below, {"rank.weights": {"vector": 1}})
    assert load("brain", override=whole).rank.weights == {"vector": 1}
    part = over(below, {"rank.weights.recency": 0})
    assert load("brain", override=part).rank.weights == {"lexical": 1, "recency": 0}


def test_a_table_that_is_configured_whole_comes_before_its_parts() -> None:
    settings = {RECENCY: "0.3", "profiles.brain.rank.weights": '{"lexical": 1}'}
    changed = load("brain", override=configured(settings, "brain"))
    assert changed.rank.weights == {"lexical": 1, "recency": 0.3}


def test_a_store_without_settings_changes_nothing() -> None:
    assert configured({}, "brain") == configured({"log_days": "3"}, "brain") == {}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (RECENCY, "{"),
        (RECENCY, "[" * 100_000),
        ("learned.brain", "nonsense"),
        ("learned.brain", "[]"),
        ("learned.brain", '{"override": 1}'),
    ],
)
def test_a_broken_setting_is_refused_with_the_command_that_removes_it(key: str, text: str) -> None:
    with pytest.raises(InvalidInput) as error:
        configured({key: text}, "brain")
    assert error.value.remedy == f"pinyon config unset {key}"


@pytest.mark.parametrize(
    ("key", "value", "stored"),
    [
        ("profiles.pages.present.words", " 8 ", "8"),
        ("profiles.graph.understand.stop", "prose", '"prose"'),
        ("profiles.graph.understand.stop", '"prose"', '"prose"'),
        ("profiles.pages.retrieve.kinds", '["page"]', '["page"]'),
        ("profiles.spec.fuse.normalise", "true", "true"),
        ("log_queries", "false", "false"),
        ("log_days", "0", "0"),
        ("acronyms.RRF", "  reciprocal rank  fusion ", '"reciprocal rank fusion"'),
        ("acronyms.RRF", '"reciprocal rank fusion"', '"reciprocal rank fusion"'),
        ("acronyms.RRF", "", '""'),
        ("acronyms.k8s", "kubernetes", '"kubernetes"'),
        ("acronyms.一带", "一带一路", '"一带一路"'),
        ("acronyms.AOC", "2001", '"2001"'),
    ],
)
def test_a_value_that_fits_is_kept_as_it_will_be_read(key: str, value: str, stored: str) -> None:
    assert kept(key, value) == (stored, "")


@pytest.mark.parametrize("value", ["-1", "NaN", "Infinity", "much", "true", "{}", "1" * 5_000, ""])
def test_a_weight_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(UnknownSetting, match=r"brain: rank\.weights\.recency"):
        kept(RECENCY, value)


def test_the_last_weight_above_0_cannot_be_set_to_0() -> None:
    settings = {
        f"profiles.brain.rank.weights.{signal}": "0" for signal in ("vector", "lexical", "recency")
    }
    with pytest.raises(UnknownSetting, match="all 0"):
        kept("profiles.brain.rank.weights.importance", "0", settings)


def test_weights_that_do_not_sum_to_1_are_shares_and_that_is_said() -> None:
    _, said = kept("profiles.brain.rank.weights.recency", "0.3")
    total = 0.4 + 0.3 + 0.3 + 0.1
    assert said == (
        f"the weights of brain sum to {total:.3g}; as shares of 1 they count "
        f"vector {0.4 / total:.3g}, lexical {0.3 / total:.3g}, recency {0.3 / total:.3g}, "
        f"importance {0.1 / total:.3g}"
    )
    assert kept("profiles.brain.rank.weights.recency", "0.2")[1] == ""
    assert kept("profiles.brain.present.words", "5")[1] == ""


def test_a_weight_that_another_stands_over_is_set_with_a_word_on_it() -> None:
    _, said = kept("profiles.vault.rank.weights.semantic", "0.5")
    assert said == "where vectors answer, rank.with_vectors of vault stands over it"


@pytest.mark.parametrize("key", ["colour", "", "profiles", "learned.brain", "log_queries.x"])
def test_an_unknown_key_is_refused_with_the_known_ones(key: str) -> None:
    with pytest.raises(UnknownSetting) as error:
        kept(key, "1")
    assert error.value.known == KEYS


def test_an_unknown_key_of_a_profile_is_refused_with_those_beside_it() -> None:
    with pytest.raises(UnknownSetting) as error:
        kept("profiles.brain.fuse.kk", "1")
    assert error.value.known == load("brain").fuse._fields
    with pytest.raises(UnknownSetting) as error:
        kept("profiles.brain", "1")
    assert "rank" in error.value.known
    with pytest.raises(UnknownProfile):
        kept("profiles.nobody.fuse.k", "1")


@pytest.mark.parametrize(
    ("key", "value"),
    [("log_queries", "1"), ("track_use", "False"), ("log_days", "-1"), ("log_most", "1e3")],
)
def test_a_plain_setting_takes_only_what_it_can_mean(key: str, value: str) -> None:
    with pytest.raises(UnknownSetting, match=key):
        kept(key, value)


@pytest.mark.proves("S6")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("acronyms.", "x"),
        ("acronyms.R", "rank"),
        ("acronyms.R R", "rank rank"),
        ("acronyms.ci/cd", "both"),
        ("acronyms.ABCDEFGHIJKLM", "a lot"),
        ("acronyms.RRF", "rank " * 30),
    ],
)
def test_what_is_no_acronym_or_no_expansion_is_refused(key: str, value: str) -> None:
    with pytest.raises(UnknownSetting, match=r"acronyms\.") as error:
        kept(key, value)
    assert error.value.remedy


def test_only_what_is_ours_can_be_unset() -> None:
    settings = {RECENCY: "{", "learned.brain": "{", "acronyms.RRF": '""', "tier.team": "{}"}
    for key in (RECENCY, "learned.brain", "acronyms.RRF", "log_days"):
        check_removal(key, settings)
    for key in ("tier.team", "profiles.brain.fuse.k", "acronyms.ZKP", "colour"):
        with pytest.raises(UnknownSetting) as error:
            check_removal(key, settings)
        assert error.value.known == (*PLAIN, RECENCY, "learned.brain", "acronyms.RRF")


def test_a_value_is_read_by_its_path() -> None:
    brain = load("brain")
    assert value_at(brain, "rank.weights.recency") == 0.2
    assert value_at(brain, "retrieve.overfetch") == {"factor": 3, "least": 0}
    assert value_at(brain, "retrieve.kinds") == list(brain.retrieve.kinds)
    with pytest.raises(UnknownSetting) as error:
        value_at(brain, "rank.weights.moon")
    assert error.value.known == tuple(brain.rank.weights)
