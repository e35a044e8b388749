"""Embed: passages that wait in the store get their vectors, behind the save and never in its way.

The queue is in the store: what is leased and not finished is handed out again, so a run that is
broken off loses a batch at most. A text that cannot be embedded is marked with the reason and tried
again later; the record stays and is found by its words.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from pinyon.inference.contract import BrokenModel, Embedder, ModelError, NoModel, ProviderError
from pinyon.model.errors import PinyonError
from pinyon.store.contract import Batch, Failure, Store, Task, Vector
from pinyon.store.questions import Model, Models, Waiting

BATCH = 100
"""Passages of one lease and one commit."""

FIRST = 16
"""Passages of the first batch where time is short: how long one takes is not known yet."""

LEASE_S = 120
"""Far longer than a batch takes; after a crash somebody else goes on when it is over."""

RETRY_S = 300
"""A text that failed is tried again after this long."""

HOPELESS = 3
"""So many texts that fail in a row, and none that does not: it is the model, not the texts."""

IDLE_S = 30.0
"""A worker without work looks again after this long, for what failed and may be tried again."""

PATIENCE_S = 5.0
"""How long a worker that was told to stop may take to finish its batch."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`done` of `total` passages have a vector; `rate` is passages a second since the run began."""

    done: int
    total: int
    rate: float


@dataclass(frozen=True, slots=True)
class Embedded:
    """What a run did, in passages: `done` got a vector, `failed` were tried and got none, `waiting`
    have none at its end. `reason` is that of the last failure, "" when there was none."""

    done: int
    failed: int
    waiting: int
    reason: str


def ignore(pace: Pace) -> None:
    """Nobody watches."""


def register(store: Store, embedder: Embedder, choice: str, *, now: datetime) -> None:
    """Make the model known to the store, so that passages wait for it. One that is active or fills
    already, by the same choice, is left as it is. Raises ModelError when the model must be asked
    for its dimensions and cannot be."""
    with store.snapshot() as view:
        known = view.survey(Models())
    in_use = {(model.name, model.choice) for model in known if model.state != "idle"}
    if (embedder.name, choice) not in in_use:
        store.commit(Batch(now=now, use=Model(embedder.name, choice, embedder.dims)))


def embed_waiting(
    store: Store,
    embedder: Embedder,
    *,
    clock: Callable[[], datetime],
    owner: str,
    seconds: float | None = None,
    stop: threading.Event | None = None,
    progress: Callable[[Pace], None] = ignore,
    timer: Callable[[], float] = time.monotonic,
) -> Embedded:
    """Embed what waits for this model, a commit for each batch, until nothing can be leased.

    It ends earlier when `seconds` are about to be over, when `stop` is set, when a server is away,
    or when the model fails for every text; a batch that has begun is finished. What was leased and
    not tried is given back, whatever ends the run. Raises NoModel, and what the store raises; any
    other ModelError is a `reason` in the result. An exception from `progress` stops the run and
    loses nothing.
    """
    total = _waiting(store, embedder.name)
    allowance = _Allowance(timer, seconds, stop)
    run = _Run(store, embedder, clock, owner, allowance)
    progress(Pace(0, total, 0.0))
    while not run.hopeless and (size := allowance.size()):
        begun = timer()
        count = run.batch(size)
        if not count:
            break
        allowance.measured(count, timer() - begun)
        progress(Pace(run.done, max(total, run.done), run.done / allowance.elapsed()))
    return Embedded(run.done, run.failed, _waiting(store, embedder.name), run.reason)


def _waiting(store: Store, model: str) -> int:
    with store.snapshot() as view:
        return sum(view.survey(Waiting(model)).values())


class _Allowance:
    """How many passages the next batch may have, by the time that is left and the rate so far."""

    def __init__(
        self, timer: Callable[[], float], seconds: float | None, stop: threading.Event | None
    ) -> None:
        self._timer = timer
        self._seconds = seconds
        self._stop = stop
        self._begun = timer()
        self._rate: float | None = None

    def elapsed(self) -> float:
        """Since the run began; never 0, so that it can be divided by."""
        return max(self._timer() - self._begun, 1e-6)

    def over(self) -> bool:
        stopped = self._stop is not None and self._stop.is_set()
        return stopped or (self._seconds is not None and self.elapsed() >= self._seconds)

    def size(self) -> int:
        if self.over():
            return 0
        if self._seconds is None:
            return BATCH
        if self._rate is None:
            return FIRST
        return min(BATCH, int(self._rate * (self._seconds - self.elapsed())))

    def measured(self, count: int, seconds: float) -> None:
        # The last batch only: the first one also waits until the model is loaded.
        self._rate = count / max(seconds, 1e-6)


