"""Jobs: what takes long is done behind, one after the other, and can be watched and cancelled.

A job is cancelled at its next progress: what it has committed until then stays. Jobs live as long
as the process; what matters of them is in the store.
"""

import asyncio
import logging
import secrets
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pinyon.model.errors import PinyonError
from pinyon.model.wire import date_to_text
from pinyon.surfaces.http.problems import problem, problem_of

MOST_WAITING = 20
MOST_KEPT = 100
"""Jobs that are remembered; those that ended first are forgotten first."""

BEAT_S = 10.0
"""How often a stream says something, where there is nothing to say: so that neither side waits for
one that is gone."""

STEP_S = 0.1
"""Progress is told no more often than this."""

ENDED = ("done", "failed", "cancelled")

Progress = Callable[[int, int, str], None]
"""How many are done, of how many, and which comes next."""

Work = Callable[[Progress], dict[str, Any]]


class TooManyJobs(PinyonError):
    """As many wait as may."""


class UnknownJob(PinyonError):
    """No job has this id, or it ended long ago."""


class _Cancelled(Exception):
    """Raised out of the work, by its own progress."""


@dataclass(eq=False)
class Job:
    """One piece of work, as far as it is."""

    job: str
    target: str
    work: Work
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: str = "waiting"
    done: int = 0
    total: int = 0
    path: str = ""
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    began_at: datetime | None = None
    ended_at: datetime | None = None
    cancelled: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "job": self.job,
            "target": self.target,
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "path": self.path,
            "result": self.result,
            "error": self.error,
            "began_at": self.began_at and date_to_text(self.began_at),
            "ended_at": self.ended_at and date_to_text(self.ended_at),
        }


class Jobs:
    """All jobs of a service. Any number of threads may use it; `watch` belongs to an event loop."""

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clock = clock
        self._known: dict[str, Job] = {}
        self._waiting: deque[Job] = deque()
        self._changed = threading.Condition()
        self._watchers: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._worker: threading.Thread | None = None
        self._closing = False

    def add(self, job: str, target: str, work: Work) -> dict[str, Any]:
        """A job that begins when those before it have ended. Raises TooManyJobs."""
        with self._changed:
            if len(self._waiting) >= MOST_WAITING or self._closing:
                raise TooManyJobs(
                    f"{len(self._waiting)} jobs wait already", remedy="wait until some are done"
                )
            new = Job(job, target, work)
            self._known[new.id] = new
            self._waiting.append(new)
            self._forget()
            if self._worker is None:
                self._worker = threading.Thread(target=self._run, name="jobs", daemon=True)
                self._worker.start()
            self._changed.notify_all()
            return new.to_json()

    def get(self, id: str) -> dict[str, Any]:
        """A job as it is now. Raises UnknownJob."""
        with self._changed:
            return self._job(id).to_json()

    def all(self) -> list[dict[str, Any]]:
        """Those that are known, the newest first."""
        with self._changed:
            return [job.to_json() for job in reversed(self._known.values())]

    def cancel(self, id: str) -> dict[str, Any]:
        """Ask a job to end; one that has ended stays as it is. Raises UnknownJob."""
        with self._changed:
            job = self._job(id)
            self._cancel(job)
            now = job.to_json()
        self._tell()
        return now

    async def watch(self, id: str) -> AsyncIterator[dict[str, Any] | None]:
        """A job as it is, and again at each change, until it has ended or the service ends. None
        where nothing happened for a while. Raises UnknownJob."""
        with self._changed:
            job = self._job(id)
        told: dict[str, Any] = {}
        with self._heard() as heard:
            while not self._closing:
                heard.clear()
                with self._changed:
                    now = job.to_json()
                if now != told:
                    yield now
                told = now
                if told["state"] in ENDED:
                    return
                try:
                    await asyncio.wait_for(heard.wait(), BEAT_S)
                except TimeoutError:
                    yield None
                await asyncio.sleep(STEP_S)

    def stop(self) -> None:
        """End all streams, and ask all jobs to end. No job begins any more."""
        with self._changed:
            self._closing = True
            for job in self._known.values():
                self._cancel(job)
            self._changed.notify_all()
        self._tell()

    def close(self, timeout_s: float = 10.0) -> None:
        """Stop, and wait until the job that runs has ended."""
        self.stop()
        if self._worker:
            self._worker.join(timeout_s)

    def _job(self, id: str) -> Job:
        job = self._known.get(id)
        if job is None:
            raise UnknownJob(f"no job has the id {id!r}", remedy="list them: GET /v1/jobs")
        return job

    def _cancel(self, job: Job) -> None:
        job.cancelled = job.state not in ENDED
        if job.state == "waiting":
            self._waiting.remove(job)
            self._end(job, "cancelled")

    def _forget(self) -> None:
        ended = [id for id, job in self._known.items() if job.state in ENDED]
        for id in ended[: max(0, len(self._known) - MOST_KEPT)]:
            del self._known[id]

    def _run(self) -> None:
        while job := self._next():
            self._tell()
            state, result, error = self._tried(job)
            with self._changed:
                job.result, job.error = result, error
                self._end(job, state)
            self._tell()

    def _next(self) -> Job | None:
        """The job whose turn it is; None when there is to be none any more."""
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait()
            if self._closing:
                return None
            job = self._waiting.popleft()
            job.state, job.began_at = "running", self._clock()
            return job

    def _tried(self, job: Job) -> tuple[str, dict[str, Any] | None, dict[str, Any] | None]:
        def progress(done: int, total: int, path: str) -> None:
            if job.cancelled:
                raise _Cancelled
            with self._changed:
                job.done, job.total, job.path = done, total, path
            self._tell()

        try:
            return "done", job.work(progress), None
        except _Cancelled:
            return "cancelled", None, None
        except PinyonError as error:
            return "failed", None, problem_of(error)["error"]
        except Exception:  # one broken job must not end those that wait
            logging.getLogger(__name__).exception("a job failed")
            return "failed", None, problem("Internal", "the job failed")["error"]

    def _end(self, job: Job, state: str) -> None:
        job.state, job.ended_at = state, self._clock()

    @contextmanager
    def _heard(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever something changes."""
        event = asyncio.Event()
        self._watchers[event] = asyncio.get_running_loop()
        try:
            yield event
        finally:
            del self._watchers[event]

    def _tell(self) -> None:
        for event, loop in list(self._watchers.items()):
            with suppress(RuntimeError):  # its loop is closed
                loop.call_soon_threadsafe(event.set)
