"""Several processes write and read one store at once: nothing is lost, nothing fails."""

from pathlib import Path

import pinyon
from tests.faults.child import start

PROCESSES, SAVES = 4, 50
WRITER = """
name = sys.argv[2]
with pinyon.open(path) as engine:
    for at in range(50):
        engine.save(Record(id=f"{name}-{at}", body=f"amber number {at}"))
        engine.tag("shared", add=[f"{name}-{at}"]) if at % 10 == 0 else None
        assert f"{name}-{at}" in {hit.id for hit in engine.search(f"id:{name} {at}", limit=200)}
print("done")
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "shared.pinyon"
    with pinyon.open(path) as engine:
        engine.save(pinyon.Record(id="shared"))
        writers = [start(WRITER, path, f"w{at}") for at in range(PROCESSES)]
        ended = [writer.communicate(timeout=120) for writer in writers]
        assert ended == [("done\n", "")] * PROCESSES
        expected = {f"w{name}-{at}" for name in range(PROCESSES) for at in range(SAVES)}
        assert {record.id for record in engine.get(*expected)} == expected
        tags = {f"w{name}-{at}" for name in range(PROCESSES) for at in range(0, SAVES, 10)}
        assert set(engine.get("shared")[0].tags) == tags
        assert engine.stats().documents == len(expected) + 1
        assert engine.examine() == []


def test_processes_that_open_a_new_store_at_once_all_succeed(tmp_path: Path) -> None:
    path = tmp_path / "new.pinyon"
    program = """
with pinyon.open(path) as engine:
    engine.save(Record(id=sys.argv[2]))
print("done")
"""
    makers = [start(program, path, f"m{at}") for at in range(PROCESSES)]
    assert [maker.communicate(timeout=60) for maker in makers] == [("done\n", "")] * PROCESSES
    with pinyon.open(path) as engine:
        assert len(engine.get(*(f"m{at}" for at in range(PROCESSES)))) == PROCESSES
