"""Processes that embed may be killed at any moment, and may be many: no record is lost, no finished
batch is done again, and none is done twice."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pinyon.index.embed import LEASE_S
from pinyon.store.contract import Store
from pinyon.store.questions import Model, Progress, VectorsOf, Waiting
from pinyon.store.sqlite import SqliteStore
from tests.faults.embed_child import DIMS, NAME, Child, committed, given
from tests.store.world import NOW, commit, fetched, record, save, surveyed

TEXTS = 600
KILLS = ((0, 1), (1, 1), (1, 2), (2, 3), (1, 1))
"""How many batches a child may finish, and after how many of its lines it is killed: in a batch,
while it commits, after it, in the third one."""
LATER = timedelta(minutes=10)
IDS = [f"r{at:04}" for at in range(TEXTS)]


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A store in which TEXTS records wait, the text of each being its id."""
    place = tmp_path / "embedding.pinyon"
    store = SqliteStore(place)
    commit(store, use=Model(NAME, "child", DIMS))
    save(store, *(record(id, kind="note", body=id) for id in IDS))
    store.close()
    yield place
    assert examined(place) == []


def examined(path: Path) -> list[object]:
    store = SqliteStore(path)
    findings = store.examine()
    store.close()
    return list(findings)


def embedded(store: Store) -> set[str]:
    return set(surveyed(store, VectorsOf(tuple(IDS), NAME)))


@pytest.mark.proves("B2")
@pytest.mark.proves("B12")
def test_a_killed_run_loses_no_record_and_repeats_no_finished_batch(
    tmp_path: Path, path: Path
) -> None:
    log = tmp_path / "log"
    finished: dict[str, set[str]] = {}
    store = SqliteStore(path)
    for kill, (batches, read) in enumerate(KILLS):
        child = Child(path, log, str(kill), NOW + kill * LATER)
        child.allow(batches)
        lines = [child.line() for _ in range(read)]
        lines += child.kill()
        acknowledged = committed(lines)
        finished[str(kill)] = embedded(store)
        assert acknowledged <= finished[str(kill)]
        assert set(fetched(store, *IDS)) == set(IDS)
        assert store.examine() == []
    last = Child(path, log, "last", NOW + len(KILLS) * LATER)
    assert last.end()[-1] == "done"

    assert embedded(store) == set(IDS)
    assert set(fetched(store, *IDS)) == set(IDS)
    assert surveyed(store, Waiting(NAME)) == {}
    assert surveyed(store, Progress(NAME)) == {"note": {"done": TEXTS}}
    store.close()
    repeated = [
        (before, run, text)
        for before, texts in finished.items()
        for run, text in given(log)
        if text in texts and run > before  # "last" comes after every number
    ]
    assert repeated == []
    assert 0 < len(finished["2"]) <= len(finished["4"]) < TEXTS
    assert len(given(log)) > TEXTS  # what was begun and not finished, and only that, came again


def test_a_batch_that_was_killed_is_held_until_its_lease_is_over(
    tmp_path: Path, path: Path
) -> None:
    log = tmp_path / "log"
    child = Child(path, log, "killed", NOW)
    assert child.line() == "given"
    child.kill()
    held = {text for _, text in given(log)}
    soon = Child(path, log, "soon", NOW + timedelta(seconds=LEASE_S - 1))
    assert committed(soon.end()) == set(IDS) - held
    late = Child(path, log, "late", NOW + timedelta(seconds=LEASE_S))
    assert committed(late.end()) == held


def test_processes_that_embed_at_once_share_the_work_and_embed_nothing_twice(
    tmp_path: Path, path: Path
) -> None:
    log = tmp_path / "log"
    children = {run: Child(path, log, run, NOW) for run in ("one", "two", "three")}
    # Each holds a batch before any of them may go on.
    assert [child.line() for child in children.values()] == ["given"] * 3
    for child in children.values():
        child.allow(1000)
    shares = {run: committed(child.end()) for run, child in children.items()}
    texts = [text for _, text in given(log)]
    assert len(texts) == len(set(texts)) == TEXTS
    assert all(len(share) >= 100 for share in shares.values())
    assert sum(len(share) for share in shares.values()) == TEXTS
    assert set.union(*shares.values()) == set(IDS)
