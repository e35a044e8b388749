"""What is kept of a verdict: which signals, and which hits beside the judged one."""

import pytest

from pinyon.learn.feedback import (
    LEARNABLE,
    TINY,
    check_verdict,
    names_in,
    others,
    question_of,
    signals_of,
    weighing,
)
from pinyon.model.errors import InvalidInput, UnknownSetting
from pinyon.model.hit import Hit
from pinyon.model.profile import SIGNALS, Profile, RankSection


def hit(id: str, **signals: float) -> Hit:
    return Hit(id, "note", id, 0.0, 0.0, signals, {}, "")


HITS = [hit(f"hit-{place}") for place in range(10)]


def ids(hits: list[Hit]) -> list[str]:
    return [one.id for one in hits]


def test_what_can_be_learnt_are_signals() -> None:
    assert set(LEARNABLE) <= set(SIGNALS)


def test_a_wrong_verdict_lists_the_right_ones() -> None:
    with pytest.raises(UnknownSetting) as raised:
        check_verdict("loved")
    assert raised.value.known == ("accepted", "modified", "dismissed")


def test_a_hit_is_compared_with_all_that_were_shown_above_and_below_it() -> None:
    assert ids(others(HITS, "hit-4", "accepted", {})) == [*ids(HITS[:4]), *ids(HITS[5:])]


@pytest.mark.parametrize(
    ("verdict", "left_out"),
    [("accepted", ["hit-1", "hit-2"]), ("modified", ["hit-1", "hit-2"]), ("dismissed", ["hit-3"])],
)
def test_but_not_with_those_of_the_same_verdict(verdict: str, left_out: list[str]) -> None:
    said = {"hit-1": "accepted", "hit-2": "modified", "hit-3": "dismissed"}
    kept = ids(others(HITS, "hit-0", verdict, said))
    assert kept == [id for id in ids(HITS[1:]) if id not in left_out]


def test_of_a_deeper_answer_ten_are_kept_from_its_first_to_its_last() -> None:
    deep = [hit(f"{place}") for place in range(50)] + [hit("judged")]
    assert ids(others(deep, "judged", "accepted", {})) == [f"{at}" for at in range(2, 50, 5)]


def test_the_signals_that_are_not_zero_are_kept() -> None:
    kept = signals_of(hit("a", lexical=0.12345678, tags=0.0, bm25=7.0), ("lexical", "tags"))
    assert kept == {"lexical": 0.123457}


def test_a_profile_is_made_to_compute_what_it_does_not_weigh() -> None:
    rank = RankSection(weights={"lexical": 0.4, "semantic": 0.6, "tags": 0})
    changes = weighing(Profile("mine", rank=rank))
    assert changes == {f"rank.weights.{name}": TINY for name in LEARNABLE if name != "lexical"}
    assert names_in(Profile("mine", rank=rank)) == (*LEARNABLE, "semantic")


def test_a_zero_with_vectors_does_not_stand_in_the_way() -> None:
    rank = RankSection(weights={"lexical": 1}, with_vectors={"tags": 0})
    changes = weighing(Profile("mine", rank=rank))
    assert changes["rank.weights.tags"] == changes["rank.with_vectors.tags"] == TINY


def test_a_profile_without_weights_stays_without() -> None:
    assert weighing(Profile("bare")) == {}


def test_spaces_do_not_make_another_question() -> None:
    assert question_of("  what \n is\tthis ") == "what is this"
    with pytest.raises(InvalidInput):
        question_of(7)  # type: ignore[arg-type]
