"""A disk that is full, or that may not be written: a clear error, and the data as it was."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import pinyon
from pinyon.model.errors import FullDisk
from pinyon.store.sqlite import SqliteStore
from tests.faults.child import run
from tests.store.world import commit, fetched, record, save

posix = pytest.mark.skipif(os.name != "posix", reason="limits and permissions of POSIX")
LARGE = "words that fill the disk " * 20_000

UNPRIVILEGED = """
import tempfile
with tempfile.TemporaryDirectory() as folder, pinyon.open(folder + "/warm.pinyon") as engine:
    engine.save(Record(id="x"))  # everything is imported while Python itself can be read
    engine.search("x")
if os.getuid() == 0:  # root is stopped by no permission
    os.setgid(65534)
    os.setuid(65534)
try:
    with pinyon.open(path) as engine:
        print([hit.id for hit in engine.search("amber")])
        engine.save(Record(id="hen"))
        print("saved")
except PinyonError as error:
    print(type(error).__name__, bool(error.remedy))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that any user can reach and nobody can write into, once `lock` is called."""
    for parent in (tmp_path, *tmp_path.parents):
        if parent.stat().st_uid == os.getuid() and not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | stat.S_IXOTH)
    place = tmp_path / "locked"
    place.mkdir(mode=0o755)
    yield place
    place.chmod(0o755)


def stored(folder: Path) -> Path:
    path = folder / "fox.pinyon"
    with pinyon.open(path) as engine:
        engine.save(pinyon.Record(id="fox", body="amber"))
    return path


@posix
def test_a_store_in_a_folder_that_cannot_be_written_can_be_read(folder: Path) -> None:
    path = stored(folder)
    path.chmod(0o444)
    folder.chmod(0o555)
    before = path.read_bytes()
    assert run(UNPRIVILEGED, path).splitlines() == ["['fox']", "ReadOnlyStore True"]
    assert path.read_bytes() == before
    assert list(folder.iterdir()) == [path]


@posix
def test_a_store_that_cannot_be_written_can_be_read(folder: Path) -> None:
    path = stored(folder)
    path.chmod(0o444)
    folder.chmod(0o777)
    assert run(UNPRIVILEGED, path).splitlines() == ["['fox']", "ReadOnlyStore True"]


@posix
@pytest.mark.parametrize("mode", [0o555, 0o000])
def test_a_store_cannot_be_made_where_nothing_can_be_written(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    assert run(UNPRIVILEGED, folder / "new.pinyon") == "ReadOnlyStore True\n"
    assert run(UNPRIVILEGED, folder / "deeper" / "new.pinyon") == "ReadOnlyStore True\n"


@posix
def test_a_store_that_may_not_be_read_is_refused(folder: Path) -> None:
    path = stored(folder)
    path.chmod(0o000)
    assert run(UNPRIVILEGED, path) == "ReadOnlyStore True\n"


@posix
def test_a_disk_that_takes_no_more_refuses_the_save_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "full.pinyon"
    program = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
kept = []
with pinyon.open(path) as engine:
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
    try:
        for at in range(1000):
            kept.append(engine.save(Record(id=f"r{at}", body=f"amber {at} " * 2000)))
    except PinyonError as error:
        print(type(error).__module__, bool(error.remedy), "raw" in str(error))
    assert len(engine.get(*kept)) == len(kept)
print(*kept)
"""
    refused, kept = run(program, path).splitlines()
    assert refused == "pinyon.model.errors True False"
    with pinyon.open(path) as engine:
        ids = kept.split()
        assert [found.id for found in engine.get(*ids)] == ids
        assert engine.stats().documents == len(ids) > 0
        assert engine.examine() == []


def test_a_full_disk_is_called_so_and_the_store_goes_on_when_there_is_room(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "full.pinyon")
    save(store, record("fox", body="amber"))
    writer = store._connected()
    pages = writer.pragma("page_count")
    writer.pragma("max_page_count", pages)  # SQLite's own way to have a full disk
    with pytest.raises(FullDisk, match="nothing was written"):
        save(store, record("large", body=LARGE), record("small"))
    assert fetched(store, "fox", "large", "small") == {"fox": record("fox", body="amber")}
    writer.pragma("max_page_count", 1_000_000)
    save(store, record("small"))
    commit(store, forget=["fox"])
    assert (list(fetched(store, "fox", "small")), store.examine()) == (["small"], [])
    store.close()
