"""A purge leaves nothing: not a byte of what was purged in the store's folder, the cache or the
configuration, whatever was done with it before and whoever has the store open."""

import io
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

import pinyon
from pinyon import settings
from pinyon.engine import Engine
from pinyon.inference.remember import Remembered
from pinyon.model.errors import BusyStore, UnknownRecord
from pinyon.model.record import Record
from pinyon.store.contract import PURGE
from pinyon.store.sqlite import scrub
from pinyon.text.passages import digest, passages
from tests.faults import child
from tests.faults.remains import remains
from tests.inference.tiny import write_folder

WORDS = ("Xylophonist", "xylophonist", "Quetzalcoatl", "quetzalcoatl", "quetzalcoat")
"""Two words as they are written, and their stems."""

TEXT = "red Xylophonist green Quetzalcoatl blue"


@dataclass(frozen=True)
class World:
    """A store in a folder of its own, and the user's folders."""

    home: Path

    @property
    def store(self) -> Path:
        return self.home / "store" / "a.pinyon"

    def left(self, *more: str | bytes) -> list[str]:
        return remains([self.home], [*WORDS, *more])


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """With a small model of words, and no folder of anybody else."""
    write_folder(tmp_path / "model")
    home = tmp_path / "home"
    monkeypatch.setenv("PINYON_MODEL", str(tmp_path / "model"))
    monkeypatch.setenv("PINYON_CACHE", str(home / "cache"))
    monkeypatch.setenv("PINYON_CONFIG", str(home / "config"))
    return World(home)


@pytest.fixture
def engine(world: World) -> Iterator[Engine]:
    with pinyon.open(world.store, background=False) as engine:
        for at in range(60):
            engine.save(Record(id=f"other-{at}", body=f"red words of another record {at} " * 9))
        yield engine


def remember(body: bytes, path: Path) -> None:
    """As late interaction does: something by the digest of a text."""
    kept = Remembered(path)
    kept.put("late", [(digest(body.decode()), b"signs")])
    kept.close()


def used_in_every_way(engine: Engine) -> None:
    """A life: embedded, changed, linked, tagged, asked for, judged, corrected, found again."""
    engine.save(Record(id="it", title="Xylophonist", body=TEXT, tags=("quetzalcoatl",)))
    engine.embed()
    engine.update("it", body=f"{TEXT} red", context="of Quetzalcoatl", author="Xylophonist")
    engine.embed()
    engine.link("it", "caused", "other-1", evidence="the Xylophonist said so")
    for query in ("xylophonist", "Quetzalcoatl's drums", "red words"):
        engine.search(query)
        engine.search(query, mode="scan")
    engine.feedback("it", "accepted", query="who is the xylophonist")
    engine.feedback("other-1", "dismissed", query="who is the Xylophonist")
    engine.feedback("other-1", "accepted", query="red words")
    remember(TEXT.encode(), settings.cache_folder() / "tokens.db")


@pytest.mark.proves("P5")
def test_no_byte_of_a_whole_life_is_left_anywhere(world: World, engine: Engine) -> None:
    engine.embed()
    others = kept_digests(world)
    used_in_every_way(engine)
    digests = [digest(TEXT), *set(kept_digests(world)).difference(others)]
    assert len(digests) > 2
    assert {line.split(":")[0] for line in world.left(*digests)} >= {
        "a.pinyon-wal",
        "tokens.db",
        "vectors.db-wal",
    }
    engine.forget("it", purge=True)
    assert world.left(*digests) == []
    engine.backup(world.home / "copy.pinyon")
    (world.home / "all.jsonl").write_text("\n".join(engine.export()))
    assert world.left(*digests) == []
    assert engine.examine() == []
    assert engine.config() == {}
    assert engine.stats().documents == 60


def test_a_question_goes_only_with_the_last_record_that_has_its_words(engine: Engine) -> None:
    engine.save(Record(id="it", body=TEXT))
    engine.save(Record(id="its-friend", body="a Quetzalcoatl of another kind"))
    for query in ("xylophonist", "quetzalcoatl", "red words", "unheard of"):
        engine.search(query)
    engine.forget("it", purge=True)
    asked = {query for query, _ in engine.questions().common}
    assert asked == {"quetzalcoatl", "red words", "unheard of"}


