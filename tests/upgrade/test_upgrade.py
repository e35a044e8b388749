"""Stores that older versions wrote open, migrate, and answer as they did."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

import pinyon
from pinyon.model.use import Noted, Use
from pinyon.store.contract import Batch
from pinyon.store.questions import Files, FileState, Model, Models, Size, VectorsOf, Waiting
from pinyon.store.sqlite import SqliteStore, connect

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HERE = Path(__file__).parent


@pytest.fixture(params=sorted(path.name for path in HERE.glob("*.pinyon")))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a store that an older version wrote."""
    return Path(shutil.copy(HERE / request.param, tmp_path / "old.pinyon"))


@pytest.mark.proves("S13")
def test_an_older_store_opens_and_is_sound(old: Path) -> None:
    with pinyon.open(old, create=False) as engine:
        assert engine.examine() == []
        assert sum(engine.stats().kinds.values()) == 41
    assert apsw.Connection(str(old)).pragma("user_version") == len(connect.MIGRATIONS)


@pytest.mark.proves("S13")
def test_an_older_store_answers_as_it_did(old: Path) -> None:
    with pinyon.open(old, create=False) as engine:
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
