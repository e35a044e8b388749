"""Patience: how long a search may take, and who may end it sooner.

It holds for everything that the same thread does meanwhile: stages look at it as they begin, and a
store while it reads.
"""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pinyon.model.errors import InvalidInput, OutOfTime


class Patience:
    """Ends after `seconds`, where there is such a limit, or as soon as `stop` is set."""

    def __init__(self, seconds: float | None, stop: threading.Event | None) -> None:
        self._seconds = seconds
        self._until = None if seconds is None else time.monotonic() + seconds
        self._stop = stop

    def over(self) -> bool:
        """Whether it has ended."""
        late = self._until is not None and time.monotonic() >= self._until
        return late or (self._stop is not None and self._stop.is_set())

    def left_s(self) -> float:
        """Seconds until its end, 0 after it; infinite where there is no limit."""
        if self.over():
            return 0.0
        return math.inf if self._until is None else max(0.0, self._until - time.monotonic())

    def check(self) -> None:
        """Raises OutOfTime when it has ended."""
        if self.over():
            raise self.ended()

    def ended(self) -> OutOfTime:
        """What is said of it."""
        if self._stop is not None and self._stop.is_set():
            return OutOfTime("the search was stopped by its caller")
        return OutOfTime(
            f"the search was not done after {self._seconds:g} s",
            remedy="ask for less, with filters or a smaller limit, or give it more time",
        )


_CURRENT: ContextVar[Patience | None] = ContextVar("patience", default=None)


def current() -> Patience | None:
    """The patience that holds now, if any does."""
    return _CURRENT.get()


def left_s() -> float:
    """Seconds that are left of the patience that holds now; infinite where none does."""
    patience = _CURRENT.get()
    return math.inf if patience is None else patience.left_s()


def check() -> None:
    """Raises OutOfTime when the patience that holds now has ended."""
    patience = _CURRENT.get()
    if patience is not None:
        patience.check()


@contextmanager
def within(seconds: float | None, stop: threading.Event | None = None) -> Iterator[None]:
    """What is done inside must be done in so many seconds, and before `stop` is set."""
    if seconds is not None and (type(seconds) not in (int, float) or not seconds > 0):
        raise InvalidInput("timeout_s must be a number above 0")
    if seconds is None and stop is None:
        yield
        return
    token = _CURRENT.set(Patience(seconds, stop))
    try:
        yield
    finally:
        _CURRENT.reset(token)
