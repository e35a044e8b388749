"""Rebuild law: whatever happened to the files, an index run ends where a first run would."""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.store.memory import MemoryStore
from tests.index.folders import index, known, texts

PATHS = st.sampled_from(
    ["a.md", "b.md", "c.txt", "README", "sub/a.md", "sub/d.txt", "a.md.d/x.md", ".gitignore"]
)
TEXTS = st.sampled_from(
    [
        "",
        "a.md\n!sub/a.md\n",
        "text\n\nmore text\n",
        "# One\n\ntext\n\n## Two\n\n## Two\n",
        "before\n\n# One\n\n## Two\n\ntext\n",
        "---\ntitle: Named\ntags: [x]\n---\n\n## Two\n",
        "---\n: [\n---\n# Broken\n",
    ]
)
STEPS = st.one_of(
    st.tuples(st.just("write"), PATHS, TEXTS),
    st.tuples(st.just("delete"), PATHS, st.none()),
    st.tuples(st.just("rename"), PATHS, PATHS),
    st.tuples(st.just("rename folder"), st.sampled_from(["sub", "moved"]), st.just("moved")),
    st.tuples(st.just("index"), st.none(), st.none()),
)


@pytest.mark.proves("S16", part="notes")
@settings(max_examples=25, deadline=None)
@given(st.lists(STEPS, max_size=20))
def test_any_sequence_of_edits_ends_where_a_first_run_would(
    steps: list[tuple[str, str, str]],
) -> None:
    with TemporaryDirectory() as place:
        root, store = Path(place, "notes"), MemoryStore()
        root.mkdir()
        for second, (do, path, other) in enumerate(steps):
            if do == "index":
                index(store, root)
            else:
                EDITS[do](root / path, other, root)
            # Each step is a second of its own: the law holds for files whose date tells a change.
            if do == "write":
                os.utime(root / path, (second, second))
        index(store, root)
        fresh = MemoryStore()
        assert index(fresh, root).skipped == ()
        assert texts(store) == texts(fresh)
        assert known(store, "notes") == known(fresh, "notes")


def put(file: Path, text: str, root: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def delete(file: Path, _: str, root: Path) -> None:
    file.unlink(missing_ok=True)


def rename(file: Path, target: str, root: Path) -> None:
    if file.exists():
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        file.replace(root / target)


def rename_folder(folder: Path, target: str, root: Path) -> None:
    if folder.exists() and folder != root / target:
        shutil.rmtree(root / target, ignore_errors=True)
        folder.rename(root / target)


EDITS = {"write": put, "delete": delete, "rename": rename, "rename folder": rename_folder}
