"""Weights: how much each signal counts in one search."""

import math
from collections.abc import Collection, Mapping

from pinyon.model.profile import CHANNELS, RankSection

SPOKEN = ("time", "name", "intent", "context")
"""Signals that count only where a question speaks of a time, names somebody, or has a wish; and
where something stands around what was found."""


def weights_in(channels: Collection[str], how: RankSection) -> Mapping[str, float]:
    """The weights of a search in which these channels answered, and these of SPOKEN were spoken of,
    as shares that sum to 1; 0 for one that was not. Empty where none counts: then the score is that
    of the fusion."""
    named = {**how.weights, **how.with_vectors} if "vector" in channels else how.weights
    counted = {name: weight * heard(name, channels, how) for name, weight in named.items()}
    total = math.fsum(counted.values())
    return {name: weight / total for name, weight in counted.items()} if total else {}


def signals_in(channels: Collection[str], how: RankSection) -> list[str]:
    """The signals that such a search needs: those with a weight, also of 0, and those that the
    score is multiplied by."""
    named = dict.fromkeys((*weights_in(channels, how), *how.times))
    return [name for name in named if heard(name, channels, how)]


def heard(signal: str, channels: Collection[str], how: RankSection) -> bool:
    """Whether it can be told: a channel that did not answer says nothing, nor does a wish that
    raises nothing."""
    wished = signal == "intent" and any(how.intent)
    return wished or signal in channels or signal not in (*CHANNELS, *SPOKEN)
