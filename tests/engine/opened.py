"""Opened: an engine over each store, for tests that ask it as a program would."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pinyon
from pinyon.engine import Engine
from tests.store.world import NOW

PLACES = ("memory", "sqlite")


class Clock:
    """Says NOW at first, and a minute later each time it is asked again."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> datetime:
        self.asked += 1
        return NOW + timedelta(minutes=self.asked - 1)


@contextmanager
def opened(
    place: str, folder: Path, clock: Callable[[], datetime] = lambda: NOW
) -> Iterator[Engine]:
    """An engine over an empty store of this kind."""
    path = ":memory:" if place == "memory" else folder / "engine.pinyon"
    with pinyon.open(path, clock=clock) as engine:
        yield engine
