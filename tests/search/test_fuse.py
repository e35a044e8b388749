"""Fuse: the worked examples of reciprocal ranks, and the laws that they keep."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.hit import Candidate, Evidence
from pinyon.model.profile import FuseSection
from pinyon.model.query import Match, RankedList
from pinyon.search.fuse import fuse

CHANNELS = ("lexical", "vector", "graph")


def listed(channel: str, scores: Mapping[str, float]) -> RankedList:
    """A list in the order that a store would give it."""
    ordered = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    return RankedList(
        channel, tuple(Match(id, score, min(max(score, 0.0), 1.0)) for id, score in ordered)
    )


def ranks(channel: str, wanted: str, place: int) -> RankedList:
    """A list in which `wanted` stands at this place, after records that no other list has."""
    scores = {f"{channel} {at}": 100.0 - at for at in range(1, place)}
    return listed(channel, {**scores, wanted: 100.0 - place})


def scores(candidates: Sequence[Candidate]) -> dict[str, float]:
    return {candidate.id: candidate.score for candidate in candidates}


SCORES = st.dictionaries(
    st.sampled_from("abcdefgh"), st.floats(-1, 50, allow_subnormal=False), max_size=8
)
LISTS = st.builds(
    lambda given: [listed(channel, found) for channel, found in given.items()],
    st.dictionaries(st.sampled_from(CHANNELS), SCORES, min_size=1),
)
JUDGED = st.builds(
    lambda given: [listed(channel, found) for channel, found in given.items()],
    st.dictionaries(st.sampled_from(CHANNELS), SCORES),
)
SECTIONS = st.builds(
    FuseSection,
    k=st.floats(0, 100),
    weights=st.dictionaries(st.sampled_from(CHANNELS), st.floats(0, 2, allow_subnormal=False)),
    bonus=st.floats(0, 1),
    normalise=st.booleans(),
)


@pytest.mark.proves("S2")
def test_ranks_2_5_and_1_with_the_graph_at_one_and_a_half_give_0617() -> None:
    lists = [
        ranks("vector", "wanted", 2),
        ranks("lexical", "wanted", 5),
        ranks("graph", "wanted", 1),
    ]
    how = FuseSection(k=60, weights={"graph": 1.5}, bonus=0.1)
    best = fuse(lists, how)[0]
    assert best.id == "wanted"
    assert best.score == pytest.approx((1 / 62 + 1 / 65 + 1.5 / 61) * 1.1)
    assert round(best.score, 4) == 0.0617
    assert best.sources == {"graph": 1, "lexical": 5, "vector": 2}


@pytest.mark.proves("P7")
def test_ranks_1_and_2_give_0325() -> None:
    lists = [ranks("lexical", "wanted", 1), ranks("vector", "wanted", 2)]
    best = fuse(lists, FuseSection(k=60, bonus=0))[0]
    assert best.score == 1 / 61 + 1 / 62
    assert round(best.score, 4) == 0.0325


def test_a_normalised_rank_score_is_1_for_the_first_of_every_list_and_half_for_one_of_two() -> None:
    lists = [listed("lexical", {"both": 2, "words": 1}), listed("vector", {"both": 1})]
    how = FuseSection(bonus=0.1, normalise=True)
    assert fuse(lists, how)[0] == Candidate(
        "both",
        1.0,
        1.0,
        {"lexical": 2.0, "vector": 1.0},
        {"lexical": 1, "vector": 1},
        evidence=Evidence(share=1.0, cosine=1.0),
    )
    alone = [listed("lexical", {"words": 1}), listed("vector", {})]
    assert scores(fuse(alone, how._replace(bonus=0))) == {"words": 0.5}


def test_what_a_channel_only_judged_is_a_signal_but_neither_a_source_nor_a_candidate() -> None:
    lists = [listed("lexical", {"a": 2}), listed("vector", {"b": 0.5})]
    judged = [listed("vector", {"a": 0.25, "elsewhere": 0.9})]
    how = FuseSection()
    assert fuse(lists, how, judged) == [
        Candidate(
            "a",
            1 / 61,
            1.0,
            {"lexical": 2.0, "vector": 0.25},
            {"lexical": 1},
            evidence=Evidence(share=1.0, cosine=0.25),
        ),
        Candidate("b", 1 / 61, 0.5, {"vector": 0.5}, {"vector": 1}, evidence=Evidence(cosine=0.5)),
    ]


def test_the_stretch_that_matched_comes_with_the_candidate() -> None:
    lists = [
        listed("lexical", {"a": 2}),
        RankedList("vector", (Match("a", 0.9, 0.9, (5, 9)), Match("b", 0.8, 0.8))),
    ]
    assert {one.id: one.span for one in fuse(lists, FuseSection())} == {"a": (5, 9), "b": None}


def test_letters_speak_for_words() -> None:
    (only,) = fuse([listed("substring", {"a": 3})], FuseSection(weights={"lexical": 2}))
    assert (only.score, only.signals, only.sources) == (2 / 61, {"lexical": 3.0}, {"lexical": 1})


def test_what_was_only_changed_last_keeps_its_order_and_has_no_score() -> None:
    recent = RankedList(
        "recent", (Match("b", 2.0, 0.0), Match("c", 1.5, 0.0), Match("a", 1.0, 0.0))
    )
    expected = [Candidate(id, 0.0, 0.0, {}, {}) for id in "bca"]
    assert fuse([recent], FuseSection()) == expected


@given(LISTS, JUDGED, SECTIONS, st.data())
def test_the_order_of_the_lists_does_not_matter(
    lists: list[RankedList], judged: list[RankedList], how: FuseSection, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(lists)), data.draw(st.permutations(judged))
    assert fuse(shuffled[0], how, shuffled[1]) == fuse(lists, how, judged)


@given(LISTS, JUDGED, SECTIONS)
def test_every_record_found_is_a_candidate_once_best_first_ties_by_id(
    lists: list[RankedList], judged: list[RankedList], how: FuseSection
) -> None:
    fused = fuse(lists, how, judged)
    found = {match.id for one in lists for match in one.matches}
    assert len(fused) == len(found)
    assert {candidate.id for candidate in fused} == found
    assert fused == sorted(fused, key=lambda candidate: (-candidate.score, candidate.id))


@given(LISTS, SECTIONS, SCORES)
def test_a_list_without_weight_adds_candidates_at_0_and_changes_no_score(
    lists: list[RankedList], how: FuseSection, more: dict[str, float]
) -> None:
    how = how._replace(weights={**how.weights, "mute": 0.0})
    before = scores(fuse(lists, how))
    after = scores(fuse([*lists, listed("mute", more)], how))
    assert after == {**dict.fromkeys(more, 0.0), **before}


@given(LISTS, JUDGED, SECTIONS)
def test_normalised_scores_lie_between_0_and_1(
    lists: list[RankedList], judged: list[RankedList], how: FuseSection
) -> None:
    how = how._replace(normalise=True)
    assert all(0 <= candidate.score <= 1 for candidate in fuse(lists, how, judged))


@given(LISTS, SECTIONS, st.data())
def test_a_better_rank_never_lowers_a_score(
    lists: list[RankedList], how: FuseSection, data: st.DataObject
) -> None:
    long = [at for at, one in enumerate(lists) if len(one.matches) > 1]
    if not long:
        return
    at = data.draw(st.sampled_from(long))
    matches = list(lists[at].matches)
    place = data.draw(st.integers(1, len(matches) - 1))
    moved = matches.pop(place)
    matches.insert(data.draw(st.integers(0, place - 1)), moved)
    better = [*lists[:at], RankedList(lists[at].channel, tuple(matches)), *lists[at + 1 :]]
    assert scores(fuse(better, how))[moved.id] >= scores(fuse(lists, how))[moved.id]


@given(LISTS, JUDGED, SECTIONS)
def test_relevance_is_the_best_share_and_signals_are_what_the_channels_said(
    lists: list[RankedList], judged: list[RankedList], how: FuseSection
) -> None:
    asked = {one.channel for one in lists}
    said = {
        (match.id, one.channel): match
        for one in [*(one for one in judged if one.channel in asked), *lists]
        for match in one.matches
    }
    for candidate in fuse(lists, how, judged):
        own = {channel: match for (id, channel), match in said.items() if id == candidate.id}
        assert candidate.signals == {channel: match.score for channel, match in own.items()}
        assert candidate.relevance == max(match.share for match in own.values())
