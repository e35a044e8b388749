"""Incremental equals rebuild: after any edits, an index run leaves what a first run would leave."""

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import Files
from pinyon.store.sqlite import SqliteStore
from tests.index.folders import index, texts

STORES: Mapping[str, Callable[[Path], Store]] = {
    "memory": lambda path: MemoryStore(),
    "sqlite": SqliteStore,
}

FILES = (
    "plan.md",
    "sub/plan.md",
    "sub/deep/tasks.md",
    "README",
    "store.py",
    "sub/query.py",
    "app.ts",
    "picture.png",
)
FOLDERS = ("sub", "sub/deep", "moved", "plan.md")
IGNORED = ("", "sub/deep/\n*.ts\n", "*.md\n!plan.md\n")
CONTENTS = (
    "",
    "# Plan\n\nSee [[tasks]] and [the store](store.py).\n\n## Later\n\n## Later\n",
    "---\ntitle: Plan\naliases: [roadmap]\ntags: [x]\n---\n\n[[plan#Later]] ![[picture.png]]\n",
    "# Tasks\n\n- [ ] read [[roadmap]] #home\n- [x] write it\n",
    "import os\nfrom sub.query import Query\n\n\nclass Store(Query):\n    def ask(self): ...\n",
    "class Query:\n    'What is asked.'\n\n    def ask(self): return 1\n\n\ndef ask(): ...\n",
    "import { Query } from './sub/query'\nexport class App extends Query { run() {} }\n",
    "class Broken(:\n  def\n# [ \n---\n",
)


class Step(NamedTuple):
    """An edit of a file or folder; `other` is its new content or path."""

    do: str
    path: str = ""
    other: str = ""


STEPS = st.one_of(
    st.builds(Step, st.just("write"), st.sampled_from(FILES), st.sampled_from(CONTENTS)),
    st.builds(Step, st.just("write"), st.just(".gitignore"), st.sampled_from(IGNORED)),
    st.builds(Step, st.just("touch"), st.sampled_from(FILES)),
    st.builds(Step, st.just("delete"), st.sampled_from((*FILES, *FOLDERS))),
    st.builds(Step, st.just("rename"), st.sampled_from(FILES), st.sampled_from(FILES)),
    st.builds(Step, st.just("rename"), st.sampled_from(FOLDERS), st.sampled_from(FOLDERS)),
    st.just(Step("index")),
    st.just(Step("index")),
)


@pytest.mark.slow
@pytest.mark.proves("S16", part="sources")
@pytest.mark.parametrize("kind", STORES)
@settings(max_examples=30, deadline=None)
@example(
    steps=[
        Step("write", "plan.md", CONTENTS[1]),
        Step("write", "sub/plan.md", CONTENTS[1]),
        Step("index"),
        Step("delete", "plan.md"),
        Step("rename", "sub/plan.md", "plan.md"),
        Step("write", "sub/query.py", CONTENTS[5]),
    ]
)
@given(steps=st.lists(STEPS, max_size=25))
def test_after_any_edits_the_store_holds_what_a_first_run_would_leave(
    kind: str, steps: list[Step]
) -> None:
    with TemporaryDirectory() as place:
        root = Path(place, "project")
        root.mkdir()
        with closing(STORES[kind](Path(place, "old.pinyon"))) as store:
            for second, step in enumerate(steps):
                if step.do == "index":
                    index(store, root)
                else:
                    EDITS[step.do](root, step, second)
            index(store, root)
            with closing(STORES[kind](Path(place, "new.pinyon"))) as fresh:
                index(fresh, root)
                assert content(store) == content(fresh)
            assert store.examine() == []


def content(store: Store) -> dict[str, object]:
    """Records, edges and files, without what tells when they were written."""
    with store.snapshot() as view:
        known = view.survey(Files("project"))
        edges = list(view.all_edges())
    return {
        "records": texts(store),
        "edges": edges,
        "files": {path: replace(state, modified_ns=0) for path, state in known.items()},
    }


def write(root: Path, step: Step, second: int) -> None:
    """Each in a second of its own: the law holds for files whose date or size tells a change."""
    file = root / step.path
    if file.is_dir() or any(above.is_file() for above in file.parents):
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(step.other, encoding="utf-8")
    touch(root, step, second)


def touch(root: Path, step: Step, second: int) -> None:
    if (root / step.path).is_file():
        os.utime(root / step.path, (second, second))


def delete(root: Path, step: Step, second: int) -> None:
    place = root / step.path
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def rename(root: Path, step: Step, second: int) -> None:
    """Over what was there, of the same sort; never into itself."""
    place, target = root / step.path, root / step.other
    if not place.exists() or target.is_relative_to(place) or place.is_relative_to(target):
        return
    if any(above.is_file() for above in target.parents):
        return
    delete(root, Step("delete", step.other), second)
    target.parent.mkdir(parents=True, exist_ok=True)
    place.rename(target)


EDITS: Mapping[str, Callable[[Path, Step, int], None]] = {
    "write": write,
    "touch": touch,
    "delete": delete,
    "rename": rename,
}
