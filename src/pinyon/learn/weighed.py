"""Weighed: what decides the order of a profile's answers, as one table of weights.

The score of a hit is the sum over the table, each weight times a number of the hit: so other
weights can be tried without asking again.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from pinyon.learn.learned import WEIGHTS, WITH_VECTORS, Weights
from pinyon.model.hit import Hit
from pinyon.model.profile import Profile

FUSED = "fuse.weights"


class Weighed(NamedTuple):
    """`weights`, whole, and the `path` of the table in the profile that they stand in."""

    path: str
    weights: Weights


def weighed(profile: Profile, *, vectors: bool) -> Weighed:
    """What decides where vectors answer, or where they do not: the signals, or, where the profile
    ranks without weights, the channels of the fusion."""
    how = profile.rank
    if not how.weights:
        channels = profile.retrieve.channels
        return Weighed(FUSED, {each: profile.fuse.weights.get(each, 1.0) for each in channels})
    if vectors and how.with_vectors:
        return Weighed(WITH_VECTORS, {**how.weights, **how.with_vectors})
    return Weighed(WEIGHTS, how.weights)


def parts(hit: Hit, profile: Profile) -> dict[str, float] | None:
    """The numbers of a hit that the weights count times. None where they do not decide its score:
    its kind has one of its own, or edges led to it."""
    led = bool(hit.via) and "graph" not in profile.retrieve.channels
    if led or hit.kind in profile.rank.baseline:
        return None
    times = math.prod(hit.signals.get(name, 1.0) for name in profile.rank.times)
    if profile.rank.weights:
        names = {**profile.rank.weights, **profile.rank.with_vectors}
        return {name: hit.signals.get(name, 0.0) * times for name in names}
    # By the best that it could be, for a scale like that of the signals.
    k, several = profile.fuse.k, len(hit.sources) > 1
    best = (k + 1) * (1 + profile.fuse.bonus if several else 1) * times
    return {channel: best / (k + rank) for channel, rank in hit.sources.items()}


def changes(profile: Profile, table: Weighed) -> dict[str, Mapping[str, float]]:
    """What to change in the profile, by path, so that it has these weights, and nothing else of it
    is another: weights for vectors, which stand over the others, stay as they are."""
    if table.path == FUSED:
        return {FUSED: {**profile.fuse.weights, **table.weights}}
    how = profile.rank
    if table.path == WEIGHTS and how.with_vectors:
        return {WEIGHTS: table.weights, WITH_VECTORS: {**how.weights, **how.with_vectors}}
    return {table.path: table.weights}
