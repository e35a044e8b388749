"""A file that was changed behind the store's back: an error of ours, a finding of the doctor, or
the same answers as before; never other words that pass for sound."""

import json
import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon.engine import salvage
from pinyon.model.errors import DamagedStore, NotAStore, PinyonError
from pinyon.model.record import Record
from pinyon.store.sqlite import SqliteStore
from tests.faults.child import run, start
from tests.faults.length import LONG, lasting

FLIPS = lasting(40, 3_000)
CUTS = lasting(12, 200)
PAGES = lasting(10, 200)
PAGE = 4096
WORDS = ("id", "title", "aliases", "body", "context", "tags", "source")
"""The fields of a record that a search answers by."""

OUTCOMES: Counter[str] = Counter()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "sound.pinyon"
    fill(path, "amber")
    return path


@pytest.fixture(scope="module", autouse=True)
def _say_how_many() -> Iterator[None]:
    yield
    if LONG:
        print("\noutcomes:", dict(OUTCOMES))  # noqa: T201


def fill(path: Path, word: str, count: int = 40) -> None:
    with pinyon.open(path, background=False) as engine:
        for at in range(count):
            body = f"{word} number {at} " * 30
            engine.save(
                Record(id=f"r{at}", title=f"Größe {at}", body=body, tags=("wild", f"t{at}"))
            )
        engine.update("r1", body=f"{word} changed")
        engine.link("r1", "follows", "r2", evidence="because")
        engine.forget("r3")


def findable(lines: list[str]) -> dict[str, Any]:
    """The words of each record that can be found."""
    records = [json.loads(line) for line in lines]
    return {
        one["id"]: [one.get(name) for name in WORDS]
        for one in records
        if one["type"] == "record" and not one.get("deleted_at")
    }


def asked(path: Path) -> tuple[list[str], list[str]]:
    """Everything, and an answer; raises DamagedStore for what the doctor finds."""
    with pinyon.open(path, create=False, background=False) as engine:
        hits = [hit.id for hit in engine.search("amber number 7", limit=100)]
        lines = list(engine.export())
        engine.stats()
        engine.values("tags")
        for finding in engine.examine():
            assert finding.remedy
            raise DamagedStore(finding.problem, remedy=finding.remedy)
    return lines, hits


def outcome(path: Path, expected: tuple[list[str], list[str]]) -> str:
    """What came of using the file; fails where other words pass for sound."""
    try:
        lines, hits = asked(path)
    except PinyonError as error:
        return type(error).__name__ if error.remedy else "an error without a remedy"
    assert (findable(lines), hits) == (findable(expected[0]), expected[1])
    return "the same" if lines == expected[0] else "other history, edges or dates"


def attack(
    sound: Path, path: Path, change: Callable[[bytearray, random.Random], bytes], count: int
) -> None:
    whole = sound.read_bytes()
    expected = asked(Path(shutil.copy(sound, path)))
    for seed in range(count):
        for left in path.parent.glob(f"{path.name}*"):
            left.unlink()
        path.write_bytes(change(bytearray(whole), random.Random(seed)))
        found = outcome(path, expected)
        assert found != "an error without a remedy"
        OUTCOMES[found] += 1


def test_a_flipped_byte_never_changes_a_word_that_passes_for_sound(
    sound: Path, tmp_path: Path
) -> None:
    def flip(content: bytearray, chance: random.Random) -> bytes:
        at = chance.randrange(len(content))
        content[at] ^= chance.choice((1, 2, 4, 8, 16, 32, 64, 128, 255))
        return bytes(content)

    attack(sound, tmp_path / "hurt.pinyon", flip, FLIPS)


