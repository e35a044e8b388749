"""Learned: what came of reading the feedback to one profile: new weights, or the reason why not."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pinyon.model.profile import Profile

WEIGHTS = "rank.weights"
WITH_VECTORS = "rank.with_vectors"

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Learned:
    """`before` are the weights that the profile has without learning, by their path in it, and
    `after` those that it has from now on: the same where nothing was `adopted`; `why` says the
    reason in one line. `count` is the number of verdicts.

    By rate: `rate` of them that were accepted, a modified one counts half. By pairs: `pairs` of a
    preferred hit and one that was passed over, from so many `questions`; nDCG on those that were
    held back, by the old weights and by new ones, None where it was not measured; `chance` is how
    likely such a gain would be if the new weights were no better."""

    profile: str
    method: str
    adopted: bool
    why: str
    before: Mapping[str, Weights]
    after: Mapping[str, Weights]
    count: int
    rate: float | None = None
    pairs: int = 0
    questions: int = 0
    ndcg_before: float | None = None
    ndcg_after: float | None = None
    chance: float | None = None


def unchanged(profile: Profile, count: int, why: str) -> Learned:
    """Nothing is adopted."""
    before = weights_of(profile)
    return Learned(profile.name, profile.learn.method, False, why, before, before, count)


def weights_of(profile: Profile) -> dict[str, Weights]:
    """The weights of a profile as shares that sum to 1, by path: those without vectors and, where
    it has others with them, those, whole. None for one that ranks without weights."""
    plain = shares(profile.rank.weights)
    if not plain:
        return {}
    if not profile.rank.with_vectors:
        return {WEIGHTS: plain}
    both = shares({**profile.rank.weights, **profile.rank.with_vectors})
    return {WEIGHTS: plain, WITH_VECTORS: both}


def shares(weights: Weights) -> dict[str, float]:
    """The same weights, divided by their sum; none where it is 0."""
    total = math.fsum(weights.values())
    return {name: weight / total for name, weight in weights.items()} if total > 0 else {}


def setting(learned: Learned, at: datetime) -> dict[str, Any]:
    """What a store keeps of it: `override` changes the profile, the rest is the proof."""
    proof = {
        "method": learned.method,
        "why": learned.why,
        "count": learned.count,
        "rate": learned.rate,
        "pairs": learned.pairs or None,
        "questions": learned.questions or None,
        "ndcg_before": learned.ndcg_before,
        "ndcg_after": learned.ndcg_after,
        "chance": learned.chance,
    }
    known = {name: value for name, value in proof.items() if value is not None}
    override = {path: dict(weights) for path, weights in learned.after.items()}
    return {"override": override, **known, "at": at.isoformat()}