def test_stores_agree_on_what_a_purge_takes(world: World, engine: Engine) -> None:
    with pinyon.open(":memory:", background=False) as memory:
        for each in (engine, memory):
            each.save(Record(id="one", body="red drum"))
            each.save(Record(id="it", body=TEXT))
            for query in ("red", "a Xylophonist", "drum quetzalcoatl", "nobody"):
                each.search(query)
                each.feedback("one", "accepted", query=query)
            each.forget("it", purge=True)
        assert engine.questions().common == memory.questions().common
        assert engine.config() == memory.config() == {}


@pytest.mark.parametrize("change", ["edited", "shortened"])
def test_vectors_of_earlier_texts_of_a_file_go_too(
    world: World, engine: Engine, tmp_path: Path, change: str
) -> None:
    """Nothing keeps what a file said before, so nothing could name these vectors."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text(f"# Red\n\n{TEXT}\n")
    engine.index(notes)
    engine.embed()
    (notes / "a.md").write_text(f"# Red\n\n{TEXT * (change == 'edited')} green\n")
    engine.index(notes)
    engine.embed()
    kept = Remembered(settings.cache_folder() / "vectors.db")
    before = kept_digests(world)
    assert len(before) > 2
    engine.forget(*[hit.id for hit in engine.search("green", limit=50, track=False)], purge=True)
    kept.close()
    assert kept_digests(world) == []


def kept_digests(world: World) -> list[bytes]:
    path = world.home / "cache" / "vectors.db"
    if not path.exists():
        return []
    db = apsw.Connection(str(path))
    try:
        return [key for (key,) in db.execute("SELECT digest FROM vector")]
    finally:
        db.close()


def test_a_purged_file_is_gone_once_its_file_is_gone(
    world: World, engine: Engine, tmp_path: Path
) -> None:
    """While it lies there, its path is known, and what it says comes back when it changes."""
    notes = tmp_path / "notes"
    notes.mkdir()
    file = notes / "xylophonist.md"
    file.write_text(f"# Xylophonist\n\n{TEXT}, see [[quetzalcoatl]]\n\n## Quetzalcoatl\n\nred\n")
    (notes / "b.md").write_text("# Red\n\nsee [[a]]\n")
    engine.index(notes)
    known = [id for id in all_ids(engine) if "xylophonist" in id]
    assert len(known) == 3
    engine.forget(*known, purge=True)
    assert engine.index(notes).unchanged == 2
    assert [id for id in all_ids(engine) if "xylophonist" in id] == []
    file.unlink()
    engine.index(notes)
    engine.save(Record(id="z", body="red"))
    engine.forget("z", purge=True)
    assert world.left() == []
    assert engine.examine() == []


def test_a_purged_record_of_a_file_comes_back_when_the_file_changes(
    engine: Engine, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text(f"# One\n\n{TEXT}\n\n## Two\n\ngreen\n")
    engine.index(notes)
    before = set(all_ids(engine))
    purged = [id for id in before if id.startswith("notes/a.md")]
    engine.forget(*purged, purge=True)
    (notes / "a.md").write_text(f"# One\n\n{TEXT} again\n\n## Two\n\ngreen\n")
    engine.index(notes)
    assert set(all_ids(engine)) == before
    assert engine.examine() == []


def all_ids(engine: Engine) -> list[str]:
    lines = map(json.loads, engine.export())
    return [line["id"] for line in lines if line.get("id") and not line.get("deleted_at")]


def test_nothing_is_left_while_another_process_has_the_store_open(world: World) -> None:
    """It has read what is purged, and goes on reading and writing afterwards."""
    program = """
import sys
import pinyon
with pinyon.open(sys.argv[1], background=False) as engine:
    assert len(engine.search("xylophonist", track=False)) == 1
    print("read", flush=True)
    sys.stdin.readline()
    assert len(engine.search("xylophonist", track=False)) == 0
    engine.save(pinyon.Record(id="mine", body="green"))
    print("wrote", flush=True)
    sys.stdin.readline()