def test_a_file_that_is_cut_anywhere_is_called_broken(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.pinyon"
    whole = sound.read_bytes()
    expected = asked(Path(shutil.copy(sound, path)))
    sizes = [0, 1, 15, 16, 99, 100, 512, PAGE - 1, PAGE, PAGE + 1, len(whole) - 1]
    chance = random.Random(5)
    for size in [*sizes, *(chance.randrange(len(whole)) for _ in range(CUTS))]:
        path.write_bytes(whole[:size])
        found = outcome(path, expected)
        assert found in ("DamagedStore", "NotAStore"), size
        OUTCOMES[found] += 1


def test_a_page_of_another_place_is_noticed(sound: Path, tmp_path: Path) -> None:
    def swap(content: bytearray, chance: random.Random) -> bytes:
        one, other = (at * PAGE for at in chance.sample(range(1, len(content) // PAGE), 2))
        first, second = content[one : one + PAGE], content[other : other + PAGE]
        content[one : one + PAGE], content[other : other + PAGE] = second, first
        return bytes(content)

    attack(sound, tmp_path / "hurt.pinyon", swap, PAGES)


KILLED = """
engine = pinyon.open(path, background=False)
for at in range(5):
    engine.save(Record(id=f"late{at}", body="amber written late"))
print("saved", flush=True)
sys.stdin.read()
"""


def hot(path: Path) -> Path:
    """A store whose writer was killed: what it wrote last is in the log beside it."""
    child = start(KILLED, path)
    assert child.stdout is not None
    assert child.stdout.readline() == "saved\n"
    child.kill()
    child.communicate(timeout=60)
    assert Path(f"{path}-wal").stat().st_size > 0
    return path


@pytest.fixture
def killed(sound: Path, tmp_path: Path) -> Path:
    return hot(Path(shutil.copy(sound, tmp_path / "killed.pinyon")))


def late(path: Path) -> int:
    with pinyon.open(path, create=False, background=False) as engine:
        assert engine.examine() == []
        return sum(id.startswith("late") for id in findable(list(engine.export())))


def test_what_is_in_the_log_is_found_without_its_index(killed: Path) -> None:
    Path(f"{killed}-shm").unlink()
    assert late(killed) == 5


def test_an_index_of_the_log_that_is_garbage_is_made_anew(killed: Path) -> None:
    shm = Path(f"{killed}-shm")
    shm.write_bytes(random.Random(1).randbytes(shm.stat().st_size))
    assert late(killed) == 5


def test_a_log_that_is_garbage_takes_nothing_but_what_was_in_it(killed: Path) -> None:
    for left in ("-shm", "-wal"):
        Path(f"{killed}{left}").write_bytes(random.Random(1).randbytes(40_000))
    Path(f"{killed}-shm").unlink()
    assert late(killed) == 0


def test_a_log_that_is_cut_keeps_whole_commits_only(sound: Path, tmp_path: Path) -> None:
    chance = random.Random(3)
    for at in range(lasting(4, 40)):
        (tmp_path / str(at)).mkdir()
        source = hot(Path(shutil.copy(sound, tmp_path / str(at) / "cut.pinyon")))
        wal = Path(f"{source}-wal")
        os.truncate(wal, chance.randrange(wal.stat().st_size))
        Path(f"{source}-shm").unlink()
        assert 0 <= late(source) <= 5


def test_without_its_log_a_store_is_as_it_was_before(killed: Path) -> None:
    for left in ("-shm", "-wal"):
        Path(f"{killed}{left}").unlink()
    assert late(killed) == 0


@pytest.mark.parametrize("seed", range(lasting(3, 20)))
def test_the_log_of_another_store_never_passes_for_sound_words(
    sound: Path, tmp_path: Path, seed: int
) -> None:
    """SQLite takes it for the store's own. What comes of it is one of the two stores, or broken."""
    expected = asked(Path(shutil.copy(sound, tmp_path / "first.pinyon")))
    other = tmp_path / "other.pinyon"
    fill(other, "umber", 5 + seed)
    foreign = hot(other)
    path = Path(shutil.copy(sound, tmp_path / "mixed.pinyon"))
    shutil.copy(f"{foreign}-wal", f"{path}-wal")
    try:
        lines, hits = asked(path)
    except PinyonError:
        return
    whole = asked(foreign)
    assert (lines, hits) in (expected, whole)


def test_a_folder_in_the_place_of_the_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotAStore):
        pinyon.open(tmp_path)


def test_an_empty_file_is_no_store_for_who_only_reads(tmp_path: Path) -> None:
    path = tmp_path / "empty.pinyon"
    path.touch()
    with pytest.raises(NotAStore, match="is empty"):
        pinyon.open(path, create=False)
    assert path.stat().st_size == 0
    with pinyon.open(path) as engine:  # as after a making that was interrupted
        assert engine.examine() == []


def test_a_store_that_is_replaced_while_it_is_open_is_not_written(
    sound: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(sound, tmp_path / "open.pinyon"))
    other = Path(shutil.copy(sound, tmp_path / "other.pinyon"))
    store = SqliteStore(path)
    with pinyon.open(path, background=False) as engine:
        engine.search("amber")
        os.replace(other, path)  # noqa: PTH105
        for use in (lambda: engine.save(Record(id="new")), lambda: engine.search("amber")):
            with pytest.raises(PinyonError, match="was replaced") as raised:
                use()
            assert raised.value.remedy == "open it again"
    store.close()
    with pinyon.open(path, create=False, background=False) as engine:
        assert (engine.examine(), len(engine.search("amber"))) == ([], 10)


CUT = """
import os
engine = pinyon.open(path, background=False)
engine.save(Record(id="late", body="amber"))
engine.search("amber")
os.truncate(path, 40_960)
try:
    engine.search("amber number 7", mode="full")
    list(engine.export())
except PinyonError as error:
    print(type(error).__name__, bool(error.remedy))
"""


def test_a_file_that_is_cut_while_it_is_open_does_not_end_the_process(
    sound: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(sound, tmp_path / "open.pinyon"))
    assert run(CUT, path) == "DamagedStore True\n"


def test_what_can_be_read_of_a_broken_store_becomes_a_new_one(sound: Path, tmp_path: Path) -> None:
    expected = findable(asked(Path(shutil.copy(sound, tmp_path / "whole.pinyon")))[0])
    whole = sound.read_bytes()
    saved, unsaved = [], 0
    for page in range(1, len(whole) // PAGE, max(1, len(whole) // PAGE // PAGES)):
        content = bytearray(whole)
        content[page * PAGE : (page + 1) * PAGE] = random.Random(page).randbytes(PAGE)
        path, target = tmp_path / f"hurt{page}.pinyon", tmp_path / f"saved{page}.pinyon"
        path.write_bytes(content)
        try:
            done = salvage(path, target)
        except NotAStore:  # the page says where the tables are
            unsaved += 1
            continue
        assert path.read_bytes() == bytes(content)
        with pinyon.open(target, create=False, background=False) as engine:
            assert engine.examine() == []
            found = findable(list(engine.export()))
        kept = {id: words for id, words in found.items() if not id.startswith("salvaged-")}
        assert kept.items() <= expected.items()
        assert done.records - len(found) in (0, 1)  # one of them was forgotten
        saved.append(len(kept))
        OUTCOMES["salvaged"] += 1
    # Most pages hold derived things only; no page holds more than a few records' texts.
    assert sorted(saved)[len(saved) // 2] == len(expected)
    assert sum(saved) / len(saved) >= len(expected) * 0.8
    assert unsaved <= 5


def test_a_file_without_its_first_page_cannot_be_salvaged(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "hurt.pinyon"
    path.write_bytes(random.Random(1).randbytes(PAGE) + sound.read_bytes()[PAGE:])
    with pytest.raises(NotAStore) as raised:
        salvage(path, tmp_path / "saved.pinyon")
    assert raised.value.remedy == "restore a backup"
    assert not (tmp_path / "saved.pinyon").exists()
