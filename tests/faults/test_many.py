"""Many at once: processes with many threads read and write one store. Every read shows one moment,
no update is lost, nobody is turned away, and the log of the store does not grow without end."""

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon.engine import Engine
from tests.faults.crowd import COUNTERS, LEDGER, TAGGED, check_ledger, prepare
from tests.faults.kill import ROOT
from tests.faults.length import lasting

PROCESSES, THREADS = 8, 8
SHELLS = 2
"""Threads that run one command of `pinyon` after another, in a process of their own."""

SECONDS = lasting(5, 60)
PATIENCE_S = 120
"""How long after its time a crowd may take to end."""

MOST_LOG = 64 * 1024 * 1024
"""Bytes of the write-ahead log, while all of them read and write."""


@pytest.mark.proves("X9", part="proof")
def test_many_readers_and_writers_at_once_see_whole_moments_and_lose_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "shared.pinyon"
    prepare(path)
    members, largest = crowded(path, ["library"] * PROCESSES + ["shell"], SECONDS)
    log = [entry for member in members for entry in member["log"]]
    with pinyon.open(path, background=False) as engine:
        check_counters(engine, log)
        check_tags(engine, members)
        check_own(engine, members)
        check_ledger(engine.get(*LEDGER))
        assert engine.examine() == []
    figures(members, largest)
    assert largest < MOST_LOG


@pytest.mark.proves("X9", part="proof")
def test_all_that_change_the_same_record_at_once_get_their_turn(tmp_path: Path) -> None:
    path = tmp_path / "shared.pinyon"
    prepare(path)
    members, largest = crowded(path, ["same"] * PROCESSES, SECONDS / 2)
    with pinyon.open(path, background=False) as engine:
        check_tags(engine, members)
        assert engine.examine() == []
    figures(members, largest)
    assert min(member["done"] for member in members) > 0


def crowded(path: Path, does: list[str], seconds: float) -> tuple[list[dict[str, Any]], int]:
    """What each thread did, and the largest size of the log meanwhile."""
    logs = [path.with_name(f"{number}.json") for number in range(len(does))]
    crowd = [
        start(path, what, f"p{number}n", seconds, log)
        for number, (what, log) in enumerate(zip(does, logs, strict=True))
    ]
    largest = 0
    end = time.monotonic() + seconds + PATIENCE_S
    while any(process.poll() is None for process in crowd) and time.monotonic() < end:
        largest = max(largest, log_size(path))
        time.sleep(0.05)
    for process in crowd:
        process.kill()  # it has ended long ago, or hangs
    problems = [process.communicate(timeout=60)[1] for process in crowd]
    assert [each for each in problems if each] == []
    assert [process.returncode for process in crowd] == [0] * len(crowd)
    return [member for log in logs for member in json.loads(log.read_text("utf-8"))], largest


def start(path: Path, does: str, name: str, seconds: float, log: Path) -> "subprocess.Popen[str]":
    threads = SHELLS if does == "shell" else THREADS
    arguments = [path, does, name, seconds, threads, log]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.crowd", *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
    )


def log_size(path: Path) -> int:
    try:
        return Path(f"{path}-wal").stat().st_size
    except FileNotFoundError:
        return 0


def check_counters(engine: Engine, log: list[list[Any]]) -> None:
    """Each acknowledged increment made a version of its own, without a gap, and counted once."""
    for record in engine.get(*COUNTERS):
        made = sorted(
            version
            for what, *rest in log
            if what == "count"
            for id, version in [rest]
            if id == record.id
        )
        assert made == list(range(2, len(made) + 2))
        assert (record.version, record.body) == (len(made) + 1, str(len(made)))
        history = [version.record.body for version in engine.history(record.id)]
        assert history == [str(value) for value in range(len(made))]


def check_tags(engine: Engine, members: list[dict[str, Any]]) -> None:
    """The last tag of each thread is there, and no other."""
    tags = [
        [tag for what, *rest in member["log"] if what == "tag" for tag in rest]
        for member in members
    ]
    assert set(engine.get(TAGGED)[0].tags) == {each[-1] for each in tags if each}
    assert engine.get(TAGGED)[0].version == 1 + sum(map(len, tags))


def check_own(engine: Engine, members: list[dict[str, Any]]) -> None:
    """What was saved is there, each with a version for each acknowledged change; what was forgotten
    is not."""
    own = {id for member in members for id in member["own"]}
    saved = {id for member in members for what, id, *_ in member["log"] if what == "save"}
    forgotten = {id for member in members for what, id, *_ in member["log"] if what == "forget"}
    assert own == saved - forgotten
    updates = Counter(
        id for member in members for what, id, *_ in member["log"] if what == "update"
    )
    assert {record.id: record.version for record in engine.get(*own)} == {
        id: 1 + updates[id] for id in own
    }
    others = len(COUNTERS) + len(LEDGER) + 1
    assert engine.stats().documents == len(own) + others
    shell = {id for member in members for what, id, *_ in member["log"] if what == "shell"}
    assert all(engine.history(id)[-1].change == "forgotten" for id in shell)


def figures(members: list[dict[str, Any]], largest: int) -> None:
    done = sum(member["done"] for member in members)
    written = Counter(what for member in members for what, *_ in member["log"])
    slowest = max(member["slowest_s"] for member in members)
    least = min(member["done"] for member in members)
    print(  # noqa: T201  (shown by `make faults`)
        f"{done} operations, acknowledged and checked: {dict(written)}; each thread did at least"
        f" {least}; the slowest took {slowest:.1f} s; log at most {largest / 1e6:.1f} MB"
    )
