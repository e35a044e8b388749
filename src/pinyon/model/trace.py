"""Trace: what a search did and how long each stage took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pinyon.model import patience


@dataclass(slots=True)
class Trace:
    """Grows while one search runs; belongs to that search alone."""

    stages_ms: dict[str, float] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, why: str, count: int) -> None:
        """Say how many records are not in the answer, and why."""
        if count > 0:
            self.left_out[why] = self.left_out.get(why, 0) + count

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Raises OutOfTime where nobody waits for it any more."""
        patience.check()
        begun = time.perf_counter()
        yield
        self.stages_ms[name] = self.stages_ms.get(name, 0.0) + (time.perf_counter() - begun) * 1e3
