"""Index: a folder of source files into a store against bare tree-sitter and bare FTS5.

The files are those of the packages that are installed here, the same ones in the same order.
"""

import os
import shutil
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from statistics import median

import apsw
from tree_sitter import Language, Parser

import pinyon
from bench.figure import Figure
from bench.world import World
from pinyon.engine import Engine
from pinyon.index.parse import parse
from pinyon.index.parse.origin import Origin

AT_MOST = 4.0
"""Times bare parsing and bare inserts."""

AGAIN = 5.0
"""Percent of the first run that a second one may take when nothing changed."""

SOON_MS = 1_000.0
"""From the save of a file to the search that finds it."""

FILES = 3_000
LARGEST = 500_000
COMMIT = 100
ROUNDS = 3
SAVES = ("zyzzogeton", "quokkaberry", "umbrageful", "wimblecroft", "xenolithic")
"""Words that no package has, so that only the file just saved is found."""

GRAMMARS = {
    ".py": ("tree_sitter_python", "language"),
    ".js": ("tree_sitter_javascript", "language"),
    ".ts": ("tree_sitter_typescript", "language_typescript"),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
    ".go": ("tree_sitter_go", "language"),
    ".rs": ("tree_sitter_rust", "language"),
    ".java": ("tree_sitter_java", "language"),
    ".c": ("tree_sitter_c", "language"),
    ".h": ("tree_sitter_c", "language"),
    ".cpp": ("tree_sitter_cpp", "language"),
    ".hpp": ("tree_sitter_cpp", "language"),
    ".cs": ("tree_sitter_c_sharp", "language"),
    ".rb": ("tree_sitter_ruby", "language"),
    ".php": ("tree_sitter_php", "language_php"),
}
TEXTS = (".md", ".rst", ".txt")
"""Read by us, and by the rival only inserted."""

_BARE = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE VIRTUAL TABLE bare USING fts5(path, body, tokenize = 'porter unicode61');
"""


def index(world: World) -> list[Figure]:
    """Once for all worlds: what is indexed does not hang on their size."""
    return [] if _figures.cache_info().currsize else _figures(world.cache)


@cache
def _figures(room: Path) -> list[Figure]:
    with tempfile.TemporaryDirectory(dir=room, prefix="index-") as place:
        root = Path(place, "sources")
        size = _copy(root)
        files = sorted(path for path in root.rglob("*") if path.is_file())
        bare_ms, ours_ms, again_ms = [], [], []
        for turn in range(ROUNDS):
            bare_ms.append(_cpu_ms(partial(_bare, Path(place, f"{turn}.db"), root, files)))
            with pinyon.open(Path(place, f"{turn}.pinyon"), background=False) as engine:
                ours_ms.append(_cpu_ms(partial(engine.index, root)))
                again_ms.append(min(_cpu_ms(partial(engine.index, root)) for _ in range(3)))
        parse_ms = _cpu_ms(partial(_parse, root, files))
        with pinyon.open(Path(place, "0.pinyon"), background=False) as engine:
            found_ms = _found_ms(engine, root)
    bare, ours, again = median(bare_ms), median(ours_ms), median(again_ms)
    return [
        Figure(size, "bare tree-sitter and FTS5, CPU", bare, "ms"),
        Figure(size, "index, CPU", ours, "ms"),
        Figure(size, "  of it parsing", parse_ms, "ms"),
        Figure(size, "index / bare", ours / bare, "x", most=AT_MOST),
        Figure(size, "index again, nothing changed", again, "ms"),
        Figure(size, "again / first", 100 * again / ours, "%", most=AGAIN),
        Figure(
            size,
            f"saved under watch, then found, median of {len(SAVES)}",
            found_ms,
            "ms",
            most=SOON_MS,
        ),
    ]


def _copy(root: Path) -> int:
    """The first files of the installed packages; how many there are."""
    packages = Path(sysconfig.get_paths()["purelib"])
    count = 0
    for count, file in enumerate(_sources(packages), start=1):
        target = root / file.relative_to(packages)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        if count == FILES:
            break
    return count


def _sources(packages: Path) -> Iterator[Path]:
    for folder, below, names in os.walk(packages):
        below[:] = sorted(name for name in below if not name.startswith((".", "__pycache__")))
        for name in sorted(names):
            file = Path(folder, name)
            wanted = file.suffix in GRAMMARS or file.suffix in TEXTS
            if wanted and not name.startswith(".") and 0 < file.stat().st_size <= LARGEST:
                yield file


def _cpu_ms(call: Callable[[], object]) -> float:
    """Of this process, and of those that it started and that have ended: parsing may have some."""
    begun = time.process_time() + sum(os.times()[2:4])
    call()
    return 1e3 * (time.process_time() + sum(os.times()[2:4]) - begun)


def _bare(path: Path, root: Path, files: list[Path]) -> None:
    """What nobody can do without: read, parse, insert."""
    db = apsw.Connection(str(path))
    db.execute(_BARE).fetchall()  # to the last statement: the first answers with a row
    for start in range(0, len(files), COMMIT):
        rows = []
        for file in files[start : start + COMMIT]:
            content = file.read_bytes()
            if file.suffix in GRAMMARS:
                _parser(file.suffix).parse(content)
            rows.append((str(file.relative_to(root)), content.decode("utf-8", "replace")))
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO bare VALUES (?, ?)", rows)
        db.execute("COMMIT")
    db.close()


@cache
def _parser(suffix: str) -> Parser:
    module, function = GRAMMARS[suffix]
    return Parser(Language(getattr(import_module(module), function)()))


def _parse(root: Path, files: list[Path]) -> None:
    """Our readers alone, without a store."""
    date = datetime(2024, 1, 1, tzinfo=UTC)
    for file in files:
        text = file.read_bytes().decode("utf-8", "replace")
        parse(text, Origin(root.name, file.relative_to(root).as_posix(), date))


def _found_ms(engine: Engine, root: Path) -> float:
    """Wall time: what counts is how long somebody waits."""
    stop, ready = threading.Event(), threading.Event()
    watching = threading.Thread(
        target=partial(engine.watch, [root], on_report=lambda report: ready.set(), stop=stop)
    )
    watching.start()
    try:
        ready.wait()
        return median(_save_and_find(engine, root, word) for word in SAVES)
    finally:
        stop.set()
        watching.join()


def _save_and_find(engine: Engine, root: Path, word: str) -> float:
    begun = time.perf_counter()
    (root / "saved.md").write_text(f"# Saved\n\nA note about {word}.\n", "utf-8")
    while not len(engine.search(word, profile="keyword", limit=1)):
        if time.perf_counter() - begun > 60:
            raise RuntimeError("a file that was saved under watch is not found")
        time.sleep(0.005)
    return 1e3 * (time.perf_counter() - begun)
