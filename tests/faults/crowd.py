"""Crowd: one process of many that read and write one store at once, with several threads.

    python -m tests.faults.crowd PATH DOES NAME SECONDS THREADS LOG

Each thread does what chance says, checks each read against what must hold at every moment, and logs
what was acknowledged. The program fails as soon as a thread does.
"""

import json
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import pinyon
from pinyon.engine import Engine
from pinyon.model.errors import StaleRecord
from pinyon.model.record import Record
from tests.faults.operations import BEGIN, word

COUNTERS = tuple(f"counter-{at}" for at in range(4))
LEDGER = tuple(f"ledger-{at}" for at in range(8))
TOTAL = 1000
TAGGED = "tagged"


def prepare(path: Path) -> None:
    """A store that a crowd can use."""
    with pinyon.open(path, background=False) as engine:
        for id in (*COUNTERS, TAGGED):
            engine.save(Record(id=id, body="0"))
        write_ledger(engine, random.Random(1), "first")


def write_ledger(engine: Engine, chance: random.Random, stamp: str) -> None:
    """All of it in one commit: shares whose sum is the total, and the stamp in each."""
    cuts = sorted(chance.randrange(TOTAL) for _ in LEDGER[1:])
    shares = [end - start for start, end in zip([0, *cuts], [*cuts, TOTAL], strict=True)]
    lines = [
        {"id": id, "body": f"{share} {stamp}", "created_at": BEGIN.isoformat()}
        for id, share in zip(LEDGER, shares, strict=True)
    ]
    engine.import_jsonl(BytesIO("\n".join(map(json.dumps, lines)).encode()), replace=True)


def check_ledger(records: list[Record]) -> str:
    """One moment: the sum is right, and the stamp the same everywhere. Returns the stamp."""
    shares, stamps = zip(*(record.body.split() for record in records), strict=True)
    assert sum(map(int, shares)) == TOTAL, records
    assert len(set(stamps)) == 1, stamps
    return str(stamps[0])


class Member:
    """One thread of the crowd. `log` has what was acknowledged, each with its kind first."""

    def __init__(self, engine: Engine, path: str, name: str, number: int) -> None:
        self.engine = engine
        self.path = path
        self.name = f"{name}{number}"
        self.number = (sum(map(ord, name)) * 10 + number) * 100_000
        self.chance = random.Random(self.name)
        self.log: list[list[Any]] = []
        self.own: list[str] = []
        self.done = 0
        self.slowest_s = 0.0

    def run(self, until: float, does: dict[str, int]) -> None:
        while time.monotonic() < until:
            self.done += 1
            begun = time.monotonic()
            what = self.chance.choices(list(does), list(does.values()))[0]
            acknowledged: list[Any] | None = getattr(self, what)()
            if acknowledged is not None:
                self.log.append([what, *acknowledged])
            self.slowest_s = max(self.slowest_s, time.monotonic() - begun)

    # writers

    def count(self) -> list[Any] | None:
        [counter] = self.engine.get(self.chance.choice(COUNTERS))
        try:
            after = self.engine.update(
                counter.id, expected=counter.version, body=str(int(counter.body) + 1)
            )
        except StaleRecord:
            return None
        assert after.version == counter.version + 1
        return [after.id, after.version]

    def tag(self) -> list[Any]:
        added = f"{self.name}-{self.done}"
        old = [tag for what, *rest in self.log if what == "tag" for tag in rest][-1:]
        self.engine.tag(TAGGED, add=[added], remove=old)
        return [added]

    def save(self) -> list[Any]:
        id = f"{self.name}-{self.done}"
        self.engine.save(Record(id=id, body=f"own {word(self.number + self.done)}"))
        if self.own:
            self.engine.link(id, "follows", self.own[-1])
        self.own.append(id)
        self.check_own(id)
        return [id]

    def update(self) -> list[Any] | None:
        if not self.own:
            return None
        id = self.chance.choice(self.own)
        self.engine.update(id, title=f"again {self.done}")
        return [id]

    def forget(self) -> list[Any] | None:
        if len(self.own) < 2:
            return None
        id = self.own.pop(0)
        self.engine.forget(id)
        assert not self.found(id)
        return [id]

    def ledger(self) -> None:
        write_ledger(self.engine, self.chance, word(self.number + self.done))

    # readers

    def read_ledger(self) -> None:
        stamp = check_ledger(self.engine.get(*LEDGER))
        hits = self.engine.search(stamp, mode="full", fix=False, limit=20).hits
        found = {id for hit in hits for id in (hit.id, *hit.more)}
        assert found in (set(), set(LEDGER)), found
        assert all(hit.record and stamp in hit.record.body.split() for hit in hits)

    def read_own(self) -> None:
        if self.own:
            self.check_own(self.chance.choice(self.own))

    def export(self) -> None:
        lines = [json.loads(line) for line in self.engine.export()]
        records = {line["id"]: line for line in lines if line["type"] == "record"}
        check_ledger([Record(body=records[id]["body"]) for id in LEDGER])
        versions = [line["record"]["id"] for line in lines if line["type"] == "version"]
        for id in COUNTERS:
            value = int(records[id]["body"])
            assert records[id].get("version", 1) == value + 1
            assert versions.count(id) == value
        edges = [line for line in lines if line["type"] == "edge"]
        assert {end for edge in edges for end in (edge["from"], edge["to"])} <= records.keys()

    def shell(self) -> list[Any]:
        """One `pinyon` after another."""
        id = f"{self.name}-{self.done}"
        self.pinyon("save", "--id", id, "--body", f"shell {word(self.number + self.done)}")
        self.pinyon("tag", "add", id, "wild")
        assert id in self.pinyon("search", "--json", f"id:{id}")
        self.pinyon("forget", id)
        return [id]

    def pinyon(self, *arguments: str) -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "pinyon", *arguments, "--store", self.path],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, ""), ran
        return ran.stdout

    def check_own(self, id: str) -> None:
        [record] = self.engine.get(id)
        assert record.body.startswith("own ")
        found = self.found(id)
        assert found == [id], (id, found)

    def found(self, id: str) -> list[str]:
        written = word(self.number + int(id.rpartition("-")[2]))
        return [hit.id for hit in self.engine.search(written, profile="keyword", fix=False)]


LIBRARY = {
    "count": 4,
    "tag": 2,
    "save": 4,
    "update": 2,
    "forget": 1,
    "ledger": 2,
    "read_ledger": 8,
    "read_own": 8,
    "export": 1,
}
DOES = {"library": LIBRARY, "shell": {"shell": 1}, "same": {"tag": 1}}
"""What each kind of process does, and how often."""


def main(path: str, does: str, name: str, seconds: str, threads: str, log: str) -> None:
    """Everything that was acknowledged goes into the file `log`, at the end."""
    with pinyon.open(path) as engine, ThreadPoolExecutor(int(threads)) as pool:
        until = time.monotonic() + float(seconds)
        members = [Member(engine, path, name, number) for number in range(int(threads))]
        ran = [pool.submit(member.run, until, DOES[does]) for member in members]
        for each in ran:
            each.result()
    told = [
        {"log": each.log, "own": each.own, "done": each.done, "slowest_s": each.slowest_s}
        for each in members
    ]
    Path(log).write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
