"""A writer that is killed at any moment loses nothing that it was told is saved, and leaves nothing
half done."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.store.contract import PURGE
from tests.faults.child import start
from tests.faults.kill import Reach, chances, killed, left_beside
from tests.faults.length import lasting
from tests.faults.operations import Clock, Operation, Plan, do, parts, word

STORES, KILLS = lasting(1, 12), lasting(7, 10)
"""Stores, and the kills that each survives."""

PLANNED = 25
REACH = Reach(lines=PLANNED, seconds=0.02, steps=2500, commits=PLANNED)


@pytest.mark.parametrize("store", range(STORES))
def test_what_was_acknowledged_is_there_and_nothing_is_half_there(
    tmp_path: Path, store: int
) -> None:
    """Another store, which nobody kills, is told what was acknowledged. The killed one says the
    same, to the byte; or it has also done what was on its way, or whole commits of it."""
    path, script = tmp_path / "killed.pinyon", tmp_path / "script"
    chance, clock = chances(f"plan {store}"), Clock()
    done: list[Operation] = []
    unfinished: list[Operation] = []
    with pinyon.open(tmp_path / "told" / "told.pinyon", clock=clock, background=False) as told:
        for _ in range(KILLS):
            plan = Plan.after(done)
            planned = unfinished + [plan.next(chance) for _ in range(PLANNED)]
            script.write_text("\n".join(map(json.dumps, planned)), encoding="utf-8")
            did = killed(chance, REACH, "plan", path, script).count("did")
            for operation in planned[:did]:
                do(told, clock, operation)
            with pinyon.open(path, clock=clock, background=False) as engine:
                assert engine.examine() == []
                held = state(engine)
                more = also_done(held, told, clock, planned[did : did + 1])
                assert held == state(told)
                minutes = [each["minute"] for each in planned[max(0, did - 8) : did + 3]]
                assert answers(engine, minutes) == answers(told, minutes)
            done += [*planned[:did], *more]
            unfinished = planned[did : did + 1] if more and more != planned[did : did + 1] else []
    assert left_beside(path) == {script.name, "told"}
    with pinyon.open(path, background=False) as engine:
        assert PURGE not in engine.config()  # who writes next finishes one that was broken off
    assert len(done) > KILLS


def also_done(
    held: list[object], told: Engine, clock: Clock, flying: Sequence[Operation]
) -> list[Operation]:
    """As much of what was on its way as the killed store has; `told` has it then as well."""
    did: list[Operation] = []
    for part in (part for operation in flying for part in parts(operation)):
        if held == state(told):
            break
        do(told, clock, part)
        did = [part]
    return did


def state(engine: Engine) -> list[object]:
    """Everything that the store holds."""
    verdicts = [(each.at, each.id, each.verdict, each.query) for each in engine.verdicts()]
    config = {key: value for key, value in engine.config().items() if key != PURGE}
    return [list(engine.export()), config, verdicts]


def answers(engine: Engine, minutes: Sequence[int]) -> list[object]:
    """What is found by the words that were written last, or would have been; and by tag."""
    found = [
        [hit.id for hit in engine.search(word(minute), fix=False, track=False, limit=50)]
        for minute in minutes
    ]
    counts = replace(engine.stats(), revision=0, bytes=0)
    return [found, engine.values("tags"), counts]


FIRST = """
print("begun", flush=True)
pinyon.open(path).close()
print("made", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("lines", [1, 2])
def test_a_store_whose_making_was_interrupted_is_made_by_the_next(
    tmp_path: Path, lines: int
) -> None:
    path = tmp_path / "new.pinyon"
    maker = start(FIRST, path)
    assert maker.stdout is not None
    for _ in range(lines):
        maker.stdout.readline()
    maker.kill()
    maker.communicate(timeout=60)
    with pinyon.open(path) as engine:
        engine.save(pinyon.Record(id="fox"))
        assert engine.examine() == []
