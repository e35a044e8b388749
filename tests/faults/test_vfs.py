"""The disk fails at any call of any operation: it is wholly done, or says so and nothing of it is
done, and the store is as sound as before."""

import io
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.model.errors import DuplicateRecord, PinyonError, UnknownRecord
from pinyon.store.contract import Batch, Vector
from pinyon.store.questions import Files, Model, Models, VectorsOf, Waiting
from tests.faults.length import LONG, lasting
from tests.faults.vfs import FAULTS, Disk, failing_disk

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MODEL = "tiny@1"
SAMPLES = lasting(1, 10_000)
"""How many of an operation's calls fail, one at a time; in a long run all of them."""

UPGRADES = Path(__file__).parents[1] / "upgrade"
pytestmark = pytest.mark.skipif("unix" not in apsw.vfs_names(), reason="a table of POSIX calls")


@dataclass(frozen=True, slots=True)
class Operation:
    """What is done to an open store, or with `opens` by opening it; it may be in several commits,
    each of which is whole."""

    do: Callable[[Engine, Path], object]
    commits: int = 1
    opens: bool = False


def opened(path: Path) -> Engine:
    return pinyon.open(path, background=False, clock=lambda: NOW)


def vectors(engine: Engine, most: int = 100) -> None:
    store = engine._store
    tasks = store.lease(MODEL, "me", now=NOW, until=NOW, limit=most)
    given = [Vector(task.passage, task.digest, b"\0\0\x80?" * 4) for task in tasks]
    store.commit(Batch(now=NOW, vectors={MODEL: given}))


def imported(engine: Engine, folder: Path) -> None:
    lines = [{"id": f"i{at}", "body": f"amber import {at}"} for at in range(5)]
    lines.append({"type": "edge", "from": "i1", "relation": "follows", "to": "i2"})
    engine.import_jsonl(io.BytesIO("\n".join(map(json.dumps, lines)).encode()))


def indexed(engine: Engine, folder: Path) -> None:
    notes = folder / "notes"
    notes.mkdir(exist_ok=True)
    for name in ("one", "two"):
        (notes / f"{name}.md").write_text(f"# {name}\n\namber text\n", "utf-8")
        os.utime(notes / f"{name}.md", (1, 1))
    engine.index(notes)


OPERATIONS = {
    "save": Operation(lambda engine, _: engine.save(pinyon.Record(id="new", body="amber " * 900))),
    "update": Operation(lambda engine, _: engine.update("r1", body="changed", tags=["wild"])),
    "forget": Operation(lambda engine, _: engine.forget("r2")),
    "purge": Operation(lambda engine, _: engine.forget("r3", purge=True), commits=3),
    "link": Operation(lambda engine, _: engine.link("r4", "caused", "r5", evidence="so")),
    "rename a tag": Operation(lambda engine, _: engine.rename_tag("wild", "tame")),
    "configure": Operation(lambda engine, _: engine.configure("log_days", "5")),
    "import": Operation(imported, commits=2),
    "index": Operation(indexed, commits=9),
    "embed": Operation(lambda engine, _: vectors(engine), commits=2),
    "rebuild": Operation(lambda engine, _: engine.rebuild()),
    "backup": Operation(lambda engine, folder: engine.backup(folder / "copy", replace=True)),
    "open": Operation(lambda engine, _: engine.search("amber"), opens=True),
}


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder, in memory where that can be: this is not about how long a sync takes."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder) / "place"


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with something of everything, closed."""
    path = tmp_path_factory.mktemp("sound") / "sound.pinyon"
    with opened(path) as engine:
        engine._store.commit(Batch(now=NOW, use=Model(MODEL, "tiny", 4)))
        for at in range(12):
            engine.save(pinyon.Record(id=f"r{at}", body=f"amber {at} " * 40, tags=("wild",)))
        engine.update("r1", body="amber, again")
        engine.link("r1", "follows", "r2")
        engine.forget("r9")
        vectors(engine, 4)
    return path


def state(path: Path) -> list[str]:
    """Everything that the store at `path` says; it must be sound."""
    with opened(path) as engine:
        assert engine.examine() == []
        with engine._store.snapshot() as view:
            ids = tuple(record.id for record in view.records())
            known = [
                view.settings(),
                view.survey(Models()),
                view.survey(Waiting(MODEL)),
                sorted(view.survey(VectorsOf(ids, MODEL))),
                sorted(view.survey(Files("notes"))),
            ]
        return [*engine.export(), *map(repr, known)]


def attempt(path: Path, operation: Operation, disk: Disk, at: int, *, ever: bool) -> bool:
    """Do it on a disk whose call number `at` fails. Says whether it was done."""
    if operation.opens:
        disk.arm(at, lasting=ever)
    engine = None
    try:
        engine = opened(path)
        if not operation.opens:
            disk.arm(at, lasting=ever)
        operation.do(engine, path.parent)
    except PinyonError as error:
        if not error.remedy:
            raise
        return False
    except SystemError:
        # What APSW makes of an error that a VFS in Python raises inside a backup.
        assert "sync" in disk.fault.calls
        return False
    finally:
        if "sync" in disk.fault.calls:
            disk.at = 0  # SQLite forgives a sync that fails when it closes, APSW does not
        if engine is not None:
            engine.close()
        disk.at = 0
    return True


def copied(source: Path, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return Path(shutil.copy(source, folder / "hurt.pinyon"))


def again(path: Path, operation: Operation) -> None:
    """Do what failed once more: what was done by then is known."""
    with opened(path) as engine:
        try:
            operation.do(engine, path.parent)
        except (DuplicateRecord, UnknownRecord):
            return


def places(total: int, name: str) -> Iterator[int]:
    """The numbers of the calls that are to fail: all of them, or some that are spread evenly."""
    step = max(1, -(-total // SAMPLES))
    yield from range(1 + len(name) % step, total + 1, step)


CASES = [(name, how) for name in OPERATIONS for how in FAULTS]


@pytest.mark.parametrize(("name", "how"), CASES)
def test_an_operation_on_a_disk_that_fails_is_done_or_is_not(
    sound: Path, place: Path, name: str, how: str
) -> None:
    attack(sound, place, OPERATIONS[name], how)


@pytest.mark.parametrize("how", FAULTS)
@pytest.mark.parametrize("version", sorted(file.name for file in UPGRADES.glob("*.pinyon")))
def test_a_migration_on_a_disk_that_fails_is_done_or_is_not(
    place: Path, version: str, how: str
) -> None:
    attack(UPGRADES / version, place, OPERATIONS["open"], how)


def attack(source: Path, place: Path, operation: Operation, how: str) -> None:
    before = state(copied(source, place))
    path = copied(source, place)
    with failing_disk(FAULTS[how]) as disk:
        assert attempt(path, operation, disk, 0, ever=False)
        total = disk.count
    after = state(path)
    for at in places(total, how):
        for ever in (False, True) if LONG else (len(how) % 2 > 0,):
            path = copied(source, place)
            with failing_disk(FAULTS[how]) as disk:
                done = attempt(path, operation, disk, at, ever=ever)
                TRIED[how] += disk.failed > 0
            found = state(path)
            if done:
                assert found == after
            elif operation.commits == 1:
                assert found in (before, after)
            assert not list(place.glob(".*")), "something half was left behind"
            again(path, operation)
            assert state(path) == after


TRIED: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def _say_how_many() -> Iterator[None]:
    yield
    if LONG:
        print("\nfaults injected:", sum(TRIED.values()), dict(TRIED))  # noqa: T201
