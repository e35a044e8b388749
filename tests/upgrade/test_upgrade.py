"""Stores that older versions wrote open, migrate, and answer as they did."""

import random
import shutil
import stat
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

import pinyon
from pinyon.model.errors import NewerStore
from pinyon.model.use import Noted, Use
from pinyon.store.contract import Batch
from pinyon.store.questions import Files, FileState, Model, Models, Size, VectorsOf, Waiting
from pinyon.store.sqlite import SqliteStore, connect
from tests.faults.child import start
from tests.faults.length import lasting

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HERE = Path(__file__).parent
_IMMUTABLE = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


KEPT = sorted(path.name for path in HERE.glob("*.pinyon"))


@pytest.fixture(params=KEPT)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a store that this version or an older one wrote."""
    return Path(shutil.copy(HERE / request.param, tmp_path / "old.pinyon"))


@pytest.fixture(params=[name for name in KEPT if name != f"v{len(connect.MIGRATIONS)}.pinyon"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a store that an older version wrote."""
    return Path(shutil.copy(HERE / request.param, tmp_path / "old.pinyon"))


@pytest.mark.proves("S13")
def test_a_store_of_every_version_is_kept() -> None:
    """Who adds a migration keeps a store of the new version here: open a copy of the last one with
    the new code, and put into it what only the new version can hold."""
    assert [f"v{number + 1}.pinyon" for number in range(len(connect.MIGRATIONS))] == KEPT
    for number, name in enumerate(KEPT, 1):
        header = (HERE / name).read_bytes()[:100]
        assert int.from_bytes(header[60:64], "big") == number  # user_version


@pytest.mark.proves("S13")
def test_an_older_store_opens_and_is_sound(kept: Path) -> None:
    with pinyon.open(kept, create=False) as engine:
        assert engine.examine() == []
        assert sum(engine.stats().kinds.values()) == 41
    assert apsw.Connection(str(kept)).pragma("user_version") == len(connect.MIGRATIONS)


@pytest.mark.proves("S13")
def test_stores_of_every_version_export_the_same(tmp_path: Path) -> None:
    exports = []
    for name in KEPT:
        path = Path(shutil.copy(HERE / name, tmp_path / name))
        with pinyon.open(path, create=False, background=False) as engine:
            exports.append(list(engine.export()))
    assert exports == [exports[0]] * len(KEPT)


@pytest.mark.proves("S13")
def test_an_older_store_answers_as_it_did(kept: Path) -> None:
    with pinyon.open(kept, create=False) as engine:
        hits = [hit.id for hit in engine.search("database", profile="keyword")]
        expected = "wal-mode-article get-user-by-id cache-stampede postgres-upgrade no-orm"
        assert hits == expected.split()
        assert engine.get("retry-policy")[0].title == "Retries, again"
        assert [version.record.version for version in engine.history("retry-policy")] == [1]
        assert [each.record.id for each in engine.related("retry-policy")] == ["wal-mode-article"]
        assert engine.stats().forgotten == 1


@pytest.mark.proves("S13")
def test_every_record_of_an_older_store_waits_to_be_embedded(old: Path) -> None:
    store = SqliteStore(old, create=False)
    store.commit(Batch(now=NOW, use=Model("any", "any", 8)))
    with store.snapshot() as view:
        assert view.survey(Waiting("any")) == {"": view.survey(Size()).passages}
        assert view.survey(Size()).passages >= 41
    store.close()


@pytest.mark.proves("S13")
def test_what_the_third_version_knew_beside_records_is_kept(tmp_path: Path) -> None:
    store = SqliteStore(Path(shutil.copy(HERE / "v3.pinyon", tmp_path / "old.pinyon")))
    read = FileState(
        "a.md", 1, 2, "abc", ("retry-policy",), (("retry-policy", "links", "@a"),), reader=3
    )
    with store.snapshot() as view:
        assert view.settings() == {"colour": "blue"}
        assert view.survey(Files("notes")) == {"a.md": read}
        assert view.survey(Models()) == [Model("tiny@1", "tiny", 4, "active", vectors=5)]
        ids = tuple(record.id for record in view.records())
        assert sum(map(len, view.survey(VectorsOf(ids, "tiny@1")).values())) == 5
    store.close()


@pytest.mark.proves("S13")
def test_an_older_store_counts_what_is_used_from_now_on(old: Path) -> None:
    store = SqliteStore(old, create=False)
    use = Use(1, NOW, 1.0, 30.0, 5.0, 1, NOW)
    with store.snapshot() as view:
        assert view.uses(("retry-policy",)) == {}
    assert store.note(Noted({"retry-policy": use}))
    with store.snapshot() as view:
        assert view.uses(("retry-policy",)) == {"retry-policy": use}
    assert store.examine() == []
    store.close()


