"""Child: a program that uses a store in a process of its own, where it can be hurt."""

import subprocess
import sys
from pathlib import Path

_HEAD = """
import os, sys
import pinyon
from pinyon import PinyonError, Record
path = sys.argv[1]
"""


def start(program: str, *arguments: str | Path) -> "subprocess.Popen[str]":
    """Run the program; `path` is its first argument, `sys.argv` has them all."""
    return subprocess.Popen(
        [sys.executable, "-c", _HEAD + program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def run(program: str, *arguments: str | Path) -> str:
    """What the program prints; it must end well, and within a minute."""
    child = start(program, *arguments)
    output, problems = child.communicate(timeout=60)
    assert (child.returncode, problems) == (0, ""), problems
    return output
