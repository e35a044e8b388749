"""Worth and names: what a record counts by itself, and by what the question names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.profile import SIGNALS as NAMES
from pinyon.model.profile import IntentSection, RankSection
from pinyon.search.rank import signal_of
from pinyon.search.rank.signals import MODULES
from tests.search.rank.built import DOC_TYPES, SEVERITY, candidate, facts, known, signal

HOW = RankSection(severity=SEVERITY, doc_types=DOC_TYPES, mentions=10)
TAGS = st.frozensets(st.sampled_from("abcdef"))


def test_every_signal_that_a_profile_can_name_is_there() -> None:
    assert tuple(MODULES) == NAMES
    assert all(callable(signal_of(name)) for name in NAMES)


@pytest.mark.proves("V11")
def test_critical_is_1_a_warning_7_and_a_suggestion_4_tenths() -> None:
    of = [
        facts(name or "none", severity=name) for name in ("critical", "warning", "suggestion", "")
    ]
    assert signal("severity", of, HOW) == [1.0, 0.7, 0.4, 0]


@pytest.mark.proves("V11")
def test_tags_overlap_by_jaccard() -> None:
    of = [
        facts("both", tags=("auth", "token")),
        facts("one", tags=("auth", "cache", "keys")),
        facts("other", tags=("cache",)),
        facts("none"),
    ]
    asked = frozenset(("auth", "token"))
    assert signal("tags", of, HOW, tags=asked) == [2 / 2, 1 / 4, 0 / 3, 0 / 2]
    assert signal("tags", of, HOW) == [0, 0, 0, 0]


@pytest.mark.proves("V11")
def test_a_domain_is_equal_or_not() -> None:
    of = [facts("same", domain="security"), facts("other", domain="design"), facts("none")]
    assert signal("domain", of, HOW, domains=frozenset(("security",))) == [1, 0, 0]
    assert signal("domain", of, HOW) == [0, 0, 0]


@pytest.mark.proves("B9")
def test_importance_is_a_share_of_5_and_mentions_are_half_an_importance_at_10() -> None:
    of = [
        *(facts(f"memory {stars}", kind="memory", importance=stars) for stars in (1, 3, 5)),
        *(facts(f"entity {many}", kind="entity", mentions=many) for many in (0, 10, 90)),
    ]
    expected = [1 / 5, 3 / 5, 5 / 5, 0, 10 / (10 + 10), 90 / (90 + 10)]
    assert signal("importance", of, HOW) == expected
    assert signal("importance", of[3:], HOW._replace(mentions=0)) == [0, 1, 1]


@pytest.mark.proves("S17", part="types")
def test_a_type_of_document_counts_as_the_profile_says_and_another_1() -> None:
    of = [facts(name, doc_type=name) for name in (*DOC_TYPES, "unheard of", "")]
    assert signal("doc_type", of, HOW) == [1.4, 1.4, 1.3, 1.1, 1.1, 1.1, 1.0, 1.0, 1, 1]


def test_an_intent_raises_what_suits_it_by_kind_and_by_type() -> None:
    how = HOW._replace(intent=IntentSection({"doc": 1.5}, {"decision_record": 2}))
    of = [
        facts("both", kind="doc", doc_type="decision_record"),
        facts("kind", kind="doc"),
        facts("type", kind="note", doc_type="decision_record"),
        facts("neither", kind="note"),
    ]
    assert signal("intent", of, how) == [1.5 * 2, 1.5, 2, 1]
    assert signal("intent", of, HOW) == [1, 1, 1, 1]


@pytest.mark.proves("S20")
def test_agreement_is_the_share_of_the_channels_that_found_it() -> None:
    answered = ("lexical", "vector", "graph")
    of = [
        candidate("all", ranks={"lexical": 3, "vector": 1, "graph": 9}),
        candidate("two", ranks={"lexical": 1, "graph": 1}),
        candidate("one", {"lexical": 1.0, "vector": 0.2}, ranks={"lexical": 1}),
    ]
    assert signal_of("agreement")(of, [], known(channels=answered), HOW) == [3 / 3, 2 / 3, 1 / 3]


def test_the_title_counts_by_what_it_holds_of_the_question() -> None:
    of = [candidate("a", title=0.75), candidate("b")]
    assert signal_of("title")(of, [], known(), HOW) == [0.75, 0]


def test_a_record_counts_whose_author_is_named() -> None:
    of = [facts("hers", author="Ada"), facts("his", author="Charles"), facts("nobody's")]
    assert signal("name", of, HOW, names=frozenset(("Ada",))) == [1, 0, 0]
    assert signal("name", of, HOW) == [0, 0, 0]


@given(TAGS, TAGS)
def test_the_overlap_of_tags_is_the_same_from_both_sides(
    one: frozenset[str], other: frozenset[str]
) -> None:
    there = signal("tags", [facts("a", tags=tuple(sorted(one)))], HOW, tags=other)
    back = signal("tags", [facts("a", tags=tuple(sorted(other)))], HOW, tags=one)
    assert there == back
    assert 0 <= there[0] <= 1
    assert (there == [1]) == (one == other != frozenset())


@given(st.integers(0, 2**53), st.integers(0, 2**53), st.floats(0, 1e6))
def test_more_mentions_never_count_less(one: int, other: int, half: float) -> None:
    fewer, more = sorted((one, other))
    of = [facts(name, kind="entity", mentions=n) for name, n in (("fewer", fewer), ("more", more))]
    low, high = signal("importance", of, HOW._replace(mentions=half))
    assert 0 <= low <= high <= 1
