"""Commit: large changes go in portions, and a run that ends between two of them is made good."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pinyon.index.commit import MOST_RECORDS
from pinyon.model.record import Edge
from pinyon.store.contract import Batch, Receipt
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import Edges
from tests.index.folders import NOW, index, known, records, texts, write

JUNE = datetime(2024, 6, 1, tzinfo=UTC)


def book(first: int, last: int) -> str:
    return "# Book\n" + "".join(f"## Part {number}\n" for number in range(first, last))


class Watched(MemoryStore):
    """Remembers the size of each commit, and may fail at one of them."""

    def __init__(self, fail_at: int = 0) -> None:
        super().__init__()
        self.sizes: list[int] = []
        self.fail_at = fail_at

    def commit(self, batch: Batch) -> Receipt:
        self.sizes.append(len(batch.records) + len(batch.purge))
        if len(self.sizes) == self.fail_at:
            raise KeyboardInterrupt
        return super().commit(batch)


def test_no_commit_holds_more_than_its_share(tmp_path: Path) -> None:
    store, root = Watched(), write(tmp_path / "notes", {"book.md": book(0, 1200), "a.md": "# A"})
    index(store, root)
    assert sum(store.sizes) == 1204  # with one for each file
    assert max(store.sizes) <= MOST_RECORDS
    (root / "book.md").unlink()
    store.sizes.clear()
    index(store, root)
    assert (sum(store.sizes), max(store.sizes)) == (1202, MOST_RECORDS)
    assert (list(records(store)), list(known(store, "notes"))) == (["notes/a.md"], ["a.md"])


@pytest.mark.proves("S16", part="notes")
@pytest.mark.parametrize("fail_at", [1, 2, 3, 4, 5])
def test_a_run_that_ends_between_two_portions_is_made_good(tmp_path: Path, fail_at: int) -> None:
    store, root = Watched(), write(tmp_path / "notes", {"book.md": book(0, 1200)})
    index(store, root)
    write(root, {"book.md": book(600, 1800)}, JUNE)
    store.sizes, store.fail_at = [], fail_at
    with pytest.raises(KeyboardInterrupt):
        index(store, root)
    write(root, {"book.md": book(700, 900)}, NOW)
    store.fail_at = 0
    index(store, root)
    fresh = MemoryStore()
    index(fresh, root)
    assert texts(store) == texts(fresh)


def test_a_large_file_that_is_renamed_keeps_every_link(tmp_path: Path) -> None:
    store, root = Watched(), write(tmp_path / "notes", {"a.md": book(0, 1200)})
    index(store, root)
    link = Edge("notes/a.md#part-1100", "supports", "notes/a.md", created_at=NOW)
    store.commit(Batch(now=NOW, edges=[link]))
    (root / "a.md").rename(root / "b.md")
    assert index(store, root).renamed == 1
    with store.snapshot() as view:
        edges = view.survey(Edges(("notes/b.md",)))
    (edge,) = (edge for edge in edges if edge.relation == "supports")
    assert (edge.from_id, edge.to_id) == ("notes/b.md#part-1100", "notes/b.md")
    assert len(records(store)) == 1201


def test_two_runs_at_once_end_as_one(tmp_path: Path) -> None:
    root = write(tmp_path / "notes", {"a.md": "# A\n## One\n", "b.md": "# B"})

    class Raced(MemoryStore):
        """Lets another run go first, between our look at the store and our commit."""

        racing = False

        def commit(self, batch: Batch) -> Receipt:
            if self.racing:
                self.racing = False
                index(self, root)
            return super().commit(batch)

    store = Raced()
    index(store, root)
    (root / "a.md").unlink()
    (root / "b.md").rename(root / "c.md")
    store.racing = True
    index(store, root)
    assert list(records(store)) == ["notes/c.md"]


def test_the_pipeline_loads_its_parsers_only_when_it_needs_them() -> None:
    program = (
        "import sys, pinyon.index.pipeline\n"
        "print({'markdown_it', 'yaml', 'pathspec'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
