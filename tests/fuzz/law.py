"""Law: whatever is given, there is a result or a PinyonError, in time. Counts what was tried."""

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from pydantic import ValidationError

from pinyon.model.errors import PinyonError
from tests.faults.length import lasting

T = TypeVar("T")

LONGEST_S = 60.0
"""No input of a few kilobytes takes a hundredth of this; a hang takes all of it."""

TRIED: Counter[tuple[str, str]] = Counter()
"""How often each target answered, and how often it refused."""


class Hang(BaseException):
    """No `except Exception` on the way can take it for a broken file."""


def fuzzing(short: int, long: int) -> settings:
    """So many inputs in a test run, and in `make faults`."""
    return settings(
        max_examples=lasting(short, long),
        deadline=None,  # a busy machine is not a hang: see LONGEST_S
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def tried(target: str, call: Callable[..., T], *given: Any, **how: Any) -> T | None:
    """What the call returns; None where it refuses what it is given."""
    try:
        with in_time():
            result = call(*given, **how)
    except (PinyonError, ValidationError):
        TRIED[target, "refused"] += 1
        return None
    TRIED[target, "answered"] += 1
    return result


@contextmanager
def in_time() -> Iterator[None]:
    """Raises Hang after LONGEST_S, where the system can."""
    if not hasattr(signal, "setitimer") or threading.current_thread().name != "MainThread":
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: FrameType | None) -> None:
    raise Hang