class _Run:
    """One run over the queue of a model; it counts what became of the passages."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        clock: Callable[[], datetime],
        owner: str,
        allowance: _Allowance,
    ) -> None:
        self.done = 0
        self.failed = 0
        self.reason = ""
        self.hopeless = False
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._owner = owner
        self._allowance = allowance
        self._in_a_row = 0

    def batch(self, limit: int) -> int:
        """Lease, embed and commit at most `limit` passages; how many there were."""
        now = self._clock()
        until = now + timedelta(seconds=LEASE_S)
        tasks = self._store.lease(
            self._embedder.name, self._owner, now=now, until=until, limit=limit
        )
        if tasks:
            try:
                self._commit(*self._embed(tasks))
            except BaseException:
                # Also after an interrupt: nobody should wait for the end of a lease without work.
                with suppress(PinyonError):
                    self._commit([], [self._untried(task) for task in tasks])
                raise
        return len(tasks)

    def _embed(self, tasks: Sequence[Task]) -> tuple[list[Vector], list[Failure]]:
        try:
            if len(tasks) > 1:
                try:
                    made = self._vectors(tasks)
                except (NoModel, ProviderError):
                    raise
                except ModelError:
                    return self._one_by_one(tasks)
                self._in_a_row = 0
                return made, []
            return self._one_by_one(tasks)
        except ProviderError as error:
            if not _away(error):
                return self._one_by_one(tasks)
            # No text is to blame, so none of them counts an attempt.
            self.hopeless, self.reason = True, str(error)
            return [], [self._untried(task) for task in tasks]

    def _one_by_one(self, tasks: Sequence[Task]) -> tuple[list[Vector], list[Failure]]:
        """One bad text does not take the others with it."""
        # The shortest first: it is the least likely to be what a model cannot take.
        left = sorted(tasks, key=lambda task: (len(task.text), task.passage), reverse=True)
        made: list[Vector] = []
        failures: list[Failure] = []
        while left and not self._allowance.over():
            task = left.pop()
            try:
                made += self._vectors([task])
                self._in_a_row = 0
            except NoModel:
                raise
            except ModelError as error:
                if isinstance(error, ProviderError) and _away(error):
                    raise
                failures.append(self._failure(task, error))
                self._in_a_row += 1
                if self._in_a_row >= HOPELESS and not made:
                    self.hopeless = True
                    return [], [*failures, *(self._failure(other, error) for other in left)]
        return made, [*failures, *(self._untried(task) for task in left)]

    def _vectors(self, tasks: Sequence[Task]) -> list[Vector]:
        import numpy as np

        rows = self._embedder.embed_passages([task.text for task in tasks])
        # An embedder promises as much; a vector that is wrong would stay in the store for good.
        if rows.shape != (len(tasks), self._embedder.dims) or rows.dtype != np.float32:
            raise self._broken(f"vectors of {rows.dtype} and shape {rows.shape}")
        with np.errstate(over="ignore", invalid="ignore"):
            lengths = np.linalg.norm(rows, axis=1)
        if not (np.abs(lengths - 1) < 1e-3).all():  # false for what is not finite, too
            raise self._broken("a vector that is not of length 1")
        return [
            Vector(task.passage, task.digest, row.tobytes())
            for task, row in zip(tasks, rows, strict=True)
        ]

    def _broken(self, what: str) -> BrokenModel:
        return BrokenModel(
            f"the model {self._embedder.name} gave {what}",
            remedy="choose another model with pinyon model use",
        )

    def _failure(self, task: Task, error: ModelError) -> Failure:
        pause = timedelta(seconds=RETRY_S)
        return Failure(task.passage, task.digest, str(error), self._clock() + pause)

    def _untried(self, task: Task) -> Failure:
        return Failure(task.passage, task.digest, "", self._clock())

    def _commit(self, made: Sequence[Vector], failures: Sequence[Failure]) -> None:
        name = self._embedder.name
        self._store.commit(
            Batch(
                now=self._clock(),
                vectors={name: made} if made else {},
                failures={name: failures} if failures else {},
            )
        )
        tried = [failure for failure in failures if failure.reason]
        self.done += len(made)
        self.failed += len(tried)
        if tried:
            self.reason = tried[-1].reason


def _away(error: ProviderError) -> bool:
    """Whether a server answers nobody now, or not us: it is busy or away, or refuses the key."""
    return error.retryable or error.status in {401, 403}


class Worker:
    """A thread that works behind the saves of a process that lives long.

    `run` is called with an event that tells it to stop; it does all the work that there is. There
    is no thread before the first `wake`. `problem` is what the last run ended with, "" when it went
    well. Any number of threads may use one worker.
    """

    def __init__(self, run: Callable[[threading.Event], object], *, idle_s: float = IDLE_S) -> None:
        self.problem = ""
        self._run = run
        self._idle_s = idle_s
        self._stop = threading.Event()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._wanted = False
        self._running = False
        self._closed = False

    def wake(self) -> None:
        """There is work. Never waits for it and never raises; does nothing after a close."""
        with self._changed:
            if self._closed:
                return
            self._wanted = True
            self._changed.notify_all()
            if self._thread is None or not self._thread.is_alive():
                thread = threading.Thread(target=self._work, name="pinyon-embed", daemon=True)
                try:
                    thread.start()
                except RuntimeError as error:  # no more threads, or the interpreter is ending
                    self.problem = str(error)
                else:
                    self._thread = thread

    def close(self, seconds: float = 0.0) -> bool:
        """Let the work go on for at most so long, then stop it. Waits a few seconds more for the
        batch that has begun; whether it has ended by then. A second close does the same."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(self._resting, timeout=seconds)
            self._stop.set()
            self._changed.notify_all()
            thread = self._thread
        if thread is None:
            return True
        thread.join(PATIENCE_S)
        return not thread.is_alive()

    def _resting(self) -> bool:
        return self._thread is None or not (self._wanted or self._running)

    def _work(self) -> None:
        try:
            while self._begin():
                problem = ""
                try:
                    self._run(self._stop)
                except Exception as error:  # whatever it is, the process lives on and can say it
                    problem = str(error) or repr(error)
                with self._changed:
                    self.problem = problem
                    self._running = False
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._thread = None
                self._running = False
                self._changed.notify_all()

    def _begin(self) -> bool:
        """Wait for work, or until it is time to look again; False when it is time to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._wanted or self._stop.is_set(), self._idle_s)
            self._running = not self._stop.is_set()
            self._wanted = False
            return self._running
