"""The fit: shares that explain the pairs, near the shipped ones as long as little is known."""

import numpy as np
import pytest

from pinyon.learn.fit import FIRM, KEPT, LOOSE, SHARP, fitted

SHIPPED = np.array([0.4, 0.6, 0.0])


def fit(rows: list[list[float]], towards: float = 1.0, times: float = 1.0) -> list[float]:
    apart = np.array(rows, dtype=float).reshape(-1, 3)
    shares: list[float] = fitted(apart, np.full(len(apart), times), SHIPPED, towards).tolist()
    return shares


def test_without_pairs_the_shipped_weights_stay() -> None:
    assert fit([]) == pytest.approx(SHIPPED.tolist())


def test_pairs_that_differ_in_nothing_leave_the_shipped_weights() -> None:
    assert fit([[0, 0, 0]] * 50) == pytest.approx(SHIPPED.tolist(), abs=1e-3)


def test_pairs_that_the_shipped_weights_explain_leave_them_as_they_are() -> None:
    assert fit([[0.4, 0.6, 0.0]] * 50) == pytest.approx(SHIPPED.tolist(), abs=0.01)


def test_shares_sum_to_one_and_none_is_negative() -> None:
    shares = fit([[-0.9, 0.3, 0.5], [0.8, -0.1, 0.6], [-0.7, -0.2, 0.1]] * 20)
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0


def test_a_signal_that_is_always_right_leads_and_one_that_is_wrong_keeps_a_quarter() -> None:
    shares = fit([[-0.3, 0.0, 0.4], [-0.2, 0.1, 0.5], [-0.4, -0.1, 0.3]] * 40)
    assert shares[0] == pytest.approx(0.25 * 0.4)
    assert shares[2] == max(shares)


@pytest.mark.parametrize("more", [2, 8, 32])
def test_the_more_is_known_the_further_the_weights_move(more: int) -> None:
    row = [[-0.1, 0.0, 0.3]]
    assert fit(row * 10 * more)[2] > fit(row * 10)[2]


def test_the_stronger_the_hold_the_nearer_the_shipped_weights() -> None:
    rows = [[-0.1, 0.0, 0.3]] * 30
    shares = [fit(rows, towards)[2] for towards in (0.1, 1, 10, 1_000)]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.05


def test_it_is_the_minimum_of_what_it_promises() -> None:
    """No feasible step from it lowers the loss, for one sharpness along it: checked by walking."""
    draw = np.random.default_rng(1)
    apart = draw.normal(0.1, 0.3, (200, 3))
    counts = np.ones(200)

    def loss(weights: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        away, loose = weights - weights.sum() * SHIPPED, weights - SHARP * SHIPPED
        wrong = np.log1p(np.exp(-(apart @ weights)))
        return float(counts @ wrong + FIRM * (away @ away + LOOSE * loose @ loose) / 2)

    shares = (fitted(apart, counts, SHIPPED, 1.0) - KEPT * SHIPPED) / (1 - KEPT)
    sharp = min(np.linspace(0.01, 20, 20_000), key=lambda total: loss(total * shares))
    best = loss(sharp * shares)
    steps = draw.normal(0, 0.05, (500, 3))
    assert all(loss(np.maximum(sharp * shares + step, 0)) > best - 1e-4 for step in steps)


def test_nothing_that_holds_is_no_trouble() -> None:
    assert sum(fit([[0.1, 0.2, 0.0]] * 30, towards=0)) == pytest.approx(1)


def test_the_same_pairs_give_the_same_shares() -> None:
    rows = np.random.default_rng(2).normal(0, 1, (300, 3)).tolist()
    assert fit(rows) == fit(rows)
