"""Files: short, free of one machine's paths, with print and the environment in their place."""

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "pinyon"
LONGEST = 400
# The folders that exist on one machine only. A slash inside a longer path (docs/home/) is none.
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:home|root|work|Users)/")
ENVIRONMENT = frozenset({"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv"})


def test_no_source_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST} == {}


def test_no_file_names_a_path_of_one_machine() -> None:
    named = [
        f"{name(path)}:{number}: {line.strip()}"
        for path in tracked()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert named == [], "\n".join(named)


def test_only_surfaces_print() -> None:
    printing = [
        f"{name(path)}:{node.lineno}"
        for path in modules()
        if not path.is_relative_to(SOURCE / "surfaces")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
    ]
    assert printing == []


def test_only_settings_reads_the_environment() -> None:
    readers = {name(path) for path in modules() if any(environment_in(tree_of(path)))}
    assert readers <= {"src/pinyon/settings.py"}


@pytest.mark.parametrize(
    "line",
    ["import os; os.environ['A']", "import os; os.getenv('A')", "from os import environ as e"],
)
def test_each_way_to_read_the_environment_is_seen(line: str) -> None:
    assert any(environment_in(ast.parse(line)))


def test_a_path_of_one_machine_is_told_from_a_folder_of_that_name() -> None:
    folders = ["home", "root", "work", "Users"]
    assert all(MACHINE_PATH.search(f'open("/{folder}/a")') for folder in folders)
    assert not any(MACHINE_PATH.search(f"see docs/{folder}/a") for folder in folders)


def modules() -> Iterator[Path]:
    return SOURCE.rglob("*.py")


def tracked() -> list[Path]:
    """What git has or would take; skips where there is no git."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("needs git and its repository")
    listing = subprocess.run(
        [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    paths = (ROOT / line for line in listing.stdout.split("\0") if line)
    return [path for path in paths if path.is_file()]


def environment_in(tree: ast.AST) -> Iterator[bool]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "os":
            yield node.attr in ENVIRONMENT
        elif isinstance(node, ast.ImportFrom) and node.module == "os":
            yield any(alias.name in ENVIRONMENT for alias in node.names)


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
