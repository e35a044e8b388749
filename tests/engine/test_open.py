"""Opening: which file is the store, what is made of an old one, and which files are refused."""

import os
import sqlite3
from pathlib import Path

import apsw
import pytest

import pinyon
from pinyon.model.errors import NewerStore, NoStore, NotAStore, StoreError
from pinyon.model.record import Record
from pinyon.profiles.load import SHIPPED
from pinyon.settings import profile_folders, store_path
from pinyon.store.sqlite.connect import APPLICATION_ID, MIGRATIONS


def pragmas(path: Path) -> dict[str, object]:
    database = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    names = ("application_id", "user_version", "journal_mode")
    values = {name: database.pragma(name) for name in names}
    database.close()
    return values


def saved(path: Path) -> Path:
    with pinyon.open(path) as engine:
        engine.save(Record(id="fox", body="amber"))
    return path


def found(path: Path) -> list[str]:
    with pinyon.open(path) as engine:
        return [hit.id for hit in engine.search("amber", track=False)]


@pytest.mark.proves("S13")
def test_a_new_store_says_what_it_is_and_its_version(tmp_path: Path) -> None:
    path = saved(tmp_path / "deep" / "down" / "new.pinyon")
    assert pragmas(path) == {
        "application_id": APPLICATION_ID,
        "user_version": len(MIGRATIONS),
        "journal_mode": "wal",
    }
    assert int.to_bytes(APPLICATION_ID, 4) == b"PINY"
    assert path.read_bytes()[68:72] == b"PINY"  # where `file` and others look for it


@pytest.mark.proves("S13")
def test_a_store_is_migrated_forward_from_the_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.pinyon"
    path.touch()
    assert found(saved(path)) == ["fox"]
    assert pragmas(path)["user_version"] == len(MIGRATIONS)


@pytest.mark.proves("S13")
def test_opening_again_migrates_nothing_and_loses_nothing(tmp_path: Path) -> None:
    path = saved(tmp_path / "again.pinyon")
    before = path.read_bytes()
    assert found(path) == ["fox"]
    assert path.read_bytes() == before


@pytest.mark.proves("S13")
def test_a_newer_store_is_refused_with_the_remedy_and_left_as_it_is(tmp_path: Path) -> None:
    path = saved(tmp_path / "newer.pinyon")
    database = apsw.Connection(str(path))
    database.pragma("user_version", len(MIGRATIONS) + 1)
    database.close()
    before = path.read_bytes()
    with pytest.raises(NewerStore) as refused:
        pinyon.open(path)
    assert str(path) in refused.value.problem
    assert "pip install --upgrade pinyon" in refused.value.remedy
    assert path.read_bytes() == before


def test_the_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE theirs (a)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(NotAStore, match="not a Pinyon store"):
        pinyon.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"just a line of text\n" * 100, b"\x00" * 4096, b"x\n"])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(NotAStore) as refused:
        pinyon.open(path)
    assert refused.value.remedy
    assert path.read_bytes() == content


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotAStore, match="is a folder"):
        pinyon.open(tmp_path)


def test_a_place_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError) as refused:
        pinyon.open(tmp_path / "file" / "store.pinyon")
    assert refused.value.remedy


def test_a_missing_store_is_not_made_unless_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "missing.pinyon"
    with pytest.raises(NoStore) as refused:
        pinyon.open(path, create=False)
    assert refused.value.remedy
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_new_store_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    assert saved(tmp_path / "own.pinyon").stat().st_mode & 0o077 == 0


def test_closing_twice_does_no_harm(tmp_path: Path) -> None:
    engine = pinyon.open(tmp_path / "twice.pinyon")
    engine.save(Record(id="fox"))
    engine.close()
    engine.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["twice.pinyon"]


def test_a_store_in_memory_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pinyon.open(":memory:") as engine:
        engine.save(Record(id="fox"))
        assert engine.get("fox")[0].id == "fox"
    assert list(tmp_path.iterdir()) == []


def test_the_named_file_comes_first_then_the_environment_then_the_folder_above(
    tmp_path: Path,
) -> None:
    project = tmp_path / "project"
    here = project / "src" / "deep"
    here.mkdir(parents=True)
    (project / ".pinyon").mkdir()
    named = {"PINYON_STORE": "from/environment"}
    assert store_path("given", environment=named, here=here) == Path("given")
    assert store_path(environment=named, here=here) == Path("from/environment")
    assert store_path(environment={}, here=here) == project / ".pinyon" / "store.pinyon"
    assert store_path(environment={"PINYON_STORE": ""}, here=here).parent == project / ".pinyon"
    (here / ".pinyon").mkdir()
    assert store_path(environment={}, here=here) == here / ".pinyon" / "store.pinyon"


def test_without_any_of_them_the_store_is_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "own"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / ".pinyon").touch()  # a file of that name is no folder
    path = store_path(environment={}, here=tmp_path / "elsewhere")
    assert path.name == "store.pinyon"
    assert "pinyon" in path.parent.name.lower()
    assert path.parent != tmp_path / "elsewhere" / ".pinyon"


def test_a_tilde_is_the_home_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    assert store_path("~/a.pinyon") == tmp_path / "a.pinyon"
    assert store_path(environment={"PINYON_STORE": "~/b.pinyon"}) == tmp_path / "b.pinyon"


def test_profiles_lie_beside_the_store_then_where_the_environment_says(tmp_path: Path) -> None:
    environment = {"PINYON_PROFILES": str(tmp_path / "mine")}
    folders = list(profile_folders(tmp_path / "notes.pinyon", environment=environment))
    assert folders[:3] == [tmp_path / "profiles", tmp_path / "mine", SHIPPED]
    without = list(profile_folders(tmp_path / "notes.pinyon", environment={}))
    assert without == [folders[0], *folders[2:]]


def test_a_profile_beside_the_store_is_used(tmp_path: Path) -> None:
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "mine.toml").write_text('inherits = "base"\n[present]\nlead = 3')
    with pinyon.open(tmp_path / "notes.pinyon") as engine:
        engine.save(Record(id="fox", body="amber"))
        (hit,) = engine.search("amber", profile="mine", mode="scan")
        assert "mine" in engine.profiles()
    assert hit.snippet == "amb"
