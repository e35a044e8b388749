"""Work: a call of the engine in a thread, which an agent can watch and call off."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import anyio
from anyio import from_thread, to_thread

from pinyon.access import Permit, Permitted
from pinyon.engine import Engine
from pinyon.model import patience

if TYPE_CHECKING:
    from pinyon.index.pipeline import Progress, Report

Found = TypeVar("Found")

STEP = 25
"""An agent hears of every so many files."""


class Tell(Protocol):
    """Tells an agent how far it is."""

    def __call__(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> Coroutine[Any, Any, None]: ...


class CalledOff(Exception):
    """The agent does not want it any more. What was committed stays."""


class Work(Permitted):
    """An engine for one call: what takes long says how far it is, and can be called off."""

    def __init__(self, engine: Engine, permit: Permit, tell: Tell) -> None:
        super().__init__(engine, permit)
        self.called_off = Event()
        self._tell = tell

    def index(
        self, path: str | Path, *, progress: "Callable[[Progress], None] | None" = None
    ) -> "Report":
        return super().index(path, progress=self._progress)

    def _progress(self, at: "Progress") -> None:
        if self.called_off.is_set():
            raise CalledOff
        if at.done % STEP == 0:
            # Somebody who has left is told nothing.
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                from_thread.run(self._tell, at.done, at.total, at.path)


async def in_thread(work: Work, call: Callable[[], Found]) -> Found:
    """What `call` gives. When it is cancelled, what it reads is broken off; a write is whole or not
    there."""
    async with anyio.create_task_group() as group:
        group.start_soon(_watch, work.called_off)
        found = await to_thread.run_sync(_caught, call, work.called_off)
        group.cancel_scope.cancel()
    if isinstance(found, Exception):
        raise found
    return found


async def _watch(called_off: Event) -> None:
    try:
        await anyio.sleep_forever()
    finally:
        called_off.set()


def _caught(call: Callable[[], Found], called_off: Event) -> Found | Exception:
    """A group of tasks would put what is raised into a group of errors."""
    try:
        with patience.within(None, called_off):
            return call()
    except Exception as error:  # raised again by whoever waits
        return error
