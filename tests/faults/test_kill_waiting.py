"""Writers that wait for their turn get it, when the one whose turn it is dies."""

import json
import time
from collections import Counter
from pathlib import Path

import pytest

import pinyon
from pinyon.engine import Engine
from tests.faults.kill import chances, ended, start
from tests.faults.length import lasting
from tests.faults.writer import HELD

KILLS = lasting(3, 25)


@pytest.mark.proves("X9", part="proof")
def test_the_death_of_a_writer_lets_the_next_one_write(tmp_path: Path) -> None:
    path, chance = tmp_path / "shared.pinyon", chances("waiting")
    pinyon.open(path).close()
    saved: set[str] = set()
    waits = start("save", path, "waits")
    assert waits.stdout is not None
    for kill in range(KILLS):
        holds = start("hold", path, f"k{kill}")
        assert holds.stdout is not None
        said = [holds.stdout.readline() for _ in range(2 * chance.randrange(1, 4))]
        assert said[-1] == "begins\n"  # it has its turn, or is about to
        time.sleep(chance.uniform(0, 0.05))
        holds.kill()
        said += [f"{line}\n" for line in ended(holds)]
        saved |= {id for line in said for id in line.split()[1:]}
        # Some of these it said before, some since, and one at least after the death.
        lines = [waits.stdout.readline() for _ in range(50)]
        assert all(line.startswith("did ") for line in lines if line != "ready\n")
        saved |= {id for line in lines for id in line.split()[1:]}
    waits.kill()
    saved |= {id for line in ended(waits) for id in line.split()[1:]}
    with pinyon.open(path) as engine:
        assert {record.id for record in engine.get(*saved)} == saved
        assert engine.examine() == []
        held = Counter(id.rpartition("-")[0] for id in everything(engine) if id.startswith("k"))
    assert set(held.values()) == {HELD}  # each commit wholly, or not at all


def everything(engine: Engine) -> list[str]:
    return [json.loads(line)["id"] for line in engine.export()]
