"""The write-ahead log: readers may be many and slow, and it does not stay long because of them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pinyon.store.sqlite import SqliteStore, connect, shorten
from tests.store.world import fetched, record, save

SMALL = 200_000
"""Bytes that are kept of the log, so that these tests need not write megabytes."""

READERS, COMMITS = 3, 30
PAGES = "amber " * 10_000


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "MOST_LOG", SMALL)
    monkeypatch.setattr(shorten, "LONGEST", 2 * SMALL)


def save_one(store: SqliteStore, number: int) -> int:
    """The size of the log after it."""
    save(store, record(f"r{number}", body=PAGES))
    return size(store)


@contextmanager
def overlapping(store: SqliteStore) -> Iterator[None]:
    """Each reader goes only when the next one has come."""
    over = threading.Event()
    came = [threading.Semaphore(0) for _ in range(READERS)]

    def read(number: int) -> None:
        while not over.is_set():
            with store.snapshot() as view:
                came[number].release()
                view.fetch(["first"])
                came[number - 1].acquire(timeout=1)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(READERS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def size(store: SqliteStore) -> int:
    return Path(f"{store.path}-wal").stat().st_size


@pytest.mark.proves("X9", part="proof")
def test_readers_that_are_never_all_gone_do_not_make_the_log_grow(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "busy.pinyon")
    save(store, record("first"))
    with overlapping(store):
        sizes = [save_one(store, number) for number in range(COMMITS)]
    assert max(sizes) < sum(len(PAGES) for _ in sizes) / 2
    assert store.examine() == []
    store.close()


@pytest.mark.proves("X9", part="proof")
def test_a_reader_that_stays_keeps_its_moment_and_the_log_is_short_when_it_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shorten, "READERS_MS", 1)  # in vain: the reader is this thread
    store = SqliteStore(tmp_path / "held.pinyon")
    save(store, record("first"))
    with store.snapshot() as view:
        held = [save_one(store, number) for number in range(10)][-1]
        assert [each.id for each in view.records()] == ["first"]
    assert held > 10 * len(PAGES)
    save_one(store, 11)
    assert size(store) <= 2 * SMALL
    assert len(fetched(store, "first", *(f"r{number}" for number in range(10)))) == 11
    store.close()
