"""Kill: starts a writer and ends it at a moment that chance chooses.

All chance comes from one seed, which a failed test shows; PINYON_SEED=17 gives it again. Where
SQLite stood when a writer died by its own hand is then the same; a kill from outside is as exact as
the clock of the machine.
"""

import os
import random
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pinyon
from tests.faults.length import lasting

SEED = int(os.environ.get("PINYON_SEED") or lasting(7, secrets.randbelow(1_000_000)))
ROOT = Path(__file__).parents[2]

Process = subprocess.Popen[str]


class Reach(NamedTuple):
    """How far a writer may come before it dies, at most: lines that it says, seconds after the last
    of them, hundreds of steps, commits."""

    lines: int
    seconds: float
    steps: int
    commits: int


def chances(name: str) -> random.Random:
    """Where a test takes its chance from."""
    print(f"PINYON_SEED={SEED}")  # noqa: T201  (shown where the test fails)
    return random.Random(f"{name} {SEED}")


def start(what: str, *arguments: str | Path, death: str = "none") -> Process:
    """A writer at work."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.writer", death, what, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
    )


def killed(chance: random.Random, reach: Reach, what: str, *arguments: str | Path) -> list[str]:
    """What a writer said before it died."""
    deaths = {"none": 0, "step": reach.steps, "commit": reach.commits}
    how = chance.choices(["none", "step", "commit"], [2, 1, 1])[0]
    count = chance.randrange(deaths[how]) if deaths[how] else 0
    writer = start(what, *arguments, death=f"{how}:{count}")
    said: list[str] = []
    if how == "none":
        said += _some(writer, 1 + chance.randrange(reach.lines))
        time.sleep(chance.uniform(0, reach.seconds))
        writer.kill()
    return said + ended(writer)


def ended(writer: Process) -> list[str]:
    """What else a writer said that was killed, or dies by its own hand; it complains of nothing."""
    assert writer.stdout is not None
    rest = writer.stdout.read()  # `communicate` would miss what is buffered already
    _, problems = writer.communicate(timeout=120)
    assert (problems, writer.returncode) == ("", -9), problems
    # A line that was cut off was not said.
    return [line.rstrip("\n") for line in rest.splitlines(keepends=True) if line.endswith("\n")]


def left_beside(path: Path) -> set[str]:
    """What lies beside a store when one who wrote to it has closed it: readers leave the log."""
    with pinyon.open(path, background=False) as engine:
        engine.save(pinyon.Record(id="after"), replace=True)
    return {file.name for file in path.parent.iterdir()} - {path.name}


def _some(writer: Process, lines: int) -> Iterator[str]:
    assert writer.stdout is not None
    for _ in range(lines):
        line = writer.stdout.readline().rstrip("\n")
        if line:
            yield line
        if line in ("", "end"):
            return
