"""Weights: how much each signal counts, by the channels that answered."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.profile import CHANNELS, SIGNALS, RankSection
from pinyon.search.rank import weights_in

VAULT = RankSection(
    weights={
        "semantic": 0.40,
        "vector": 0,
        "severity": 0.15,
        "decay": 0.15,
        "tags": 0.15,
        "domain": 0.15,
    },
    with_vectors={"semantic": 0.25, "vector": 0.15},
)
WEIGHTS = st.dictionaries(
    st.sampled_from(SIGNALS), st.floats(0, 5, allow_subnormal=False), max_size=6
)
TOLD = (*CHANNELS, "time", "name", "context")
ANSWERED = st.sets(st.sampled_from(TOLD))


@pytest.mark.proves("V8")
def test_the_vault_has_one_set_of_weights_without_vectors_and_one_with_them() -> None:
    rest = dict.fromkeys(("severity", "decay", "tags", "domain"), pytest.approx(0.15))
    assert weights_in(["lexical"], VAULT) == {
        "semantic": pytest.approx(0.40),
        "vector": 0,
        **rest,
    }
    assert weights_in(["lexical", "vector"], VAULT) == {
        "semantic": pytest.approx(0.25),
        "vector": pytest.approx(0.15),
        **rest,
    }


def test_weights_are_shares_of_those_whose_channel_answered() -> None:
    how = RankSection(weights={"lexical": 0.4, "vector": 0.6, "graph": 0.3})
    assert weights_in(["lexical", "vector"], how) == {
        "lexical": 0.4 / (0.4 + 0.6),
        "vector": 0.6 / (0.4 + 0.6),
        "graph": 0,
    }
    assert weights_in(["lexical"], how) == {"lexical": 1, "vector": 0, "graph": 0}


def test_a_time_and_a_name_count_only_where_the_question_has_one() -> None:
    how = RankSection(weights={"lexical": 0.5, "time": 0.3, "name": 0.2})
    assert weights_in(["lexical"], how) == {"lexical": 1, "time": 0, "name": 0}
    assert weights_in(["lexical", "time"], how) == {
        "lexical": 0.5 / (0.5 + 0.3),
        "time": 0.3 / (0.5 + 0.3),
        "name": 0,
    }


@pytest.mark.proves("B6")
def test_a_weight_of_0_is_0_and_stays_in_sight() -> None:
    how = RankSection(weights={"lexical": 2, "recency": 0})
    assert weights_in(["lexical"], how) == {"lexical": 1, "recency": 0}


@pytest.mark.parametrize(
    "how",
    [
        RankSection(),
        RankSection(weights={"lexical": 0}),
        RankSection(weights={"vector": 1}),
        RankSection(with_vectors={"semantic": 1}),
    ],
)
def test_there_are_no_weights_where_none_counts(how: RankSection) -> None:
    assert weights_in(["lexical"], how) == {}


@given(WEIGHTS, WEIGHTS, ANSWERED)
def test_weights_sum_to_1_and_none_is_of_a_channel_that_did_not_answer(
    weights: dict[str, float], with_vectors: dict[str, float], channels: set[str]
) -> None:
    found = weights_in(channels, RankSection(weights=weights, with_vectors=with_vectors))
    silent = {*TOLD, "intent"} - channels  # there is no wish here
    assert all(found.get(name, 0) == 0 for name in silent)
    assert not found or math.fsum(found.values()) == pytest.approx(1)
    merged = {**weights, **(with_vectors if "vector" in channels else {})}
    assert set(found) in (set(), set(merged))
    assert bool(found) == any(weight for name, weight in merged.items() if name not in silent)
