"""Clock: CPU time of rivals, one right after the other, so that a noisy machine hits all alike."""

import time
from collections.abc import Callable, Sequence
from statistics import median

ROUNDS = 3


def cpu_ms(call: Callable[[], object]) -> float:
    begun = time.process_time_ns()
    call()
    return (time.process_time_ns() - begun) / 1e6


def alternate(
    rivals: Sequence[Callable[[], object]],
    rounds: int = ROUNDS,
    choose: Callable[[Sequence[float]], float] = median,
) -> list[float]:
    """The milliseconds of each rival, the median or what is chosen, after one round that warms the
    caches."""
    for rival in rivals:
        rival()
    times = [[cpu_ms(rival) for rival in rivals] for _ in range(rounds)]
    return [choose(column) for column in zip(*times, strict=True)]
