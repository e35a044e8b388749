"""A writer that is killed at any moment loses nothing that it was told is saved."""

import random
from pathlib import Path

import pytest

import pinyon
from tests.faults.child import start

KILLS = 20
WRITER = """
name = sys.argv[2]
with pinyon.open(path) as engine:
    for at in range(100_000):
        id = engine.save(Record(id=f"{name}-{at}", body=f"amber {at} " * 50, tags=("wild",)))
        if at % 3 == 2:
            engine.update(f"{name}-{at - 1}", body="changed")
            engine.forget(f"{name}-{at - 2}")
            engine.link(id, "follows", f"{name}-{at - 1}")
        print(id, flush=True)
"""


def test_what_was_acknowledged_survives_the_death_of_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "killed.pinyon"
    chance = random.Random(7)
    acknowledged: list[str] = []
    for kill in range(KILLS):
        writer = start(WRITER, path, f"w{kill}")
        assert writer.stdout is not None
        for _ in range(chance.randrange(1, 12)):
            acknowledged.append(writer.stdout.readline().strip())
        writer.kill()
        # What it had printed before it died was saved as well.
        rest, problems = writer.communicate(timeout=60)
        acknowledged += [line for line in rest.splitlines(keepends=False) if line]
        assert problems == ""
    with pinyon.open(path) as engine:
        assert [id for id in acknowledged if not engine.history(id) and not engine.get(id)] == []
        assert len(set(acknowledged)) == len(acknowledged) >= KILLS
        assert engine.examine() == []
        saved = engine.save(pinyon.Record(id="after", body="written after all that"))
        assert [hit.id for hit in engine.search("written after")] == [saved]


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
