"""Embedding and changing the model may be killed at any moment: each vector is that of its text,
and every text without one still waits for it."""

from datetime import timedelta
from pathlib import Path

import numpy as np

from pinyon.model.record import Record
from pinyon.store.contract import Store
from pinyon.store.questions import Models, VectorsOf, Waiting
from pinyon.store.sqlite import SqliteStore
from pinyon.text.passages import passages
from tests.faults.kill import Reach, chances, killed, left_beside
from tests.faults.length import lasting
from tests.index.embedding import Fake, run, vector_of
from tests.store.world import NOW, fetched, surveyed

KILLS = lasting(4, 50)
LATER = timedelta(hours=1)
"""What a dead writer held is free again."""
REACH = Reach(lines=12, seconds=0.05, steps=3000, commits=20)


def test_killed_embedding_and_model_changes_leave_every_text_embedded_or_waiting(
    tmp_path: Path,
) -> None:
    path, chance = tmp_path / "killed.pinyon", chances("meaning")
    now = NOW
    for kill in range(KILLS):
        now += LATER
        said = [line.split() for line in killed(chance, REACH, "embed", path, f"k{kill}", str(now))]
        saved = {id for what, *ids in said if what == "saved" for id in ids}
        store = SqliteStore(path)
        assert store.examine() == []
        assert saved == fetched(store, *saved).keys()
        check_vectors(store)
        now += LATER
        for model in surveyed(store, Models()):
            run(store, Fake(name=model.name), now=now)
        assert not any(surveyed(store, Waiting(each.name)) for each in surveyed(store, Models()))
        check_vectors(store)
        assert store.examine() == []
        store.close()
    assert left_beside(path) == set()


def check_vectors(store: Store) -> None:
    """Each passage has the vector of its own text, by every model, where it has one; by one that is
    in use it has one, or waits."""
    held = everything(store)
    for model in surveyed(store, Models()):
        vectors = surveyed(store, VectorsOf(tuple(held), model.name))
        for id, found in vectors.items():
            [vector] = found
            assert np.array_equal(np.frombuffer(vector, np.float32), embedded(held[id]))
        if model.state != "idle":
            waiting = sum(surveyed(store, Waiting(model.name)).values())
            assert len(vectors) + waiting == len(held)


def everything(store: Store) -> dict[str, Record]:
    with store.snapshot() as view:
        return {record.id: record for record in view.records()}


def embedded(record: Record) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    [passage] = passages(record)
    return vector_of(passage.text)
