"""What stands around a find: the turns before and after."""

import math
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.hit import Found
from pinyon.model.profile import ContextSection
from pinyon.model.query import Match, Neighbours, RankedList, Step
from pinyon.search.surround import NOTHING, surround
from pinyon.store.contract import View

HOW = ContextSection(relations=("follows",), depth=2)


class Chain:
    """A view of turns t0, t1, ... each of which follows the one before."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.asked: list[Neighbours] = []

    def neighbours(self, asked: Neighbours) -> list[Step]:
        self.asked.append(asked)
        return [
            Step(id, f"t{at + off}", "follows", off > 0, 1.0)
            for id in asked.ids
            for at in [int(id[1:])]
            for off in (-1, 1)
            if 0 <= at + off < self.length
        ]


def view(length: int) -> View:
    """All that the stage asks of a view."""
    return cast(View, Chain(length))


def found(*ids: str) -> list[Found]:
    matches = tuple(Match(id, 1.0 / rank, 1.0) for rank, id in enumerate(ids, 1))
    return [Found(None, RankedList("lexical", matches))]


def test_two_turns_before_and_after_stand_around_a_find_the_nearer_ones_more() -> None:
    around = surround(view(9), found("t4"), HOW)
    assert around.near["t4"] == pytest.approx({"t2": 1 / 6, "t3": 1 / 3, "t5": 1 / 3, "t6": 1 / 6})


def test_what_stands_beside_a_find_is_a_candidate_and_says_whose_neighbour_it_is() -> None:
    beside = surround(view(9), found("t4"), HOW).beside
    assert [match.id for match in beside.matches] == ["t3", "t5", "t2", "t6"]
    assert {match.via for match in beside.matches} == {"beside t4"}


def test_what_was_found_itself_is_not_beside() -> None:
    beside = surround(view(9), found("t4", "t5"), HOW).beside
    assert not {"t4", "t5"} & {match.id for match in beside.matches}


@pytest.mark.parametrize(
    ("length", "how", "ids"),
    [(1, HOW, ["t0"]), (9, HOW._replace(depth=0), ["t4"]), (9, HOW, [])],
    ids=["alone", "off", "nothing found"],
)
def test_where_nothing_stands_around_nothing_changes(
    length: int, how: ContextSection, ids: list[str]
) -> None:
    assert surround(view(length), found(*ids), how) == NOTHING


@given(st.integers(2, 12), st.sets(st.integers(0, 11), min_size=1), st.integers(1, 4))
def test_what_stands_around_a_record_counts_1_at_most_and_both_ends_know_each_other(
    length: int, places: set[int], depth: int
) -> None:
    ids = [f"t{at}" for at in sorted(places) if at < length]
    chain = Chain(length)
    near = surround(cast(View, chain), found(*ids), HOW._replace(depth=depth)).near
    for id, others in near.items():
        assert id not in others
        assert math.fsum(others.values()) <= 1 + 1e-9
        if id in ids:
            reach = {f"t{at}" for at in range(length) if 0 < abs(at - int(id[1:])) <= depth}
            assert set(others) == reach
    assert len(chain.asked) <= depth