"""
    with pinyon.open(world.store, background=False) as engine:
        engine.save(Record(id="it", body=TEXT))
        with subprocess.Popen(
            [sys.executable, "-c", program, str(world.store)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as other:
            assert other.stdin
            assert other.stdout
            assert other.stdout.readline() == "read\n"
            engine.forget("it", purge=True)
            assert world.left() == []
            other.stdin.write("go\n")
            other.stdin.flush()
            assert other.stdout.readline() == "wrote\n"
            assert world.left() == []
            other.communicate("go\n", timeout=60)
            assert other.returncode == 0
        assert world.left() == []
        assert {record.id for record in engine.get("mine")} == {"mine"}


def test_a_reader_of_an_older_moment_is_named_and_the_next_write_finishes(
    world: World, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrub, "READERS_MS", 50)
    engine.save(Record(id="it", body=TEXT))
    engine.embed()
    lines = engine.export()
    seen = [next(lines)]  # it holds its moment until the last line
    with pytest.raises(BusyStore, match="somebody still reads"):
        engine.forget("it", purge=True)
    assert kept_digests(world) == []
    with pytest.raises(UnknownRecord):
        engine.get("it")
    seen += lines
    assert any("Xylophonist" in line for line in seen)
    engine.save(Record(id="next", body="green"))
    assert world.left() == []
    assert engine.config() == {}


@pytest.mark.parametrize("stage", ["scrub_rows", "scrub_file"])
def test_a_purge_that_was_killed_is_finished_by_the_next_who_writes(
    world: World, engine: Engine, stage: str
) -> None:
    used_in_every_way(engine)
    program = f"""
from pinyon.store.sqlite import scrub
scrub.{stage} = lambda *given: os._exit(9)
pinyon.open(path, background=False).forget("it", purge=True)
"""
    other = child.start(program, world.store)
    assert (other.communicate(timeout=60), other.returncode) == (("", ""), 9)
    assert PURGE in engine.config()
    assert world.left()
    with pinyon.open(world.store, background=False) as again:
        again.save(Record(id="next", body="green"))
    assert world.left() == []
    assert engine.config() == {}
    assert engine.examine() == []


def test_the_copy_that_a_migration_made_goes_too(world: World, engine: Engine) -> None:
    engine.save(Record(id="it", body=TEXT))
    engine.backup(world.store.with_name("a.pinyon.v3.backup"))
    shutil.copy(world.store, world.store.with_name(".a.pinyon.v2.backup.x1.part"))
    own = world.store.with_name("a.pinyon.v3.backup.mine")
    own.write_text("somebody's own file")
    engine.forget("it", purge=True)
    assert world.left() == []
    assert own.exists()


def test_threads_that_search_do_not_keep_a_purge_from_its_end(world: World, engine: Engine) -> None:
    engine.save(Record(id="it", body=TEXT))
    stop, troubles = threading.Event(), []

    def go_on(what: Callable[[], object]) -> None:
        try:
            while not stop.is_set():
                what()
        except Exception as problem:  # told by the test, not lost in a thread
            troubles.append(problem)

    threads = [
        threading.Thread(target=go_on, args=(lambda: engine.search("red", track=False),))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    try:
        engine.forget("it", purge=True)
        assert world.left() == []
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert troubles == []


def test_what_is_being_embedded_while_it_is_purged_is_not_remembered(world: World) -> None:
    with pinyon.open(world.store) as engine:  # a thread embeds behind the saves
        for at in range(10):
            engine.save(Record(id=f"other-{at}", body="green"))
            engine.save(Record(id=f"it-{at}", body=f"{TEXT} {at}"))
            own = [passage.text for passage in passages(engine.get(f"it-{at}")[0])]
            engine.forget(f"it-{at}", purge=True)
            assert set(map(digest, own)).isdisjoint(kept_digests(world))
    assert world.left() == []


def test_an_import_of_an_export_made_afterwards_knows_nothing(
    world: World, engine: Engine, tmp_path: Path
) -> None:
    used_in_every_way(engine)
    engine.forget("it", purge=True)
    lines = "\n".join(engine.export()).encode()
    with pinyon.open(world.home / "other" / "b.pinyon", background=False) as other:
        other.import_jsonl(io.BytesIO(lines))
    assert world.left() == []
