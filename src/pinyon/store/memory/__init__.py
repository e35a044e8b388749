"""MemoryStore: the whole store contract in plain Python, kept in memory only.

It is the reference that other stores are compared with, and the store of anything that need not
outlive its process. Each moment is a State that nobody changes; a commit makes the next one from a
copy and puts it in the place of the last, so a view needs nothing but the State it began with.
"""

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from pinyon.model.errors import InvalidInput
from pinyon.model.use import Noted
from pinyon.store.contract import Batch, Finding, Receipt, Task
from pinyon.store.memory.apply import apply
from pinyon.store.memory.queue import lease
from pinyon.store.memory.scrub import scrub
from pinyon.store.memory.state import State
from pinyon.store.memory.usage import note
from pinyon.store.memory.view import MemoryView


class MemoryStore:
    """Fulfils pinyon.store.contract.Store. Every search reads every record."""

    def __init__(self) -> None:
        self._state = State()
        self._one_writer = threading.Lock()

    @contextmanager
    def snapshot(self) -> Iterator[MemoryView]:
        """A view that lasts until the context ends."""
        yield MemoryView(self._state)

    def commit(self, batch: Batch) -> Receipt:
        """Apply the whole batch or, when it raises, nothing of it. Copies the store's tables."""
        with self._one_writer:
            self._state, receipt = apply(self._state, batch)
        return receipt

    def lease(
        self, model: str, owner: str, *, now: datetime, until: datetime, limit: int
    ) -> list[Task]:
        """Hand out passages that wait for the model, the newest first. Reads every passage."""
        with self._one_writer:
            self._state, tasks = lease(self._state, model, owner, now=now, until=until, limit=limit)
        return tasks

    def note(self, noted: Noted) -> bool:
        """Keep what searches left behind."""
        with self._one_writer:
            self._state = note(self._state, noted)
        return True

    def examine(self) -> list[Finding]:
        """Always sound: there is no file that could be broken."""
        return []

    def rebuild(self) -> None:
        """Make the stems and passages of every record anew; those that are the same stay."""
        with self._one_writer:
            state = self._state.copy()
            for record in state.records.values():
                state.derive(record)
            self._state = state

    def scrub(self, own: Collection[str] = ()) -> None:
        """What was purged is gone with the last view that shows it, and so is what named it."""
        with self._one_writer:
            self._state = scrub(self._state, own)

    def backup(
        self,
        target: Path,
        *,
        replace: bool = False,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """There is no file."""
        raise InvalidInput("a store in memory has no file to copy", remedy="export it")

    def close(self) -> None:
        """Nothing has to be released."""
