"""The doctor says what can be saved of a broken store, and saves it."""

import os
import random
import stat
from pathlib import Path

import apsw
import pytest

import pinyon
from pinyon.model.errors import InvalidInput
from pinyon.model.record import Record
from pinyon.store.sqlite.salvage import salvage
from tests.faults.child import run, start
from tests.surfaces.cli.shell import Shell

PAGE = 4096


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Over a store of which some records' texts are broken."""
    shell = Shell(tmp_path / "hurt.pinyon")
    with pinyon.open(shell.store, background=False) as engine:
        for at in range(60):
            engine.save(Record(id=f"r{at}", body=f"amber number {at} " * 60))
        engine.update("r1", body="amber, again")
        engine.link("r1", "follows", "r2")
        engine.configure("log_days", "5")
    return shell


def break_table(path: Path, name: str) -> None:
    """Garbage in place of a leaf of the table."""
    db = apsw.Connection(str(path))
    query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno"
    leaves: list[int] = [page for (page,) in db.execute(query, (name,))]
    db.close()
    page = leaves[len(leaves) // 2]
    content = bytearray(path.read_bytes())
    content[(page - 1) * PAGE : page * PAGE] = random.Random(1).randbytes(PAGE)
    path.write_bytes(content)


def test_the_doctor_of_broken_records_names_the_way_to_save_the_rest_and_it_does(
    shell: Shell, tmp_path: Path
) -> None:
    break_table(shell.store, "content")
    found = shell.json("doctor", status=1)["findings"]
    assert found
    assert all("pinyon doctor --salvage" in finding["remedy"] for finding in found)
    target = tmp_path / "saved.pinyon"
    saved = shell.json("doctor", "--salvage", str(target))
    assert saved["records"] + saved["lost"] == 60
    assert 0 < saved["lost"] < 10
    assert (saved["versions"], saved["edges"], saved["nameless"]) == (1, 1, 0)
    other = Shell(target)
    assert other.json("doctor") == {"sound": True, "rebuilt": False, "findings": []}
    assert len(other("export").stdout.splitlines()) == saved["records"] + 2
    with pinyon.open(target, background=False) as engine:
        assert engine.config() == {"log_days": "5"}
    if os.name == "posix":
        assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_texts_that_lost_their_record_are_saved_under_another_id(
    shell: Shell, tmp_path: Path
) -> None:
    expected = {f"amber number {at} " * 60 for at in range(60)} | {"amber, again"}
    break_table(shell.store, "record")
    target = tmp_path / "saved.pinyon"
    saved = shell.json("doctor", "--salvage", str(target))
    assert saved["nameless"] > 0
    assert saved["records"] == 60
    with pinyon.open(target, background=False) as engine:
        ids = [hit.id for hit in engine.search("amber", limit=100)]
        assert {record.body for record in engine.get(*ids)} < expected
        assert sum(id.startswith("salvaged-") for id in ids) == saved["nameless"]


@pytest.mark.parametrize("name", ["stems", "fulltext_data", "passage"])
def test_a_store_that_is_broken_only_where_it_can_be_made_anew_loses_nothing(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    before = shell("export").stdout
    break_table(shell.store, name)
    assert shell.json("doctor", status=1)["findings"]
    shell("doctor", "--salvage", str(tmp_path / "saved.pinyon"))
    assert Shell(tmp_path / "saved.pinyon")("export").stdout == before


def test_a_text_with_a_broken_character_is_saved_without_it(shell: Shell, tmp_path: Path) -> None:
    db = apsw.Connection(str(shell.store))
    db.execute("UPDATE content SET body = CAST(x'616dff62' AS TEXT) WHERE row = 5")
    db.close()
    assert "cannot be read" in shell("doctor", status=1).stdout
    assert "damaged" in shell.problem("export", str(tmp_path / "all.jsonl"))
    assert not (tmp_path / "all.jsonl").exists()
    saved = shell.json("doctor", "--salvage", str(tmp_path / "saved.pinyon"))
    assert (saved["records"], saved["patched"], saved["lost"]) == (60, 1, 0)
    with pinyon.open(tmp_path / "saved.pinyon", background=False) as engine:
        assert engine.get("r4")[0].body == "am\ufffdb"


def test_an_index_that_misses_rows_is_rebuilt(shell: Shell) -> None:
    for old, new in (("(kind)", "(kind) WHERE row = 1"), ("(kind) WHERE row = 1", "(kind)")):
        db = apsw.Connection(str(shell.store))
        db.execute("PRAGMA writable_schema = ON")
        changed = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'record_kind'"
        db.execute(changed, (old, new))
        db.close()
        if new != "(kind)":
            db = apsw.Connection(str(shell.store))
            db.execute("REINDEX record_kind")
            db.close()
    found = shell.json("doctor", status=1)["findings"]
    assert [finding["remedy"] for finding in found] == ["run: pinyon doctor --rebuild"] * len(found)
    assert shell.json("doctor", "--rebuild")["sound"]


def test_a_store_whose_tables_are_described_wrongly_is_called_damaged(
    shell: Shell, tmp_path: Path
) -> None:
    content = shell.store.read_bytes()
    shell.store.write_bytes(content.replace(b"porter unicode61", b"pnrter unicode61"))
    assert "not those of a store" in shell("doctor", status=1).stdout
    assert "damaged" in shell.problem("search", "amber")
    assert shell.json("doctor", "--salvage", str(tmp_path / "saved.pinyon"))["records"] == 60


def test_nothing_is_salvaged_over_a_file_that_is_there(shell: Shell, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="exists already"):
        salvage(shell.store, shell.store)
    assert "no file" in Shell(tmp_path / "none.pinyon").problem("doctor", "--salvage", "new.pinyon")


HOT = """
engine = pinyon.open(path, background=False)
engine.save(Record(id="late", body="amber"))
print("saved", flush=True)
sys.stdin.read()
"""
READ = """
os.setgid(65534)
os.setuid(65534)
try:
    with pinyon.open(path, background=False) as engine:
        print([hit.id for hit in engine.search("amber")])
except PinyonError as error:
    print(type(error).__name__, bool(error.remedy))
"""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may become another")
def test_a_store_with_an_unread_log_never_answers_without_it(tmp_path: Path) -> None:
    for parent in (tmp_path, *tmp_path.parents):
        if not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | stat.S_IXOTH)
    folder = tmp_path / "locked"
    folder.mkdir()
    path = folder / "hot.pinyon"
    child = start(HOT, path)
    assert child.stdout is not None
    assert child.stdout.readline() == "saved\n"
    child.kill()
    child.communicate(timeout=60)
    Path(f"{path}-shm").unlink()
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    warm = "import pinyon.search.pipeline, pinyon.store.sqlite.store, pinyon.profiles.load\n"
    assert run(warm + READ, path) in ("['late']\n", "ReadOnlyStore True\n")
