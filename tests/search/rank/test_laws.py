"""Laws: what holds for every ranking, whatever the profile and the candidates."""

import math
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import CHANNELS, SCALES, SIGNALS, IntentSection, RankSection
from pinyon.search.rank import Known, rank, weights_in
from tests.search.rank.built import (
    DOC_TYPES,
    NINE_TYPES,
    SEVERITY,
    ago,
    candidate,
    facts,
    known,
)

SHARES = [name for name in SIGNALS if name not in ("doc_type", "intent")]
"""The signals that lie in [0, 1]."""

BOUNDED = ["positive", "rank", "range", "best"]
SEEDS = st.integers(0, 2**32)
"""Of a whole world: drawn part by part it would take a hundred times as long."""


class World(NamedTuple):
    """What a ranking is given."""

    candidates: list[Candidate]
    known: Known
    how: RankSection


def world(seed: int, names: Sequence[str] = SIGNALS, scales: Sequence[str] = SCALES) -> World:
    chance = Random(seed)
    channels = some(chance, CHANNELS, least=1)
    ids = some(chance, "stuvwxyz", least=1)
    return World(
        [_candidate(chance, id, channels) for id in ids],
        known(
            *(_facts(chance, id) for id in ids),
            channels=channels,
            tags=frozenset(some(chance, ("red", "green"))),
            domains=frozenset(("security",)),
            names=frozenset(some(chance, ("Ada",))),
            period=chance.choice([None, (ago(100), ago(70))]),
            stems=("a", "d"),
            df={"a": 3, "b": 1, "c": 2, "d": 0},
            documents=9,
        ),
        RankSection(
            weights={name: chance.randint(0, 5) for name in some(chance, names)},
            with_vectors={name: chance.randint(0, 5) for name in some(chance, names)},
            times=tuple(some(chance, names))[: chance.randint(0, 2)],
            scale={channel: chance.choice(scales) for channel in CHANNELS},
            baseline=chance.choice([{}, {"memory": 0.5}]),
            severity=SEVERITY,
            doc_types=DOC_TYPES,
            half_lives=NINE_TYPES,
            intent=IntentSection({"doc": 1.2}, {"plan": 1.5}),
        ),
    )


def _candidate(chance: Random, id: str, channels: Sequence[str]) -> Candidate:
    """Scored by some channels, and found by some of those."""
    scores = {name: chance.uniform(-1, 1) for name in some(chance, channels, least=1)}
    ranks = {name: chance.randint(1, 50) for name in some(chance, list(scores), least=1)}
    score, title = chance.random(), chance.random()
    return candidate(id, scores, ranks=ranks, score=score, title=title)


def _facts(chance: Random, id: str) -> Facts:
    return facts(
        id,
        kind=chance.choice(["memory", "entity", "doc"]),
        tags=tuple(some(chance, ("red", "green", "blue"))),
        domain=chance.choice(["", "security"]),
        severity=chance.choice(["", *SEVERITY]),
        importance=chance.randint(1, 5),
        mentions=chance.randint(0, 100),
        doc_type=chance.choice(["", *DOC_TYPES]),
        memory_type=chance.choice(["", *NINE_TYPES]),
        author=chance.choice(["", "Ada"]),
        updated_at=ago(chance.randint(-10, 900)),
        created_at=ago(chance.randint(-10, 900)),
        valid_until=chance.choice([None, ago(chance.randint(-500, 500))]),
        strength=chance.random(),
        terms={stem: chance.randint(1, 4) for stem in some(chance, "abc")},
        priority=chance.choice([1.0, 0.8, 0.6]),
    )


def some(chance: Random, of: Sequence[str], least: int = 0) -> list[str]:
    return chance.sample(of, chance.randint(least, len(of)))


def told(name: str, knowing: Known) -> bool:
    """What has a say: a channel that answered, a time that is spoken of, somebody who is named."""
    says = {
        **{channel: channel in knowing.channels for channel in CHANNELS},
        "time": knowing.period_us is not None,
        "name": bool(knowing.names),
        "context": bool(knowing.around),
    }
    return says.get(name, True)


@pytest.mark.proves("B10")
@given(SEEDS)
def test_every_score_is_explained_by_its_signals(seed: int) -> None:
    candidates, knowing, how = world(seed)
    weights = weights_in(knowing.heard, how)
    fused = {one.id: one.score for one in candidates}
    for one in rank(candidates, knowing, how):
        about = knowing.facts[one.id]
        total = fused[one.id]
        if weights:
            total = math.fsum(share * one.signals.get(name, 0.0) for name, share in weights.items())
        product = math.prod(
            [total, *(one.signals[name] for name in how.times if told(name, knowing))]
        )
        assert one.score == how.baseline.get(about.kind, product) * about.priority


@given(SEEDS)
def test_the_order_of_the_candidates_does_not_matter(seed: int) -> None:
    candidates, knowing, how = world(seed)
    shuffled = Random(seed).sample(candidates, len(candidates))
    assert rank(shuffled, knowing, how) == rank(candidates, knowing, how)


@given(SEEDS)
def test_signals_that_are_shares_lie_between_0_and_1_and_so_does_the_score(seed: int) -> None:
    candidates, knowing, how = world(seed, SHARES, BOUNDED)
    weights = weights_in(knowing.heard, how)
    for one in rank(candidates, knowing, how):
        for name in (*weights, *how.times):
            assert 0 <= one.signals.get(name, 0.0) <= 1
        assert -1e-12 <= one.score <= 1 + 1e-12


@given(SEEDS)
def test_on_scales_of_its_own_no_score_hangs_on_the_rest_of_the_answer(seed: int) -> None:
    candidates, knowing, how = world(seed, scales=["raw", "positive", "rank"])
    alone = [rank([one], knowing, how)[0] for one in candidates]
    together = rank(candidates, knowing, how)
    assert sorted(together, key=lambda one: one.id) == sorted(alone, key=lambda one: one.id)


@given(SEEDS)
def test_a_worse_candidate_more_changes_no_score_by_the_best(seed: int) -> None:
    candidates, knowing, how = world(seed, scales=["positive", "rank", "best"])
    worse = candidate("worse", dict.fromkeys(knowing.channels, -1.0), ranks={})
    about = {**knowing.facts, "worse": facts("worse")}
    before = rank(candidates, knowing, how)
    after = rank([worse, *candidates], knowing._replace(facts=about), how)
    assert [one for one in after if one.id != "worse"] == before


@given(SEEDS)
def test_the_best_stand_first_and_equal_ones_by_id(seed: int) -> None:
    candidates, knowing, how = world(seed)
    twins = [one._replace(id=f"{one.id} twin") for one in candidates]
    about = {**knowing.facts, **{f"{id} twin": one for id, one in knowing.facts.items()}}
    ranked = rank([*twins, *candidates], knowing._replace(facts=about), how)
    scores = [one.score for one in ranked]
    assert scores == sorted(scores, reverse=True)
    at = {one.id: place for place, one in enumerate(ranked)}
    assert all(at[one.id] < at[f"{one.id} twin"] for one in candidates)
