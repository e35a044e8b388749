"""The share of accepted answers moves one weight, and the others make room."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.learn.learned import setting
from pinyon.learn.methods import due, learn
from pinyon.learn.rate import moved
from pinyon.model.profile import LearnSection, Profile, RankSection
from pinyon.store.questions import Feedback
from tests.learn.judges import NOW

OTHERS = ("severity", "decay", "tags", "domain")
VAULT = Profile(
    "vault",
    rank=RankSection(
        weights={"semantic": 0.40, "vector": 0.0, **dict.fromkeys(OTHERS, 0.15)},
        with_vectors={"semantic": 0.25, "vector": 0.15},
    ),
    learn=LearnSection(method="rate", least=30, signal="semantic", most=0.15),
)


def verdicts(accepted: int = 0, modified: int = 0, dismissed: int = 0) -> list[Feedback]:
    given = {"accepted": accepted, "modified": modified, "dismissed": dismissed}
    said = [verdict for verdict, count in given.items() for _ in range(count)]
    return [Feedback(NOW, f"record-{at}", verdict) for at, verdict in enumerate(said)]


@pytest.mark.proves("V12")
def test_twenty_nine_verdicts_change_nothing() -> None:
    learned = learn(verdicts(accepted=29), VAULT)
    assert (learned.adopted, learned.after) == (False, learned.before)


@pytest.mark.proves("V12")
@pytest.mark.parametrize(
    ("accepted", "modified", "dismissed"),
    [(30, 0, 0), (0, 0, 30), (15, 0, 15), (20, 10, 0), (0, 30, 0), (24, 0, 6), (7, 13, 20)],
)
def test_the_accept_rate_moves_semantic_and_scales_the_others(
    accepted: int, modified: int, dismissed: int
) -> None:
    learned = learn(verdicts(accepted, modified, dismissed), VAULT)
    rate = (accepted + 0.5 * modified) / (accepted + modified + dismissed)
    plain, both = 0.40 + (2 * rate - 1) * 0.15, 0.25 + (2 * rate - 1) * 0.15
    assert learned.adopted
    assert learned.rate == pytest.approx(rate)
    assert learned.after["rank.weights"] == pytest.approx(
        {
            "semantic": plain,
            "vector": 0.0,
            **dict.fromkeys(OTHERS, 0.15 * (1 - plain) / (1 - 0.40)),
        }
    )
    assert learned.after["rank.with_vectors"] == pytest.approx(
        {
            "semantic": both,
            "vector": 0.15 * (1 - both) / (1 - 0.25),
            **dict.fromkeys(OTHERS, 0.15 * (1 - both) / (1 - 0.25)),
        }
    )


@pytest.mark.proves("V12")
@given(
    st.dictionaries(st.sampled_from(("semantic", *OTHERS)), st.floats(0.01, 1), min_size=2),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_the_weights_stay_shares_of_one(
    weights: dict[str, float], rate: float, most: float
) -> None:
    total = math.fsum(weights.values())
    before = {name: weight / total for name, weight in weights.items()}
    after = moved(before, rate, LearnSection(signal="semantic", most=most))
    assert math.fsum(after.values()) == pytest.approx(1)
    assert all(0 <= weight <= 1 for weight in after.values())


def test_weights_that_do_not_sum_to_one_are_taken_as_shares() -> None:
    twice = VAULT._replace(
        rank=RankSection(weights={"semantic": 0.8, **dict.fromkeys(OTHERS, 0.3)})
    )
    learned = learn(verdicts(accepted=30), twice)
    assert learned.after["rank.weights"]["semantic"] == pytest.approx(0.8 / 2 + 0.15)


def test_what_is_kept_holds_the_override_and_the_rate() -> None:
    learned = learn(verdicts(dismissed=30), VAULT)
    assert setting(learned, NOW) == {
        "override": dict(learned.after),
        "method": "rate",
        "why": "0% of 30 verdicts are accepted",
        "count": 30,
        "rate": 0.0,
        "at": NOW.isoformat(),
    }


def test_a_signal_that_is_alone_keeps_its_weight() -> None:
    alone = VAULT._replace(rank=RankSection(weights={"semantic": 1.0}))
    assert learn(verdicts(dismissed=30), alone).after == {"rank.weights": {"semantic": 1.0}}


@pytest.mark.parametrize("method", ["rate", "pairs"])
def test_a_profile_without_weights_learns_none(method: str) -> None:
    bare = Profile("bare", learn=LearnSection(method=method))
    learned = learn(verdicts(accepted=40), bare)
    assert (learned.adopted, learned.after) == (False, {})


def test_a_profile_that_does_not_learn_says_so() -> None:
    learned = learn(verdicts(accepted=40), VAULT._replace(learn=LearnSection()))
    assert (learned.adopted, learned.count) == (False, 40)
    assert "learn.method" in learned.why


def test_rates_follow_each_verdict_and_pairs_each_tenth_from_the_thirtieth_on() -> None:
    pairs = VAULT._replace(learn=LearnSection(method="pairs", least=30))
    assert all(due(count, VAULT) for count in range(1, 60))
    assert [count for count in range(1, 60) if due(count, pairs)] == [30, 40, 50]
