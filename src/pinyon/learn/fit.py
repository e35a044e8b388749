"""Fit: the weights under which what was preferred outranks what was passed over."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

STEPS = 100
CLOSE = 1e-8

SHARP = 10.0
"""The sum of the weights as long as nothing is known: a lead of .1 is then right with odds of e
to 1."""

FIRM = 0.3
"""How firmly shares are held. Measured: at 1, thirty verdicts of one mind did not always put their
signal first; at .1 and at .3 simulated people were followed equally well."""

LIGHTEST = 1e-3
"""Something must hold what no pair says anything of."""

LOOSE = 0.1
"""How firmly sharpness is held, against 1 for the shares."""

SMALLEST = 0.01
"""A share below it is none: a signal that hardly counts is not worth computing."""

KEPT = 0.25
"""So much of the shipped weights stays. People judge what they are shown, which these weights have
found: what they keep away is in no pair, and must stay away."""


def fitted(apart: "Array", counts: "Array", shipped: "Array", towards: float) -> "Array":
    """Shares that sum to 1, one for each column of `apart`: its rows are the signals of what was
    preferred less those of what was passed over, each counting so much.

    The most likely weights v >= 0 where P(preferred) = sigmoid(v . apart), held by a penalty of

        FIRM x towards / 2 x (|v - sum(v) x shipped|^2 + LOOSE x |v - SHARP x shipped|^2)

    The first part is 0 for the shipped shares, however sharp they are: it holds only the direction.
    The second keeps them from losing all sharpness, and the first all its force, where the shipped
    order explains nothing. The problem is convex; Newton's method, on the weights that are not held
    at 0, solves it in a few steps. The same rows give the same shares.
    """
    import numpy as np

    size = len(shipped)
    pull = np.eye(size) - np.outer(shipped, np.ones(size))
    holding = FIRM * max(towards, LIGHTEST) * (pull.T @ pull + LOOSE * np.eye(size))
    start = SHARP * shipped

    def loss(weights: "Array") -> float:
        wrong = np.logaddexp(0.0, -(apart @ weights))
        away = weights - start
        return float(counts @ wrong + away @ holding @ away / 2)

    weights = start
    for _ in range(STEPS):
        doubt = 0.5 * (1 - np.tanh((apart @ weights) / 2))  # sigmoid(-x), without overflow
        slope = holding @ (weights - start) - apart.T @ (counts * doubt)
        free = (weights > 0) | (slope < 0)
        curve = holding + apart.T @ (apart * (counts * doubt * (1 - doubt))[:, None])
        step = np.zeros(size)
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        if slope @ step < CLOSE:  # twice what the step could gain
            break
        now, share = loss(weights), 1.0
        while share > CLOSE and loss(np.maximum(weights - share * step, 0.0)) >= now:
            share /= 2
        if share <= CLOSE:
            break
        weights = np.maximum(weights - share * step, 0.0)
    return _as_shares(weights, shipped)


def _as_shares(weights: "Array", shipped: "Array") -> "Array":
    import numpy as np

    total = weights.sum()
    if total <= 0:  # the shipped order is wrong throughout, and no other is better
        return shipped
    kept = np.where(weights / total < SMALLEST, 0.0, weights)
    shares: Array = KEPT * shipped + (1 - KEPT) * kept / kept.sum()
    return shares
