"""Embed child: a process that embeds what waits in a store, and goes on only as it is allowed to.

It notes each text in a file before it embeds it. It prints `given` when it holds a batch, waits for
a line of its input, commits, and prints `committed` with the texts: so a test can end it where it
wants.
"""

import subprocess
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

DIMS = 16
NAME = "child@1"

_PROGRAM = """
import os, sys
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
import numpy as np
from pinyon.index.embed import embed_waiting
from pinyon.store.sqlite import SqliteStore

path, log, run, now, name, dims = sys.argv[1:]
notes = open(log, "a", encoding="utf-8")

class Fake:
    name, dims, tokens = name, int(dims), 512
    held = []

    def embed_passages(self, texts):
        for text in texts:
            notes.write(f"{run} {text}\\n")
            notes.flush()
            os.fsync(notes.fileno())
        self.held = texts
        print("given", flush=True)
        sys.stdin.readline()
        return np.stack([self.vector(text) for text in texts])

    def vector(self, text):
        digest = blake2b(text.encode(), digest_size=self.dims).digest()
        numbers = np.frombuffer(digest, np.uint8) - np.float32(127.5)
        return (numbers / np.linalg.norm(numbers)).astype(np.float32)

embedder = Fake()
store = SqliteStore(Path(path))
clock = lambda: datetime.fromisoformat(now)
embed_waiting(
    store,
    embedder,
    clock=clock,
    owner=run,
    progress=lambda pace: pace.done and print("committed", *embedder.held, flush=True),
)
store.close()
print("done", flush=True)
"""


class Child:
    """One run over the store at `path`, at the time `now`; `log` gets a line for each text."""

    def __init__(self, path: Path, log: Path, run: str, now: datetime) -> None:
        arguments = [path, log, run, now.isoformat(), NAME, DIMS]
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def allow(self, batches: int) -> None:
        """Let it embed so many batches."""
        assert self.process.stdin is not None
        self.process.stdin.write("go\n" * batches)
        self.process.stdin.flush()

    def line(self) -> str:
        """The next line that it prints; "" after its end."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self) -> list[str]:
        """End it at once; the lines that it had printed and nobody had read."""
        self.process.kill()
        assert self.process.stdout is not None
        rest = self.process.stdout.read()  # `communicate` would miss what is buffered already
        _, problems = self.process.communicate(timeout=60)
        assert problems == ""
        return rest.splitlines()

    def end(self) -> list[str]:
        """Let it do all the rest and end well; the lines that it prints."""
        rest, problems = self.process.communicate("go\n" * 1000, timeout=60)
        assert (self.process.returncode, problems) == (0, ""), problems
        return rest.splitlines()


def committed(lines: Iterable[str]) -> set[str]:
    """The texts of the batches that were committed, by what a child printed."""
    return {text for line in lines if line.startswith("committed ") for text in line.split()[1:]}


def given(log: Path) -> Sequence[tuple[str, str]]:
    """Each run and text of the log, in order. A line that was cut off by a kill is left out."""
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    whole = (line.split() for line in lines if line.endswith("\n"))
    return [(run, text) for run, text in whole]
