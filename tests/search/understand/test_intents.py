"""Intents: which wish is heard in a question, how sure that is, and what it changes."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.profile import INTENTS
from pinyon.model.query import Change, Intent, Query
from pinyon.model.record import KINDS
from pinyon.profiles.load import changed, load, names
from pinyon.search.understand import intents
from pinyon.search.understand.intents import intents_of, override_of
from pinyon.text.stems import stems

TABLE: Mapping[str, Any] = tomllib.loads(
    Path(intents.__file__).with_name("intents.toml").read_text("utf-8")
)


def heard(text: str, given: str = "", changes: tuple[Change, ...] = ()) -> tuple[Intent, ...]:
    return intents_of(Query(text, None, None, (), changes=changes), given)


def accuracy(file: str) -> float:
    """The share of the labelled questions whose wish is heard as a person hears it."""
    labelled = tomllib.loads(Path(__file__).with_name(file).read_text("utf-8"))
    right = [heard(text)[0].name == name for name, texts in labelled.items() for text in texts]
    return sum(right) / len(right)


@pytest.mark.proves("S4")
def test_fix_and_crash_count_two_each_and_login_one() -> None:
    first = heard("fix login crash after update")[0]
    assert (first.name, first.score) == ("fix_bug", 2 + 2 + 1)


@pytest.mark.proves("S4")
def test_the_examples_of_the_seed_are_heard() -> None:
    assert heard("add user registration feature")[0].name == "add_feature"
    name, _, confidence = heard("add dark mode feature")[0]
    assert name == "add_feature"
    assert confidence == pytest.approx(0.85, abs=0.03)


@pytest.mark.proves("S4")
def test_the_wish_is_heard_in_the_known_questions() -> None:
    assert accuracy("intents_known.toml") >= 0.95


@pytest.mark.proves("S4")
def test_the_wish_is_heard_in_questions_that_no_list_was_made_for() -> None:
    assert accuracy("intents_held_back.toml") >= 0.9


@pytest.mark.proves("S4")
@pytest.mark.parametrize(
    "text",
    [
        "address book",
        "addresses of members",
        "prefix and suffix",
        "bugfix release notes",
        "newspapers",
        "specific heat of water",
        "a decisive moment",
        "audition for the play",
        "error bars in the chart",
        "a crash course in cooking",
    ],
)
def test_what_only_looks_like_a_keyword_is_not_heard(text: str) -> None:
    first, *others = heard(text)
    assert first.name == "understand"
    assert [other for other in others if other.score > 1] == []


@pytest.mark.proves("S4")
def test_below_the_threshold_the_wish_is_to_understand_and_what_was_nearly_heard_is_told() -> None:
    first, second = heard("plane crash statistics")
    assert (first.name, first.score) == ("understand", 0)
    assert (second.name, second.score) == ("fix_bug", 2)
    assert second.confidence < first.confidence


def test_a_keyword_counts_once_in_all_its_forms() -> None:
    assert heard("crash crashes crashed crashing") == heard("crash")


def test_neighbouring_words_are_one_keyword_and_apart_they_are_not() -> None:
    assert heard("the race condition here")[0].name == "fix_bug"
    assert heard("the condition of the race")[0].name == "understand"


def test_a_misspelt_word_is_heard_as_it_was_read() -> None:
    change = Change("refctor", "refactor", "spelling")
    assert heard("refctor the importer")[0].name == "understand"
    assert heard("Refctor the importer", changes=(change,))[0].name == "refactor"


def test_the_three_likeliest_are_told_best_first() -> None:
    text = "explain why we decided to fix the security bug and refactor the code, see the spec"
    told = heard(text)
    assert len(told) == 3
    assert [one.score for one in told] == sorted((one.score for one in told), reverse=True)


def test_what_is_as_likely_stands_in_the_order_of_the_intents() -> None:
    told = [one.name for one in heard("refactor, or implement") if one.score == 3]
    assert told == ["add_feature", "refactor"]


@pytest.mark.proves("S4")
def test_confidence_grows_with_the_score_and_with_the_lead() -> None:
    def sure(own: float, other: float) -> float:
        scores = {"fix_bug": own, "refactor": other}
        return intents._sure("fix_bug", scores, 3.0)

    assert sure(3, 3) == 0.5
    assert sure(3, 0) < sure(4, 1) < sure(5, 2)  # the same lead
    assert sure(4, 3) < sure(4, 2) < sure(4, 1) < sure(4, 0) < 1


def test_a_wish_that_is_given_comes_first_and_is_sure() -> None:
    first, second = heard("fix login crash after update", "find_spec")[:2]
    assert first == Intent("find_spec", 0, 1)
    assert second.name == "fix_bug"


@pytest.mark.parametrize(
    "text", ["", "?!...", "😀 🎉 ❤️", "שלום עולם, מה שלומך", "如何修复登录崩溃", "the of and"]
)
def test_where_no_word_is_known_the_wish_is_to_understand(text: str) -> None:
    assert [one.name for one in heard(text)] == ["understand"]


def test_a_wish_is_said_at_once() -> None:
    assert heard("plain words " * 5_000 + "fix the crash")[0].name == "understand"
    assert heard("fix the crash " + "plain words " * 5_000)[0].name == "fix_bug"


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(("", *INTENTS)))
def test_any_text_has_one_to_three_wishes_with_a_confidence(text: str, given: str) -> None:
    told = heard(text, given)
    assert 1 <= len(told) <= 3
    assert {one.name for one in told} <= set(INTENTS)
    assert all(one.score >= 0 and 0 <= one.confidence <= 1 for one in told)
    assert told == heard(text, given)


def test_no_keyword_stands_twice_in_a_list() -> None:
    for name in INTENTS:
        for part in ("primary", "secondary"):
            keywords = TABLE[name][part]
            single = [stems(keyword)[0] for keyword in keywords if keyword.isalnum()]
            assert sorted(single) == sorted(set(single)), (name, part)
            assert len(keywords) == len(set(keywords)), (name, part)


@pytest.mark.proves("S5")
@pytest.mark.parametrize("profile", names())
@pytest.mark.parametrize("name", INTENTS)
def test_what_a_wish_changes_fits_every_profile(name: str, profile: str) -> None:
    loaded = load(profile)
    changes = override_of(name, loaded)
    wished = changed(loaded, changes)
    assert set(wished.rank.intent.kinds) <= set(KINDS)
    assert bool(wished.rank.weights) == bool(loaded.rank.weights)
    assert set(wished.rank.weights) == set(loaded.rank.weights)
    assert (changes == {}) == (name == "understand")


@pytest.mark.proves("S5")
def test_a_wish_changes_the_weights_of_channels_and_signals_that_a_profile_has() -> None:
    assert override_of("refactor", load("spec"))["fuse.weights.graph"] == pytest.approx(1.5 * 1.3)
    severity = override_of("security_audit", load("vault"))["rank.weights.severity"]
    assert severity == pytest.approx(0.15 * 1.5)
    assert "rank.weights.severity" not in override_of("security_audit", load("spec"))


@pytest.mark.proves("S17", part="intents")
def test_a_wish_for_a_type_of_document_raises_it() -> None:
    assert override_of("find_spec")["rank.intent.doc_types"]["spec"] == 2.5
    assert override_of("find_decision")["rank.intent.doc_types"]["decision_record"] == 2.5
