"""A migration or a backup may be killed at any moment: the store is as it was or as it should be, a
copy is whole or not there, and what a dead one left is cleared away by the next."""

import os
import shutil
import time
from pathlib import Path

import apsw
import pytest

import pinyon
from pinyon.store.sqlite.connect import MIGRATIONS
from tests.faults.kill import Reach, chances, killed
from tests.faults.length import lasting

OLD = sorted((Path(__file__).parents[1] / "upgrade").glob("*.pinyon"))[: len(MIGRATIONS) - 1]
TRIES, BACKUPS = lasting(1, 12), lasting(4, 40)
"""Kills: of a migration, for each older version; of a backup."""

HOUR = 3600


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_a_killed_migration_is_undone_or_finished_by_the_next_open(
    tmp_path: Path, old: Path
) -> None:
    chance = chances(f"migration {old.stem}")
    calm = Path(shutil.copy(old, tmp_path / "calm"))
    with pinyon.open(calm, create=False, background=False) as engine:
        expected = list(engine.export())
    for kill in range(TRIES):
        folder = tmp_path / f"{kill}"
        folder.mkdir()
        path = Path(shutil.copy(old, folder / "old.pinyon"))
        reach = Reach(lines=1, seconds=0.15, steps=200, commits=2)
        killed(chance, reach, "migrate", path)
        for copy in folder.glob("*.backup"):
            assert content(copy, "content") == content(old, "content")
        with pinyon.open(path, create=False, background=False) as engine:
            assert engine.examine() == []
            assert list(engine.export()) == expected
            engine.save(pinyon.Record(id="after"))
        assert {file.name for file in folder.iterdir()} <= {
            "old.pinyon",
            *(f"old.pinyon.v{steps}.backup" for steps in range(1, 10)),
        }


def test_a_killed_backup_leaves_the_copy_before_it_or_a_whole_one(tmp_path: Path) -> None:
    path, target = tmp_path / "live.pinyon", tmp_path / "copies" / "copy.pinyon"
    chance = chances("backup")
    with pinyon.open(path, background=False) as engine:
        for number in range(50):
            engine.save(pinyon.Record(id=f"r{number}", body=f"amber {number} " * 500))
    least = 0
    for _ in range(BACKUPS):
        reach = Reach(lines=5, seconds=0.1, steps=400, commits=8)
        said = killed(chance, reach, "backup", path, target)
        copied = [int(line.split()[1]) for line in said if line.startswith("did")]
        least = max([least, *copied])
        if target.exists():
            look = Path(shutil.copy(target, tmp_path / "look"))
            with pinyon.open(look, create=False, background=False) as engine:
                assert engine.examine() == []
                assert engine.stats().documents >= least
        else:
            assert least == 0
        with pinyon.open(path, background=False) as engine:
            assert engine.examine() == []
            assert engine.stats().documents >= 50
    then = time.time() - HOUR
    for left in target.parent.iterdir():
        os.utime(left, (then, then))
    with pinyon.open(path, background=False) as engine:
        engine.backup(target, replace=True)
    assert list(target.parent.iterdir()) == [target]


def content(path: Path, table: str) -> list[object]:
    database = apsw.Connection(f"{path.as_uri()}?immutable=1", flags=_READ_ONLY)
    rows: list[object] = list(database.execute(f"SELECT * FROM {table} ORDER BY 1"))
    database.close()
    return rows


_READ_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
