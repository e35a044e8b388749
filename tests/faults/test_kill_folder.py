"""Indexing may be killed at any moment: each file is known as it is, or as it was, never in part;
and the next run goes on from there."""

import random
from datetime import timedelta
from pathlib import Path

from pinyon.index.commit import MOST_RECORDS
from pinyon.model.record import Record
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from pinyon.store.sqlite import SqliteStore
from tests.faults.kill import Reach, chances, killed, left_beside
from tests.faults.length import lasting
from tests.index.folders import MAY, index, known, texts, write

KILLS = lasting(3, 50)
FILES = 40
LARGE = "large.md"
"""A file whose records do not fit into one commit."""
REACH = Reach(lines=1, seconds=0.5, steps=4000, commits=6)

File = tuple[str, dict[str, Record]]
"""The digest of a file, and its records."""


def test_a_killed_index_run_leaves_each_file_whole_and_the_next_one_finishes(
    tmp_path: Path,
) -> None:
    path, root = tmp_path / "killed.pinyon", tmp_path / "notes"
    chance = chances("folder")
    before: dict[str, File] = {}
    for kill in range(KILLS):
        change(root, chance, kill)
        fresh = MemoryStore()
        assert index(fresh, root).skipped == ()
        after = files(fresh)
        killed(chance, REACH, "index", path, root)
        store = SqliteStore(path)
        assert store.examine() == []
        for name, file in files(store).items():
            assert file in (before.get(name), after.get(name)) or name == LARGE
        owned = {id for file in known(store, "notes").values() for id in file.ids}
        assert texts(store).keys() <= owned
        index(store, root)
        assert store.examine() == []
        assert (files(store), texts(store)) == (after, texts(fresh))
        assert edges(store) == edges(fresh)
        store.close()
        before = after
    assert left_beside(path) == {root.name}


def change(root: Path, chance: random.Random, round_: int) -> None:
    """Write, rename and delete some files."""
    there = sorted(file.name for file in root.glob("n*.md"))
    for name in chance.sample(there, len(there) // 8):
        (root / name).unlink()
    for file in chance.sample(sorted(root.glob("n*.md")), len(there) // 8):
        file.rename(root / f"n{chance.randrange(FILES)}.md")
    written = {
        f"n{number}.md": note(number, chance.randrange(1, 6), round_)
        for number in chance.sample(range(FILES), FILES // 2)
    }
    if chance.random() < 0.5:
        written[LARGE] = note(0, MOST_RECORDS + chance.randrange(100), round_)
    for number, (name, text) in enumerate(written.items()):
        # No two files have one date: it tells a file from one that took its place.
        write(root, {name: text}, MAY + timedelta(minutes=round_, seconds=number))


def note(number: int, sections: int, round_: int) -> str:
    return "\n\n".join(
        f"# Part {at}\n\nround {round_} of [the next](n{number + 1}.md) #tag{at % 3}"
        for at in range(sections)
    )


def files(store: Store) -> dict[str, File]:
    held = texts(store)
    return {
        path: (state.digest, {id: held[id] for id in state.ids if id in held})
        for path, state in known(store, "notes").items()
    }


def edges(store: Store) -> set[tuple[str, str, str]]:
    with store.snapshot() as view:
        return {(edge.from_id, edge.relation, edge.to_id) for edge in view.all_edges()}
