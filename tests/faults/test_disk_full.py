"""A disk that is really full: a small file system in memory, where this process may mount one."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pinyon
from pinyon.model.errors import FullDisk, PinyonError
from pinyon.model.record import Record
from tests.faults.length import lasting

ROUNDS = lasting(2, 20)
WORDS = "words that fill the disk "


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of two megabytes."""
    place = tmp_path / "small"
    place.mkdir()
    options = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if (
        not shutil.which("mount")
        or subprocess.run(options, capture_output=True, check=False).returncode
    ):
        pytest.skip("only root may mount; the limit of test_disk.py stands for it")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path) -> Path:
    """Take all the room that is left."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return ballast


def test_a_store_on_a_full_disk_refuses_to_write_and_goes_on_when_there_is_room(
    small: Path,
) -> None:
    path = small / "full.pinyon"
    kept = []
    with pinyon.open(path, background=False) as engine:
        for round in range(ROUNDS):
            kept.append(engine.save(Record(id=f"kept{round}", body=f"amber {round} " * 50)))
            ballast = fill(small)
            changes: list[Callable[[], object]] = [
                lambda: engine.save(Record(id="large", body=WORDS * 8_000), replace=True),
                lambda: engine.update(kept[0], body=WORDS * 8_000),
                lambda: engine.backup(small / "copy"),
            ]
            for change in changes:
                with pytest.raises(FullDisk) as raised:
                    change()
                assert raised.value.remedy
            assert [record.id for record in engine.get(*kept)] == kept
            assert len(engine.search("amber", limit=100)) == len(kept)
            assert sorted(file.name for file in small.iterdir() if "copy" in file.name) == []
            ballast.unlink()
            assert engine.examine() == []
            engine.save(Record(id="large", body=WORDS * 100), replace=True)
    with pinyon.open(path, create=False, background=False) as engine:
        assert engine.examine() == []
        assert [record.id for record in engine.get(*kept)] == kept


def test_a_store_on_a_full_disk_can_be_read_by_who_comes_new(small: Path) -> None:
    path = small / "full.pinyon"
    with pinyon.open(path, background=False) as engine:
        engine.save(Record(id="fox", body="amber"))
    fill(small)
    with pinyon.open(path, create=False, background=False) as engine:
        assert [hit.id for hit in engine.search("amber")] == ["fox"]


def test_a_store_cannot_be_made_on_a_full_disk_and_can_be_afterwards(small: Path) -> None:
    ballast = fill(small)
    with pytest.raises(PinyonError) as raised:
        pinyon.open(small / "new.pinyon", background=False)
    assert raised.value.remedy
    ballast.unlink()
    with pinyon.open(small / "new.pinyon", background=False) as engine:
        engine.save(Record(id="fox", body="amber"))
        assert engine.examine() == []


def test_a_migration_that_finds_no_room_changes_nothing(small: Path) -> None:
    source = Path(__file__).parents[1] / "upgrade" / "v1.pinyon"
    path = Path(shutil.copy(source, small / "old.pinyon"))
    ballast = fill(small)
    with pytest.raises(PinyonError) as raised:
        pinyon.open(path, background=False)
    assert raised.value.remedy
    assert path.read_bytes() == source.read_bytes()
    ballast.unlink()
    with pinyon.open(path, background=False) as engine:
        assert engine.examine() == []
