"""Ignore like git: for any rules, the walk reads the files that git would add."""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse import most_bytes
from pinyon.index.source.folder import walk
from tests.index.folders import write

RULES = [
    "*",
    "*.md",
    "!*.md",
    "/*",
    "!/docs/",
    "docs",
    "!docs",
    "docs/",
    "a/",
    "!a/",
    "!*/",
    "a/b",
    "/a/*",
    "!a/b",
    "**/b.md",
    "a/**",
    "!a/**",
    "a/**/b",
    "!a.md",
    "/a.md",
    "[ab].md",
    "!a/b.md",
    "docs/*",
    "!docs/a.md",
    "?.md",
    "*/",
    "**/",
    "a/**/",
    "\\!a.md",
    "!",
    "\\",
    "**",
    "docs/**",
]
FOLDERS = ["", "a", "a/b", "docs", "docs/a"]
FILES = [f"{folder}/{name}".lstrip("/") for folder in FOLDERS for name in ("a.md", "b.md", "x.txt")]


@pytest.mark.skipif(not shutil.which("git"), reason="compares with git")
@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(FOLDERS),
        st.lists(st.sampled_from(RULES), min_size=1, max_size=5),
        max_size=3,
    )
)
def test_the_walk_reads_what_git_would_add(rules: dict[str, list[str]]) -> None:
    with TemporaryDirectory() as place:
        root = write(Path(place), dict.fromkeys(FILES, "text"))
        ignore = {f"{folder}/.gitignore".lstrip("/"): "\n".join(rules[folder]) for folder in rules}
        write(root, ignore)
        git("init", "-q", cwd=root)
        listed = git("ls-files", "-z", "--others", "--exclude-per-directory=.gitignore", cwd=root)
        would_add = sorted(path for path in listed.split("\0") if path and ".gitignore" not in path)
        assert [file.path for file in walk(root, most_bytes).files] == would_add


def git(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout
