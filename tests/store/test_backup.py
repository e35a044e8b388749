"""A backup of a live store is a store of one moment, whole or not there at all."""

import os
import stat
import threading
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

import pinyon
from pinyon.model.errors import FullDisk, InvalidInput, ReadOnlyStore
from pinyon.store.contract import Batch
from pinyon.store.sqlite import backup as copying

NOTES = 300


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "notes.pinyon"
    with pinyon.open(path, background=False) as engine:
        for at in range(NOTES):
            engine.save(pinyon.Record(id=f"note-{at}", body=f"amber words {at} " * 20))
        engine.update("note-1", body="changed")
        engine.link("note-1", "follows", "note-2")
        engine.forget("note-3")
    return path


@pytest.mark.proves("X15", part="backup")
def test_a_backup_is_a_sound_store_with_everything(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "deep" / "copy.pinyon"
    pages: list[tuple[int, int]] = []
    with pinyon.open(path, background=False) as engine:
        engine.backup(copy, progress=lambda done, total: pages.append((done, total)))
        whole = list(engine.export())
    assert pages[-1][0] == pages[-1][1] > 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(each.name for each in copy.parent.iterdir()) == ["copy.pinyon"]
    with pinyon.open(copy, create=False, background=False) as engine:
        assert list(engine.export()) == whole
        assert engine.examine() == []
        assert engine.search("amber", limit=5).meta["returned"] == 5
        engine.save(pinyon.Record(id="later", body="a backup can be written, too"))


@pytest.mark.proves("X15", part="backup")
def test_a_backup_under_load_shows_one_moment(path: Path, tmp_path: Path) -> None:
    """Every commit moves one unit between two counters: in any moment they hold the same sum."""
    with pinyon.open(path, background=False) as engine:
        engine.save(pinyon.Record(id="left", extra={"n": 1_000}))
        engine.save(pinyon.Record(id="right", extra={"n": 0}))
        writing, stop = threading.Event(), threading.Event()

        def move() -> None:
            for at in range(100_000):
                if stop.is_set():
                    return
                left, right = engine.get("left", "right")
                moved = [
                    replace(left, extra={"n": left.extra["n"] - 1}),
                    replace(right, extra={"n": right.extra["n"] + 1}),
                ]
                engine._store.commit(Batch(now=engine._clock(), records=moved))
                engine.save(pinyon.Record(id=f"more-{at}", body="amber " * 200))
                writing.set()

        writer = threading.Thread(target=move)
        writer.start()
        try:
            assert writing.wait(30)
            for turn in range(5):
                copy = tmp_path / f"copy-{turn}.pinyon"
                engine.backup(copy)
                with pinyon.open(copy, create=False, background=False) as other:
                    left, right = other.get("left", "right")
                    assert left.extra["n"] + right.extra["n"] == 1_000
                    assert other.examine() == []
        finally:
            stop.set()
            writer.join()


@pytest.mark.proves("X15", part="backup")
def test_an_existing_file_is_written_over_only_when_that_is_said(
    path: Path, tmp_path: Path
) -> None:
    there = tmp_path / "there.txt"
    there.write_text("mine", "utf-8")
    with pinyon.open(path, background=False) as engine:
        with pytest.raises(InvalidInput, match="exists already"):
            engine.backup(there)
        assert there.read_text("utf-8") == "mine"
        engine.backup(there, replace=True)
        for wrong in (path, tmp_path):
            with pytest.raises(InvalidInput):
                engine.backup(wrong, replace=True)
    with (
        pinyon.open(there, create=False, background=False) as copy,
        pinyon.open(path, background=False) as engine,
    ):
        copy.save(pinyon.Record(id="open"))
        with pytest.raises(InvalidInput, match="in use"):
            engine.backup(there, replace=True)
        assert copy.get("open")


def test_a_store_in_memory_has_no_file_to_copy(tmp_path: Path) -> None:
    with pinyon.open(":memory:") as engine, pytest.raises(InvalidInput, match="no file"):
        engine.backup(tmp_path / "copy.pinyon")


def test_a_backup_that_fails_leaves_nothing_behind(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copies" / "copy.pinyon"

    def full(*given: object) -> None:
        raise apsw.FullError

    monkeypatch.setattr(copying, "_settled", full)
    with pinyon.open(path, background=False) as engine, pytest.raises(FullDisk):
        engine.backup(copy)
    assert list(copy.parent.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="permissions are not like this there")
def test_a_place_that_cannot_be_written_is_said(path: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder", "utf-8")
    with pinyon.open(path, background=False) as engine, pytest.raises(ReadOnlyStore):
        engine.backup(blocked / "copy.pinyon")