@pytest.mark.proves("S13")
def test_an_older_store_is_copied_before_it_is_changed(old: Path) -> None:
    before = old.read_bytes()
    steps = apsw.Connection(str(old)).pragma("user_version")
    pinyon.open(old, create=False, background=False).close()
    kept = old.with_name(f"{old.name}.v{steps}.backup")
    assert apsw.Connection(str(kept)).pragma("user_version") == steps
    first = sorted(_rows(Path(shutil.copy(kept, kept.with_suffix(".copy")))))
    original = old.with_name("original")
    original.write_bytes(before)
    assert first == sorted(_rows(original))
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    written = kept.read_bytes(), kept.stat().st_mtime_ns
    pinyon.open(old, create=False, background=False).close()  # once is enough
    assert (kept.read_bytes(), kept.stat().st_mtime_ns) == written
    with pinyon.open(kept, create=False, background=False) as engine:  # it is a store like any
        assert engine.examine() == []


def test_a_store_of_this_version_is_not_copied(tmp_path: Path) -> None:
    path = Path(shutil.copy(HERE / KEPT[-1], tmp_path / "new.pinyon"))
    pinyon.open(path, create=False, background=False).close()
    assert list(tmp_path.glob("*backup*")) == []


@pytest.mark.parametrize("versions", [1, 2, 100])
def test_a_store_of_a_newer_version_is_refused_and_stays_as_it_is(
    tmp_path: Path, versions: int
) -> None:
    path = Path(shutil.copy(HERE / KEPT[-1], tmp_path / "newer.pinyon"))
    db = apsw.Connection(str(path))
    db.pragma("user_version", len(connect.MIGRATIONS) + versions)
    db.close()
    before = path.read_bytes()
    with pytest.raises(NewerStore) as raised:
        pinyon.open(path, background=False)
    assert "upgrade" in raised.value.remedy
    assert path.read_bytes() == before
    assert list(tmp_path.glob("*backup*")) == []


KILLED = """
import signal
sys.path.insert(0, sys.argv[2])
from tests.faults import vfs
last = int(sys.argv[3])

def killed(disk, call):
    disk.count += call in disk.fault.calls
    if last and disk.count == last:
        os.kill(os.getpid(), signal.SIGKILL)
    return False

vfs.Disk.fails = killed
with vfs.failing_disk(vfs.FAULTS[sys.argv[4]]) as disk:
    pinyon.open(path, create=False, background=False).close()
    print(disk.count)
"""


@pytest.mark.skipif("unix" not in apsw.vfs_names(), reason="a table of POSIX calls")
@pytest.mark.parametrize("what", ["a write that fails", "a file that cannot be removed"])
@pytest.mark.proves("S13")
def test_a_migration_that_is_killed_at_any_write_is_finished_or_undone_by_the_next_open(
    tmp_path: Path, what: str
) -> None:
    source = HERE / KEPT[0]
    chance = random.Random(what)

    def migrated(folder: str, at: int) -> tuple[Path, str]:
        (tmp_path / folder).mkdir()
        path = Path(shutil.copy(source, tmp_path / folder / "old.pinyon"))
        child = start(KILLED, path, HERE.parents[1], str(at), what)
        printed, problems = child.communicate(timeout=60)
        assert problems == ""
        return path, printed

    whole, printed = migrated("whole", 0)
    with pinyon.open(whole, create=False, background=False) as engine:
        expected = list(engine.export())
    total = int(printed)
    for at in sorted(chance.sample(range(1, total + 1), min(total, lasting(3, 60)))):
        path, printed = migrated(f"killed-{at}", at)
        assert printed == ""  # it did not come to its end
        with pinyon.open(path, create=False, background=False) as engine:
            assert engine.examine() == []
            assert list(engine.export()) == expected
        assert list(path.parent.glob(".*")) == []  # no half copy is left
        copy = path.with_name("old.pinyon.v1.backup")
        assert apsw.Connection(str(copy)).execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert sorted(_rows(copy)) == sorted(_rows(source))
        shutil.rmtree(path.parent)


def _rows(path: Path) -> list[str]:
    db = apsw.Connection(f"{path.as_uri()}?immutable=1", flags=_IMMUTABLE)
    found: list[str] = [
        f"{row!r}" for table in ("record", "content", "edge") for row in _all(db, table)
    ]
    db.close()
    return found


def _all(db: apsw.Connection, table: str) -> list[tuple[object, ...]]:
    return list(db.execute(f"SELECT * FROM {table}"))


@pytest.mark.proves("S13")
def test_a_migration_that_breaks_off_has_not_happened_and_is_done_by_the_next_open(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = apsw.Connection(str(old)).pragma("user_version")
    with monkeypatch.context() as patched:
        patched.setattr(connect, "MIGRATIONS", (*connect.MIGRATIONS, "no such file.sql"))
        with pytest.raises(FileNotFoundError):
            pinyon.open(old, create=False, background=False)
    assert apsw.Connection(str(old)).pragma("user_version") == steps
    with pinyon.open(old, create=False, background=False) as engine:
        assert engine.examine() == []
