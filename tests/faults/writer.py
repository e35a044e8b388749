"""Writer: the program that is killed. It does what it is told, and says so after each step.

    python -m tests.faults.writer DEATH WHAT PATH ...

DEATH is `step:N`, `commit:N` or `none`: it dies by its own hand inside the N-th hundred steps of
SQLite's machine, or as the N-th commit begins; or it is killed from outside. At its end it waits.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import apsw

import pinyon
from pinyon.index.embed import embed_waiting
from pinyon.store.contract import Batch
from pinyon.store.questions import Model
from pinyon.store.sqlite import SqliteStore
from tests.faults.operations import Clock, do
from tests.index.embedding import DIMS, Fake
from tests.store.world import record

STEPS = 100
"""Of SQLite's machine, between two looks at whether it is time to die."""

HELD = 400
"""Records of one long commit."""


def main(death: str, what: str, *arguments: str) -> None:
    """Runs until it is killed."""
    how, _, count = death.partition(":")
    if how in _DEATHS:
        apsw.connection_hooks.append(_DEATHS[how](dying(int(count))))
    say("ready")
    _WRITES[what](*arguments)
    say("end")
    if how in _DEATHS:
        die()
    sys.stdin.read()


def say(*words: object) -> None:
    print(*words, flush=True)  # noqa: T201  (the one who kills it reads this)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def at_step(tick: Callable[[], bool]) -> Callable[[apsw.Connection], None]:
    """In the middle of a statement."""
    return lambda db: db.set_progress_handler(tick, STEPS, id="death")


def at_commit(tick: Callable[[], bool]) -> Callable[[apsw.Connection], None]:
    """When everything is written but nothing is committed."""
    return lambda db: db.set_commit_hook(tick, id="death")


def dying(count: int) -> Callable[[], bool]:
    """Dies when it is asked after it was asked so often."""
    left = iter(range(count, -1, -1))

    def tick() -> bool:
        if next(left) == 0:
            die()
        return False

    return tick


def plan(path: str, script: str) -> None:
    """Do the operations of a file, one a line."""
    clock = Clock()
    with pinyon.open(path, clock=clock, background=False) as engine:
        for line in Path(script).read_text("utf-8").splitlines():
            do(engine, clock, json.loads(line))
            say("did")


def index(path: str, folder: str) -> None:
    """Index a folder."""
    with pinyon.open(path, background=False) as engine:
        engine.index(folder)
        say("did")


def embed(path: str, name: str, at: str) -> None:
    """Change to a model, save and embed, again and again."""
    store = SqliteStore(Path(path))
    now = datetime.fromisoformat(at)
    for round_ in range(100):
        model = f"fake@{round_ % 3}"
        store.commit(Batch(now=now, use=Model(model, model, DIMS)))
        ids = [f"{name}-{round_}-{number}" for number in range(15)]
        records = [record(id, body=f"amber {id.replace('-', ' ')}") for id in ids]
        store.commit(Batch(now=now, records=records))
        say("saved", *ids)
        for active in ("fake@0", "fake@1", "fake@2"):
            embed_waiting(store, Fake(name=active), clock=lambda: now, owner=name)
        if round_ % 5 == 4:
            store.commit(Batch(now=now, drop=[f"fake@{(round_ + 1) % 3}"]))
        say("embedded", *ids)


def migrate(path: str) -> None:
    """Open a store that an older version wrote."""
    pinyon.open(path, create=False, background=False).close()
    say("did")


def backup(path: str, target: str) -> None:
    """Copy a store again and again, while it is written to."""
    with pinyon.open(path, background=False) as engine:
        for _ in range(1000):
            engine.save(pinyon.Record(body="amber"))
            engine.backup(target, replace=True)
            say("did", engine.stats().documents)


def save(path: str, name: str) -> None:
    """Save one record after another."""
    with pinyon.open(path, background=False) as engine:
        for number in range(10_000):
            say("did", engine.save(pinyon.Record(id=f"{name}-{number}", body=f"amber {number}")))


def hold(path: str, name: str) -> None:
    """Write many records in each commit, so that others wait."""
    store = SqliteStore(Path(path))
    for number in range(1000):
        ids = [f"{name}-{number}-{at}" for at in range(HELD)]
        say("begins")
        store.commit(Batch(now=datetime.now(UTC), records=[record(id, body=id) for id in ids]))
        say("did", *ids)


_DEATHS = {"step": at_step, "commit": at_commit}
_WRITES: dict[str, Callable[..., None]] = {
    "plan": plan,
    "index": index,
    "embed": embed,
    "migrate": migrate,
    "backup": backup,
    "save": save,
    "hold": hold,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
