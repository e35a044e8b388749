"""Weights follow what people prefer where it proves right on what was held back, and only there."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pinyon.learn.learned import Learned, setting
from pinyon.learn.pairs import by_pairs
from pinyon.model.profile import RankSection
from pinyon.store.questions import Feedback
from tests.learn.judges import NOW, PAIRWISE, SHIPPED, blind, judged, least, most


def weights(learned: Learned) -> dict[str, float]:
    return dict(learned.after["rank.weights"])


def first(learned: Learned) -> str:
    return max(weights(learned), key=lambda name: weights(learned)[name])


@pytest.mark.proves("X2")
@pytest.mark.parametrize("signal", ["lexical", "title", "recency", "importance", "tags"])
@pytest.mark.parametrize("questions", [30, 60])
def test_a_signal_that_people_prefer_ends_up_first(signal: str, questions: int) -> None:
    learned = by_pairs(judged(most(signal), questions=questions), PAIRWISE)
    assert learned.adopted
    assert first(learned) == signal
    assert learned.ndcg_before is not None
    assert learned.ndcg_after is not None
    assert learned.ndcg_after > learned.ndcg_before
    assert sum(weights(learned).values()) == pytest.approx(1, abs=1e-3)


@pytest.mark.proves("X2")
def test_blind_verdicts_change_nothing() -> None:
    seeds = range(200)
    learned = [by_pairs(judged(blind, seed=seed, questions=30), PAIRWISE) for seed in seeds]
    assert [one.why for one in learned if one.adopted] == []
    assert all(weights(one) == pytest.approx(SHIPPED) for one in learned)


@pytest.mark.proves("X2")
@pytest.mark.parametrize("verdict", ["accepted", "dismissed"])
def test_whoever_agrees_with_the_shipped_order_keeps_it(verdict: str) -> None:
    """The first hit is accepted, or the last one dismissed: no other weights could do better."""
    at = 0 if verdict == "accepted" else -1
    given = judged(lambda draw, hits: range(len(hits))[at], verdict)
    learned = by_pairs(given, PAIRWISE)
    assert (learned.adopted, learned.ndcg_before) == (False, 1.0)


@pytest.mark.proves("X2")
def test_what_is_dismissed_is_read_the_other_way_round() -> None:
    learned = by_pairs(judged(least("recency"), "dismissed"), PAIRWISE)
    assert learned.adopted
    assert first(learned) == "recency"


def test_contradictory_verdicts_cancel_out() -> None:
    both = [
        *judged(most("recency"), seed=1, questions=30),
        *(
            replace(one, query=f"other {one.query}")
            for one in judged(most("recency"), "dismissed", seed=2, questions=30)
        ),
    ]
    assert not by_pairs(both, PAIRWISE).adopted


def test_a_record_that_is_judged_ten_thousand_times_decides_nothing() -> None:
    one = judged(most("recency"), questions=1)[0]
    many = [replace(one, query=f"question {number}") for number in range(10_000)]
    learned = by_pairs(many, PAIRWISE)
    assert (learned.adopted, learned.count, learned.questions) == (False, 10_000, 20)


def test_nor_does_it_stop_what_others_say() -> None:
    one = judged(least("recency"), seed=2, questions=1)[0]
    many = [
        replace(one, query=f"again {number}", at=NOW + timedelta(days=number))
        for number in range(1_000)
    ]
    learned = by_pairs([*many, *judged(most("recency"))], PAIRWISE)
    assert learned.adopted
    assert first(learned) == "recency"


def test_one_question_with_many_verdicts_is_one_question() -> None:
    given = [replace(one, query="the same") for one in judged(most("recency"))]
    learned = by_pairs(given, PAIRWISE)
    assert (learned.adopted, learned.questions) == (False, 1)
    assert learned.why.startswith("too little")


def test_verdicts_without_a_question_say_nothing_of_signals() -> None:
    given = [Feedback(NOW, f"record-{number}", "accepted") for number in range(50)]
    learned = by_pairs(given, PAIRWISE)
    assert (learned.adopted, learned.count, learned.pairs) == (False, 50, 0)


def test_too_few_verdicts_are_not_read() -> None:
    learned = by_pairs(judged(most("recency"), questions=29), PAIRWISE)
    assert (learned.adopted, learned.why) == (False, "29 of the 30 verdicts that are needed")


def test_the_order_of_the_feedback_does_not_matter() -> None:
    given = judged(most("title"))
    assert by_pairs(given, PAIRWISE) == by_pairs(given[::-1], PAIRWISE)


def test_a_channel_that_never_answered_keeps_its_ratio_to_the_others() -> None:
    """Half of the weight is that of the graph, which nobody asked."""
    rank = RankSection(weights={**SHIPPED, "graph": 1.0})
    given = judged(most("recency"))
    without = by_pairs(given, PAIRWISE)
    learned = by_pairs(given, PAIRWISE._replace(rank=rank))
    own = weights(without)["lexical"] + weights(without)["vector"]
    assert learned.ndcg_after == without.ndcg_after
    assert weights(learned)["graph"] == pytest.approx(own / (1 + own), abs=1e-3)
    assert weights(learned)["recency"] == pytest.approx((1 - own) / (1 + own), abs=1e-3)


def test_a_profile_whose_only_signal_never_answered_stays_as_it_is() -> None:
    rank = RankSection(weights={"graph": 1.0})
    learned = by_pairs(judged(most("recency")), PAIRWISE._replace(rank=rank))
    assert not learned.adopted


def test_two_sets_of_weights_become_one() -> None:
    rank = RankSection(weights={"lexical": 1.0}, with_vectors={"lexical": 0.4, "vector": 0.6})
    learned = by_pairs(judged(most("recency")), PAIRWISE._replace(rank=rank))
    assert learned.after["rank.weights"] == learned.after["rank.with_vectors"]
    assert first(learned) == "recency"


def test_what_is_kept_holds_the_override_and_the_proof() -> None:
    learned = by_pairs(judged(most("recency")), PAIRWISE)
    assert setting(learned, NOW) == {
        "override": {"rank.weights": weights(learned)},
        "method": "pairs",
        "why": learned.why,
        "count": 60,
        "pairs": 60 * 9,
        "questions": 60,
        "ndcg_before": learned.ndcg_before,
        "ndcg_after": learned.ndcg_after,
        "chance": learned.chance,
        "at": NOW.isoformat(),
    }
