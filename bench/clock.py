"""Clock: CPU time of rivals, one right after the other, so that a noisy machine hits all alike."""

import time
from collections.abc import Callable, Sequence
from statistics import median

ROUNDS = 3


def cpu_ms(call: Callable[[], object]) -> float:
    begun = time.process_time_ns()
    call()
    return (time.process_time_ns() - begun) / 1e6


def alternate(rivals: Sequence[Callable[[], object]], rounds: int = ROUNDS) -> list[float]:
    """The median milliseconds of each rival, after one round that warms the caches."""
    for rival in rivals:
        rival()
    times = [[cpu_ms(rival) for rival in rivals] for _ in range(rounds)]
    return [median(column) for column in zip(*times, strict=True)]


def best_in_a_row(call: Callable[[], object], rounds: int) -> float:
    """The least milliseconds of several calls one after the other, after one that warms the caches:
    for differences of long times, which would drown in their noise."""
    call()
    return min(cpu_ms(call) for _ in range(rounds))
