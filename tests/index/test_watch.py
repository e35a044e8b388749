"""Watching: real files and real events; each wait ends as soon as what it waits for has come."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pinyon.index.pipeline import Report, index_folder
from pinyon.index.watch import EMPTY, TAKEN, Claims, Pace, watch
from pinyon.model.errors import StoreError
from pinyon.model.query import FIELDS, Filters, Lexical
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from tests.index.folders import NOW, texts, write
from tests.store.world import phrase

PATIENCE_S = 10.0
QUICK = Pace(quiet=0.05, most=0.5, look=0.05, again=3600.0)


@dataclass
class Watching:
    """A watch in a thread, and what it said so far."""

    store: Store
    reports: list[Report] = field(default_factory=list)
    troubles: list[tuple[str, str]] = field(default_factory=list)
    begun: int = 0

    def bodies(self) -> set[str]:
        """What the notes say; the records of files themselves are left out."""
        found = texts(self.store).values()
        return {record.body.strip() for record in found if record.kind != "file"}

    def comes(self, condition: Callable[[], bool]) -> None:
        """Wait until it holds; fail after PATIENCE_S."""
        tick = threading.Event()
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end, (self.bodies(), self.troubles, self.reports)
            tick.wait(0.01)

    def settled(self, *bodies: str) -> None:
        self.comes(lambda: self.bodies() == set(bodies))


@contextmanager
def watching(
    *roots: Path,
    locks: Path,
    store: Store | None = None,
    run: Callable[[Path], Report] | None = None,
    pace: Pace = QUICK,
) -> Iterator[Watching]:
    one = Watching(store or MemoryStore())
    stop = threading.Event()

    def index(root: Path) -> Report:
        one.begun += 1
        return run(root) if run else index_folder(one.store, root, now=NOW)

    thread = threading.Thread(
        target=watch,
        args=(roots, index),
        kwargs={
            "on_report": one.reports.append,
            "on_trouble": lambda root, why: one.troubles.append((root.name, why)),
            "stop": stop,
            "wanted": lambda name: name.endswith((".md", ".gitignore")),
            "claims": Claims(locks, "store"),
            "pace": pace,
        },
    )
    thread.start()
    try:
        yield one
    finally:
        stop.set()
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the off switch does not work"


@pytest.fixture
def locks(tmp_path: Path) -> Path:
    return tmp_path / "locks"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return write(tmp_path / "notes", {"a.md": "amber", "sub/b.md": "birch"})


@pytest.mark.proves("X7")
def test_a_saved_file_is_found_by_its_words(notes: Path, locks: Path) -> None:
    with watching(notes, locks=locks) as one:
        one.settled("amber", "birch")
        write(notes, {"c.md": "cedar"})
        one.settled("amber", "birch", "cedar")
        with one.store.snapshot() as view:
            weights = dict.fromkeys(FIELDS, 1.0)
            asked = Lexical(phrase("cedar"), weights, filters=Filters(), limit=5)
            (found,) = view.retrieve([asked])
    assert [match.id for match in found.matches] == ["notes/c.md"]


@pytest.mark.proves("X7")
def test_changes_renames_and_deletions_are_followed(notes: Path, locks: Path) -> None:
    with watching(notes, locks=locks) as one:
        one.settled("amber", "birch")
        (notes / "a.md").write_text("alder", encoding="utf-8")
        one.settled("alder", "birch")
        (notes / "a.md").rename(notes / "z.md")
        one.comes(lambda: "notes/z.md" in texts(one.store))
        (notes / "sub" / "b.md").unlink()
        one.settled("alder")
    assert {id for id in texts(one.store) if not id.startswith("file:")} == {"notes/z.md"}


@pytest.mark.proves("X7")
def test_folders_that_are_made_moved_and_removed_are_followed(
    notes: Path, tmp_path: Path, locks: Path
) -> None:
    with watching(notes, locks=locks) as one:
        one.settled("amber", "birch")
        write(notes, {"new/deep/c.md": "cedar"})
        one.settled("amber", "birch", "cedar")
        (notes / "new" / "deep" / "c.md").write_text("cypress", encoding="utf-8")
        one.settled("amber", "birch", "cypress")
        (notes / "new").rename(tmp_path / "outside")
        one.settled("amber", "birch")
        (tmp_path / "outside").rename(notes / "back")
        one.settled("amber", "birch", "cypress")
        shutil.rmtree(notes / "back")
        one.settled("amber", "birch")


@pytest.mark.proves("X7")
def test_a_burst_of_thousands_of_files_is_a_few_runs(notes: Path, locks: Path) -> None:
    slow = Pace(quiet=0.3, most=30.0, look=1.0, again=3600.0)
    counted: list[int] = []

    def count(root: Path) -> Report:
        counted.append(sum(1 for _ in root.rglob("*.md")))
        return Report("notes", 0, 0, 0, 0, 0, 0, (), ())

    with watching(notes, locks=locks, run=count, pace=slow) as one:
        one.comes(lambda: len(one.reports) == 1)
        write(notes, {f"d{at % 40}/{at}.md": "x" for at in range(3000)})
        one.comes(lambda: counted[-1] == 3002)
    # One for all of them; where the machine pauses longer than `quiet` in the burst, some more.
    assert len(counted) <= 6


def test_what_is_not_read_does_not_wake_anybody(notes: Path, locks: Path) -> None:
    write(notes, {".git/index": "x", "data.bin": "x"})
    with watching(notes, locks=locks) as one:
        one.settled("amber", "birch")
        before = one.begun
        write(notes, {".git/index": "y", ".git/new": "y", "data.bin": "y", ".hidden": "y"})
        # Events come in their order: when this one has, the others have.
        write(notes, {"c.md": "cedar"})
        one.settled("amber", "birch", "cedar")
        one.comes(lambda: len(one.reports) > before)
    assert one.begun - before <= 2


def test_a_changed_ignore_file_is_followed(notes: Path, locks: Path) -> None:
    with watching(notes, locks=locks) as one:
        one.settled("amber", "birch")
        write(notes, {".gitignore": "sub/\n"})
        one.settled("amber")


def test_a_link_out_of_the_folder_is_not_followed(notes: Path, tmp_path: Path, locks: Path) -> None:
    outside = write(tmp_path / "outside", {"o.md": "oak"})
    try:
        (notes / "link").symlink_to(outside, target_is_directory=True)
        (notes / "loop").symlink_to(notes, target_is_directory=True)
    except OSError:
        pytest.skip("links cannot be made here")
    with watching(notes, locks=locks) as one:
        one.settled("amber", "birch")
        before = one.begun
        write(outside, {"o.md": "olive"})
        write(notes, {"c.md": "cedar"})
        one.settled("amber", "birch", "cedar")
    assert one.begun - before <= 2


@pytest.mark.proves("X7")
def test_a_single_file_is_watched_through_every_way_of_saving_it(
    tmp_path: Path, locks: Path
) -> None:
    file = write(tmp_path / "docs", {"plan.md": "amber"}) / "plan.md"
    with watching(file, locks=locks) as one:
        one.settled("amber")
        file.write_text("birch", encoding="utf-8")
        one.settled("birch")
        write(tmp_path / "docs", {"plan.md~": "cedar"})
        (tmp_path / "docs" / "plan.md~").replace(file)
        one.settled("cedar")
        file.write_text("date palm", encoding="utf-8")
        one.settled("date palm")


@pytest.mark.proves("X7")
def test_a_folder_that_is_away_keeps_its_records_and_is_followed_when_it_is_back(
    notes: Path, tmp_path: Path, locks: Path
) -> None:
    with watching(notes, locks=locks) as one:
        one.settled("amber", "birch")
        notes.rename(tmp_path / "away")
        one.comes(lambda: len(one.troubles) == 1)
        assert one.bodies() == {"amber", "birch"}
        (tmp_path / "away").rename(notes)
        one.comes(lambda: len(one.troubles) == 2)
        write(notes, {"c.md": "cedar"})
        one.settled("amber", "birch", "cedar")
    (gone, back) = one.troubles
    assert gone[0] == "notes"
    assert gone[1].startswith("cannot be read: ")
    assert back == ("notes", "")


@pytest.mark.proves("X7")
def test_an_empty_folder_where_a_full_one_was_is_not_a_deleted_tree(
    notes: Path, tmp_path: Path, locks: Path
) -> None:
    # As after an unmount: the mount point is another folder, and there is nothing in it.
    (tmp_path / "mount point").mkdir()
    with watching(notes, locks=locks) as one:
        one.settled("amber", "birch")
        notes.rename(tmp_path / "disk")
        (tmp_path / "mount point").rename(notes)
        one.comes(lambda: ("notes", EMPTY) in one.troubles)
        assert one.bodies() == {"amber", "birch"}
        notes.rmdir()
        (tmp_path / "disk").rename(notes)
        one.comes(lambda: one.troubles[-1] == ("notes", ""))
        assert one.bodies() == {"amber", "birch"}


def test_a_folder_that_is_empty_at_the_start_deletes_nothing(notes: Path, locks: Path) -> None:
    store = MemoryStore()
    index_folder(store, notes, now=NOW)
    shutil.rmtree(notes)
    notes.mkdir()
    with watching(notes, locks=locks, store=store) as one:
        one.comes(lambda: one.troubles == [("notes", EMPTY)])
        assert one.bodies() == {"amber", "birch"}
        write(notes, {"c.md": "cedar"})
        one.settled("cedar")


def test_a_folder_whose_files_were_all_deleted_is_empty_in_the_store(
    notes: Path, locks: Path
) -> None:
    with watching(notes, locks=locks) as one:
        one.settled("amber", "birch")
        shutil.rmtree(notes / "sub")
        (notes / "a.md").unlink()
        one.settled()
    assert one.troubles == []


@pytest.mark.proves("X7")
def test_a_folder_has_one_watcher_and_the_next_takes_over(notes: Path, locks: Path) -> None:
    store = MemoryStore()
    with ExitStack() as first:
        one = first.enter_context(watching(notes, notes, locks=locks, store=store))
        one.settled("amber", "birch")
        with watching(notes, locks=locks, store=store) as other:
            other.comes(lambda: other.troubles == [("notes", TAKEN)])
            assert other.begun == 0
            first.close()
            other.comes(lambda: other.troubles[1:] == [("notes", "")])
            write(notes, {"c.md": "cedar"})
            other.settled("amber", "birch", "cedar")
    assert one.troubles == []


@pytest.mark.proves("X7")
def test_the_claim_of_a_process_that_was_killed_is_free(notes: Path, locks: Path) -> None:
    program = (
        "import pathlib, sys\n"
        "from pinyon.index.watch import Claims\n"
        "claims = Claims(pathlib.Path(sys.argv[1]), 'store')\n"
        "print(claims.take(pathlib.Path(sys.argv[2])), flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(locks), str(notes.resolve())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline().split() == [b"True"]
        mine = Claims(locks, "store")
        assert not mine.take(notes.resolve())
        elsewhere = Claims(locks, "another store")
        assert elsewhere.take(notes.resolve())
        elsewhere.release(notes.resolve())
        child.kill()
        child.wait(PATIENCE_S)
        assert mine.take(notes.resolve())
    mine.release(notes.resolve())


def test_a_run_that_fails_is_told_once_and_tried_again(notes: Path, locks: Path) -> None:
    busy = [True] * 3

    def run(root: Path) -> Report:
        if busy and busy.pop():
            raise StoreError("the store is busy", remedy="wait")
        return Report("notes", 2, 0, 0, 0, 0, 2, (), ())

    with watching(notes, locks=locks, run=run) as one:
        one.comes(lambda: len(one.reports) == 1)
    assert one.troubles == [("notes", "the store is busy (wait)"), ("notes", "")]


def test_a_disk_that_sends_no_events_is_read_now_and_then(notes: Path, locks: Path) -> None:
    often = Pace(quiet=0.05, most=0.5, look=0.05, again=0.1)
    with watching(notes, locks=locks, pace=often) as one:
        one.comes(lambda: len(one.reports) >= 3)
    assert [each.unchanged for each in one.reports[1:]] == [2] * (len(one.reports) - 1)


def test_without_a_place_for_locks_a_folder_is_watched_all_the_same(
    notes: Path, tmp_path: Path
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_bytes(b"")
    with watching(notes, locks=blocked) as one:
        one.settled("amber", "birch")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs permissions as POSIX has them")
def test_a_folder_below_that_is_closed_to_us_does_not_stop_the_rest(
    notes: Path, locks: Path
) -> None:
    if os.getuid() == 0:
        pytest.skip("root may read everything")
    (notes / "sub").chmod(0)
    try:
        with watching(notes, locks=locks) as one:
            one.settled("amber")
            write(notes, {"c.md": "cedar"})
            one.settled("amber", "cedar")
    finally:
        (notes / "sub").chmod(0o700)
