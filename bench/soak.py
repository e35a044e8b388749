"""Soak: does memory stay flat? `python -m bench.soak` searches and saves for minutes over one small
store, and says what the process held at 10 %, 50 % and 100 % of the way.

No two questions are alike: words that no record has, filters, prefixes and phrases, so that what is
remembered of a question would grow.
"""

import argparse
import gc
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pinyon
from pinyon.engine import Engine
from pinyon.model.record import Record

MARKS = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
KEPT = 300
"""Records of the store: a later save writes over an older one."""


class Held(NamedTuple):
    """What a process holds at one moment. `blocks` are those of Python alone: SQLite's cache of
    pages, which grows with the store up to its limit, is in `rss_mb` only."""

    searches: int
    saves: int
    rss_mb: float
    blocks: int
    handles: int
    threads: int


def soak(path: Path, searches: int, saves: int, *, seed: int = 1) -> Iterator[Held]:
    """Search and save in turn, and say at each of MARKS what the process holds."""
    chance = random.Random(seed)
    marks = {round(searches * mark): mark for mark in MARKS}
    saved = 0
    with pinyon.open(path, background=False) as engine:
        for number in range(KEPT):
            engine.save(_record(chance, number))
        for done in range(searches + 1):
            if done in marks:
                engine._tracker.flush()
                yield held(done, saved)
            while saved * searches < saves * done:
                engine.save(_record(chance, saved), replace=True)
                saved += 1
            if done < searches:
                _search(engine, chance, done)


def held(searches: int, saves: int) -> Held:
    """Of this process, without what only waits to be collected."""
    gc.collect()
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    handles = len(list(Path("/proc/self/fd").iterdir()))
    blocks, threads = sys.getallocatedblocks(), threading.active_count()
    return Held(searches, saves, resident / 2**20, blocks, handles, threads)


def _record(chance: random.Random, number: int) -> Record:
    body = " ".join(f"w{chance.randrange(5_000)}" for _ in range(40))
    return Record(id=f"soaked-{number % KEPT}", title=f"number {number}", body=body)


def _search(engine: Engine, chance: random.Random, number: int) -> None:
    word, strange = f"w{chance.randrange(5_000)}", f"unheard{number}"
    asked = (
        f"{word} {strange}",
        f"the file {word}",
        f'"{word} {strange}"',
        f"{word} AND NOT {strange}",
        f"{strange[:9]}*",
        f"body:{word} OR title:{strange}",
    )[number % 6]
    engine.search(
        asked,
        scope=f"team/{strange}" if number % 4 == 1 else "",
        tags=[strange] if number % 4 == 2 else [],
        authors=[strange] if number % 4 == 3 else [],
        fix=number % 10 == 0,
        track=number % 2 == 0,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=100_000)
    parser.add_argument("--saves", type=int, default=10_000)
    given = parser.parse_args()
    os.environ.setdefault("PINYON_MODEL", "none")
    begun = time.monotonic()
    print("  searches    saves   RSS MB     blocks  handles  threads  seconds")
    with tempfile.TemporaryDirectory(prefix="pinyon-soak-") as folder:
        for at in soak(Path(folder) / "soak.pinyon", given.searches, given.saves):
            print(
                f"{at.searches:10,} {at.saves:8,} {at.rss_mb:8.1f} {at.blocks:10,}"
                f" {at.handles:8} {at.threads:8} {time.monotonic() - begun:8.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
