"""Scale: how the score of a channel becomes a signal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.profile import SCALES as NAMES
from pinyon.model.profile import RankSection
from pinyon.search.rank import signal_of
from pinyon.search.rank.scale import SCALES
from tests.search.rank.built import candidate, known

SCORES = st.lists(
    st.one_of(st.none(), st.floats(-50, 50, allow_subnormal=False)), min_size=1, max_size=8
)


def scaled(scale: str, scores: list[float | None], k: float = 60) -> list[float]:
    """The signals of what a channel gave these scores, in their order; None: it gave none."""
    ordered = sorted((score for score in scores if score is not None), reverse=True)
    candidates = [
        candidate(str(at), {} if score is None else {"vector": score}, ranks=_ranks(score, ordered))
        for at, score in enumerate(scores)
    ]
    how = RankSection(scale={"vector": scale})
    return signal_of("vector")(candidates, [], known(k=k), how)


def _ranks(score: float | None, ordered: list[float]) -> dict[str, int]:
    return {} if score is None else {"vector": ordered.index(score) + 1}


def test_every_scale_that_a_profile_can_name_is_there() -> None:
    assert tuple(SCALES) == NAMES


def test_each_scale_is_what_its_name_says() -> None:
    scores = [8.0, 5.0, None, -4.0]
    assert scaled("raw", scores) == [8, 5, 0, -4]
    assert scaled("positive", scores) == [8, 5, 0, 0]
    assert scaled("rank", scores) == [61 / 61, 61 / 62, 0, 61 / 63]
    assert scaled("range", scores) == [(8 + 4) / (8 + 4), (5 + 4) / (8 + 4), 0, 0]
    assert scaled("best", scores) == [8 / 8, 5 / 8, 0, 0]


def test_a_channel_without_a_scale_is_as_it_is() -> None:
    how = RankSection(weights={"lexical": 1})
    assert signal_of("lexical")([candidate("a", {"lexical": 7.5})], [], known(), how) == [7.5]


def test_equal_scores_all_count_as_the_highest() -> None:
    assert scaled("range", [3.0, 3.0, None]) == [1, 1, 0]


def test_where_nothing_is_above_0_the_best_is_0() -> None:
    assert scaled("best", [0.0, -2.0]) == [0, 0]


def test_what_a_channel_only_judged_has_its_score_but_no_rank() -> None:
    judged = [candidate("a", {"vector": 0.5}, ranks={"lexical": 1})]
    found = {
        scale: signal_of("vector")(judged, [], known(), RankSection(scale={"vector": scale}))
        for scale in ("positive", "rank")
    }
    assert found == {"positive": [0.5], "rank": [0.0]}


@given(SCORES, st.sampled_from(["rank", "range", "best"]), st.floats(0, 100))
def test_scaled_scores_lie_between_0_and_1_and_keep_their_order(
    scores: list[float | None], scale: str, k: float
) -> None:
    signals = scaled(scale, scores, k)
    assert all(0 <= signal <= 1 for signal in signals)
    both = [
        (score, signal) for score, signal in zip(scores, signals, strict=True) if score is not None
    ]
    assert [signal for _, signal in sorted(both)] == sorted(signal for _, signal in both)


@given(SCORES, st.sampled_from(["raw", "positive"]), st.floats(-50, 50))
def test_these_scales_do_not_hang_on_the_rest_of_the_answer(
    scores: list[float | None], scale: str, more: float
) -> None:
    assert scaled(scale, [*scores, more])[: len(scores)] == scaled(scale, scores)


@pytest.mark.parametrize("scale", NAMES)
def test_no_scale_stumbles_over_a_channel_that_scored_nothing(scale: str) -> None:
    assert scaled(scale, [None, None]) == [0, 0]
