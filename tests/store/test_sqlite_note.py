"""What searches leave behind is written at once or not at all: no file makes them wait or fail."""

import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from pinyon.model.use import Asked, Noted, Use
from pinyon.store.questions import Feedback, Feedbacks
from pinyon.store.sqlite import SqliteStore, connect
from tests.store.world import NOW, commit, record, save, surveyed, used

NOTED = Noted({"a": Use(1, NOW, 1.0, 30.0, 5.0, 1, NOW)})


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "note.pinyon")
    save(store, record("a"))
    yield store
    store.close()


@pytest.mark.proves("B13")
def test_a_note_waits_for_a_twentieth_of_a_second_at_most() -> None:
    assert connect.NOTE_MS <= 1_000 / 20


@pytest.mark.proves("B13")
def test_nothing_is_noted_while_another_process_writes(file: SqliteStore) -> None:
    other = apsw.Connection(str(file.path))
    other.execute("BEGIN IMMEDIATE")
    assert file.note(NOTED) is False
    other.execute("ROLLBACK")
    other.close()
    assert file.note(NOTED) is True
    assert used(file, ("a",)) == dict(NOTED.used)


@pytest.mark.proves("B13")
def test_nothing_is_noted_while_another_thread_commits(file: SqliteStore) -> None:
    begun, done = threading.Event(), threading.Event()

    def write() -> None:
        with file._transaction():
            begun.set()
            done.wait(10)

    thread = threading.Thread(target=write)
    thread.start()
    begun.wait(10)
    assert file.note(NOTED) is False
    done.set()
    thread.join()
    assert file.note(NOTED) is True


@pytest.mark.proves("B13")
def test_nothing_is_noted_in_a_file_that_cannot_be_written(
    file: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(path: Path) -> apsw.Connection:
        return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)

    monkeypatch.setattr("pinyon.store.sqlite.connect.open_noter", read_only)
    assert file.note(NOTED) is False


@pytest.mark.proves("B13")
def test_nothing_is_noted_on_a_full_disk(
    file: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> apsw.Connection:
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        db.pragma("max_page_count", 1)  # as many as it has
        return db

    monkeypatch.setattr("pinyon.store.sqlite.connect.open_noter", full)
    long = Asked(NOW, "x" * 1_000_000, "default", (), 0, 1.0)
    assert file.note(Noted(NOTED.used, [long])) is False
    assert used(file, ("a",)) == {}


def test_use_and_feedback_of_no_record_are_found_and_removed(file: SqliteStore) -> None:
    assert file.note(NOTED)
    commit(file, feedback=[Feedback(NOW, "a", "accepted")])
    assert file.examine() == []
    broken = apsw.Connection(str(file.path))
    broken.execute("INSERT INTO use SELECT 99, count, used_at, strength, 1, 1, 1, 1 FROM use")
    broken.execute(
        "INSERT INTO feedback VALUES ('default', 'x', 'gone', 'accepted', 0, '{}', '[]')"
    )
    broken.close()
    problems = [finding.problem for finding in file.examine()]
    assert problems == ["use of no record: 1", "feedback to no record: 1"]
    file.rebuild()
    assert file.examine() == []
    assert used(file, ("a",)) == dict(NOTED.used)
    assert [given.id for given in surveyed(file, Feedbacks("default"))] == ["a"]
