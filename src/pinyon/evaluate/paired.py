"""Paired: whether one run is better than another on the same questions, or only by chance.

Fisher's randomisation test, which Smucker, Allan and Carterette (2007) advise for search: were
neither run better, the difference of each question could as well have had the other sign.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLIPS = 10_000
SEED = 7598
SURE = 0.05
"""What is likelier by chance is not called a difference."""

EQUAL = 1e-9
SOME = 500
"""Flips at a time, for the memory's sake."""

COMPARED = ("ndcg@10", "recall@10")

Each = Mapping[str, Mapping[str, float]]
"""The values of every measure, by question."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more the second mean is than the first, and how likely it is that such a difference,
    to either side, comes by chance."""

    value: float
    p: float

    @property
    def real(self) -> bool:
        return self.p < SURE


def compare(first: Each, other: Each) -> dict[str, Difference]:
    """What `other` has more than `first`, over the questions that both were asked."""
    both = [question for question in first if question in other]
    return {
        name: difference([other[each][name] - first[each][name] for each in both])
        for name in COMPARED
    }


def difference(gains: Sequence[float]) -> Difference:
    """The mean of the gains, and how likely it is by chance."""
    return Difference(math.fsum(gains) / len(gains) if gains else 0.0, chance(gains))


def chance(gains: Sequence[float], *, flips: int = FLIPS, seed: int = SEED) -> float:
    """The share of the ways to choose the signs of the gains whose sum is as far from 0, or more:
    of all ways where these are at most `flips`, else of so many that are drawn, and the one that
    was seen. The same gains, the same answer."""
    import numpy as np

    values = np.array([gain for gain in gains if abs(gain) > EQUAL])  # 0 has no sign to choose
    if not len(values):
        return 1.0
    least = abs(values.sum()) - EQUAL
    if len(values) < flips.bit_length():
        ways = 1 << len(values)
        return _reached(_signs(np.arange(ways), len(values)), values, least) / ways
    draw = np.random.Generator(np.random.PCG64(seed))
    reached = 0
    for begin in range(0, flips, SOME):
        size = (min(SOME, flips - begin), len(values))
        signs = draw.integers(0, 2, size=size, dtype=np.int8) * 2 - 1
        reached += _reached(signs, values, least)
    return (reached + 1) / (flips + 1)


def _signs(ways: "NDArray[np.int64]", count: int) -> "NDArray[np.int8]":
    """The lowest bits of each number as 1 and -1."""
    import numpy as np

    bits = ways[:, None] >> np.arange(count)[None, :] & 1
    return (bits * 2 - 1).astype(np.int8)


def _reached(signs: "NDArray[np.int8]", values: "NDArray[np.float64]", least: float) -> int:
    return int((abs(signs @ values) >= least).sum())
