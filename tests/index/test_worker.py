"""Worker: a thread that works behind the saves, and is gone when it is told to go."""

import threading
from collections.abc import Callable

import pytest

from pinyon.index.embed import Worker

LONG_S = 30.0
"""Nothing here takes so long, unless it hangs."""


class Work:
    """A run that says when it began, and ends when it is let go or told to stop."""

    def __init__(self, *, held: bool = False, trouble: BaseException | None = None) -> None:
        self.begun = threading.Semaphore(0)
        self.go = threading.Event()
        self.threads: list[threading.Thread] = []
        self.stopped: list[bool] = []
        self.trouble = trouble
        if not held:
            self.go.set()

    def __call__(self, stop: threading.Event) -> None:
        self.threads.append(threading.current_thread())
        self.begun.release()
        assert self.go.wait(LONG_S)
        self.stopped.append(stop.is_set())
        if self.trouble:
            raise self.trouble

    def wait(self) -> None:
        """Until another run has begun."""
        assert self.begun.acquire(timeout=LONG_S)


def test_there_is_no_thread_before_there_is_work() -> None:
    before = threading.active_count()
    work = Work()
    worker = Worker(work)
    assert threading.active_count() == before
    worker.wake()
    work.wait()
    assert work.threads[0] is not threading.current_thread()
    assert work.threads[0].daemon
    assert worker.close(LONG_S)
    assert threading.active_count() == before


def test_work_that_comes_while_it_works_is_done_after_that_by_the_same_thread() -> None:
    work = Work(held=True)
    worker = Worker(work)
    worker.wake()
    work.wait()
    for _ in range(5):
        worker.wake()
    work.go.set()
    work.wait()
    assert worker.close(LONG_S)
    assert len(work.threads) == 2
    assert len(set(work.threads)) == 1


def test_work_that_comes_later_wakes_it_again() -> None:
    work = Work()
    worker = Worker(work)
    for _ in range(3):
        worker.wake()
        work.wait()
    assert worker.close(LONG_S)
    assert len(work.threads) == 3


def test_it_looks_again_after_a_while_for_what_may_be_tried_again() -> None:
    work = Work()
    worker = Worker(work, idle_s=0.001)
    worker.wake()
    for _ in range(3):
        work.wait()
    assert worker.close(LONG_S)


@pytest.mark.proves("B2")
def test_a_problem_is_kept_and_the_next_work_is_done_all_the_same() -> None:
    work = Work(trouble=ValueError("it broke"))
    worker = Worker(work, idle_s=LONG_S)
    worker.wake()
    work.wait()
    until(lambda: worker.problem == "it broke")
    work.trouble = None
    worker.wake()
    work.wait()
    assert worker.close(LONG_S)
    assert worker.problem == ""


def test_a_problem_without_words_is_named_by_its_kind() -> None:
    work = Work(trouble=RuntimeError())
    worker = Worker(work)
    worker.wake()
    assert worker.close(LONG_S)
    assert worker.problem == "RuntimeError()"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_is_to_end_a_thread_ends_it_and_the_next_work_has_a_new_one() -> None:
    work = Work(trouble=KeyboardInterrupt())
    worker = Worker(work)
    worker.wake()
    work.wait()
    work.threads[0].join(LONG_S)
    work.trouble = None
    worker.wake()
    work.wait()
    assert worker.close(LONG_S)
    assert len(set(work.threads)) == 2


def test_a_close_with_time_lets_the_work_end() -> None:
    work = Work(held=True)
    worker = Worker(work)
    worker.wake()
    work.wait()
    worker.wake()
    threading.Timer(0.01, work.go.set).start()
    assert worker.close(LONG_S)
    assert work.stopped == [False, False]


def test_a_close_without_time_tells_the_work_to_stop() -> None:
    stopped = threading.Event()
    begun = threading.Event()

    def until_stopped(stop: threading.Event) -> None:
        begun.set()
        if stop.wait(LONG_S):
            stopped.set()

    worker = Worker(until_stopped)
    worker.wake()
    assert begun.wait(LONG_S)
    assert worker.close(0)
    assert stopped.is_set()


def test_a_close_does_not_wait_for_work_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinyon.index.embed.PATIENCE_S", 0.01)
    work = Work(held=True)
    worker = Worker(work)
    worker.wake()
    work.wait()
    assert not worker.close(0.01)
    work.go.set()
    assert worker.close()


def test_after_a_close_there_is_no_more_work() -> None:
    work = Work()
    worker = Worker(work)
    assert worker.close(LONG_S)
    worker.wake()
    assert worker.close(LONG_S)
    assert work.threads == []


def test_many_threads_may_wake_one_worker() -> None:
    work = Work()
    worker = Worker(work)
    callers = [threading.Thread(target=worker.wake) for _ in range(20)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert worker.close(LONG_S)
    assert len(set(work.threads)) == 1


def test_no_thread_to_be_had_is_a_problem_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    worker = Worker(Work())
    worker.wake()
    assert worker.problem == "can't start new thread"
    assert worker.close(LONG_S)


def until(true: Callable[[], bool]) -> None:
    """Look until it is true, without a pause."""
    for _ in range(10_000_000):
        if true():
            return
    raise AssertionError("it never became true")
