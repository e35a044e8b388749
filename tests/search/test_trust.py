"""Which of words and meaning counts more, by how sure each of them is."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.profile import TrustSection
from pinyon.model.query import Match, RankedList
from pinyon.search.trust import trust

HOW = TrustSection(slope=2, even=0.5, depth=3)
WEIGHTS = {"lexical": 0.4, "vector": 0.6, "time": 0.2}


def ranked(channel: str, *scores: float) -> RankedList:
    matches = (Match(f"r{at}", score, 1.0) for at, score in enumerate(scores))
    return RankedList(channel, tuple(matches))


def share(found: dict[str, float], weights: dict[str, float] = WEIGHTS) -> float:
    """Of meaning, in what both count together."""
    words, meaning = (weights[name] * found[name] for name in ("lexical", "vector"))
    return meaning / (words + meaning)


def test_the_channel_whose_first_find_stands_out_counts_more() -> None:
    flat, steep = (10.0, 9.9, 9.8), (10.0, 4.0, 2.0)
    near, far = (0.9, 0.89, 0.88), (0.9, 0.7, 0.65)
    surer_words = trust([ranked("lexical", *steep), ranked("vector", *near)], WEIGHTS, HOW, 0.6)
    surer_meaning = trust([ranked("lexical", *flat), ranked("vector", *far)], WEIGHTS, HOW, 0.6)
    assert share(surer_words) < 0.6 < share(surer_meaning)


def test_where_the_leads_are_even_the_weights_hold() -> None:
    # Words lead by .4 of their first score, meaning by .08 of the .4 from the usual cosine to 1.
    lists = [ranked("lexical", 10, 8, 6), ranked("vector", 0.8, 0.76, 0.72)]
    assert trust(lists, WEIGHTS, HOW, 0.6) == pytest.approx({"lexical": 1, "vector": 1})


def test_few_finds_by_words_are_sure_ones() -> None:
    many = trust([ranked("lexical", 5, 4, 3), ranked("vector", 0.8, 0.7, 0.7)], WEIGHTS, HOW, 0.6)
    few = trust([ranked("lexical", 5, 4), ranked("vector", 0.8, 0.7, 0.7)], WEIGHTS, HOW, 0.6)
    assert share(few) < share(many)


def test_kinds_raise_the_odds_of_meaning_by_their_share_of_the_finds() -> None:
    lists = [ranked("lexical", 10, 8, 6), ranked("vector", 0.8, 0.76, 0.72)]
    how = HOW._replace(kinds={"code": 4})
    odds = {
        kinds: (part := share(trust(lists, WEIGHTS, how, 0.6, kinds))) / (1 - part)
        for kinds in ((), ("doc", "doc"), ("code", "doc"), ("code", "code"))
    }
    assert list(odds.values()) == pytest.approx([1.5, 1.5, 3, 6])


@pytest.mark.parametrize(
    ("lists", "weights", "how", "usual"),
    [
        ([ranked("lexical", 3, 1)], WEIGHTS, HOW, 0.6),
        ([ranked("vector", 0.9, 0.8)], WEIGHTS, HOW, 0.6),
        ([ranked("lexical", 3, 1), ranked("vector", 0.9)], WEIGHTS, HOW, 0.6),
        ([ranked("lexical", 3, 1), ranked("vector", 0.9, 0.8)], {"lexical": 1.0}, HOW, 0.6),
        ([ranked("lexical", 3, 1), ranked("vector", 0.9, 0.8)], WEIGHTS, HOW, None),
        ([ranked("lexical", 3, 1), ranked("vector", 0.9, 0.8)], WEIGHTS, TrustSection(), 0.6),
        ([ranked("substring", 3, 1), ranked("vector", 0.9, 0.8)], WEIGHTS, HOW, 0.6),
    ],
    ids=["words", "meaning", "one", "unweighed", "unknown", "off", "letters"],
)
def test_nothing_changes_where_there_is_nothing_to_compare(
    lists: list[RankedList], weights: dict[str, float], how: TrustSection, usual: float | None
) -> None:
    assert trust(lists, weights, how, usual) == {}


@pytest.mark.parametrize("slope", [0.001, 50, 1e9])
def test_however_steep_the_slope_is_there_are_factors(slope: float) -> None:
    lists = [ranked("lexical", 10, 9.9, 9.9), ranked("vector", 0.9, 0.7, 0.6)]
    found = trust(lists, WEIGHTS, HOW._replace(slope=slope), 0.6)
    assert 0.6 <= share(found) <= 1


SCORES = st.lists(st.floats(0.001, 50), min_size=1, max_size=40).map(
    lambda scores: sorted(scores, reverse=True)
)
COSINES = st.lists(st.floats(-1, 1), min_size=2, max_size=40).map(
    lambda scores: sorted(scores, reverse=True)
)


@given(SCORES, COSINES, st.floats(0.01, 5), st.floats(0.01, 5), st.floats(0, 0.99))
def test_both_together_count_as_much_as_ever(
    words: list[float], cosines: list[float], of_words: float, of_meaning: float, usual: float
) -> None:
    weights = {"lexical": of_words, "vector": of_meaning}
    lists = [ranked("lexical", *words), ranked("vector", *cosines)]
    found = trust(lists, weights, HOW, usual)
    assert all(times >= 0 and math.isfinite(times) for times in found.values())
    both = math.fsum(weights[name] * times for name, times in found.items())
    assert both == pytest.approx(of_words + of_meaning)
