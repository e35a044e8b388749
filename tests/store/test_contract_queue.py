"""What the queue promises: each passage is handed out to one at a time, until it has its vector."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from pinyon.model.errors import InvalidInput
from pinyon.store.contract import MOST_ATTEMPTS, Store, Task, Vector
from pinyon.store.questions import GivenUp, Model, Progress, VectorsOf, Waiting
from tests.store.world import (
    EAST,
    FIRST,
    LATER,
    NORTH,
    NOW,
    SECOND,
    commit,
    embed,
    embedded,
    failed,
    fetched,
    lease,
    leased,
    paragraph,
    record,
    save,
    surveyed,
)

SECOND_LONG = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def sound(store: Store) -> Iterator[None]:
    """Whatever a test did, the store finds nothing wrong with itself."""
    yield
    assert store.examine() == []


def save_one(store: Store, body: str = "fox", **parts: Any) -> Task:
    """One record whose only passage is leased until a minute after NOW."""
    save(store, record("fox", body=body), use=FIRST, **parts)
    [task] = lease(store)
    return task


def fail(store: Store, task: Task, *, times: int = 1, model: Model = FIRST) -> None:
    for _ in range(times):
        commit(store, failures={model.name: [failed(task, "refused")]})


def revision(store: Store) -> int:
    with store.snapshot() as view:
        return view.revision


def test_what_was_written_last_is_handed_out_first_up_to_the_limit(store: Store) -> None:
    commit(store, use=FIRST)
    for id in "abcd":
        save(store, record(id, body=id))
    save(store, record("b", body="b again"))
    assert leased(store, limit=0) == []
    assert leased(store, limit=2) == ["b", "d"]
    assert leased(store, limit=9) == ["c", "a"]


def test_what_somebody_holds_is_handed_out_to_nobody_else(store: Store) -> None:
    save(store, record("a", body="a"), record("b", body="b"), use=FIRST)
    [first] = lease(store, owner="ann", limit=1)
    [second] = lease(store, owner="bob", limit=5)
    assert {first.record, second.record} == {"a", "b"}
    for owner in ("ann", "bob", "eve"):
        assert lease(store, owner=owner) == []
        assert lease(store, owner=owner, now=NOW + MINUTE - SECOND_LONG) == []


def test_a_lease_ends_when_it_said(store: Store) -> None:
    task = save_one(store)
    assert lease(store, owner="bob", now=NOW + MINUTE, until=NOW + 2 * MINUTE) == [task]
    assert lease(store, owner="ann", now=NOW + 2 * MINUTE - SECOND_LONG) == []
    assert lease(store, owner="ann", now=NOW + 2 * MINUTE, until=LATER) == [task]


def test_many_at_a_time_never_get_the_same_passage(store: Store) -> None:
    save(store, *(record(f"{n:02}", body=str(n)) for n in range(24)), use=FIRST)
    with ThreadPoolExecutor(4) as threads:
        handed = list(threads.map(lambda n: leased(store, owner=str(n), limit=5), range(6)))
    assert sorted(id for ids in handed for id in ids) == [f"{n:02}" for n in range(24)]


def test_nothing_waits_for_an_unknown_model(store: Store) -> None:
    save(store, record("fox", body="fox"))
    assert lease(store) == []
    assert surveyed(store, Waiting(FIRST.name)) == {}
    assert surveyed(store, Progress(FIRST.name)) == {}


@pytest.mark.proves("V15")
def test_what_has_a_vector_is_never_handed_out_again(store: Store) -> None:
    task = save_one(store)
    assert surveyed(store, Waiting(FIRST.name)) == {"": 1}
    commit(store, vectors={FIRST.name: [embedded(task, EAST)]})
    assert surveyed(store, Waiting(FIRST.name)) == {}
    assert lease(store, now=LATER) == []
    save(store, record("fox", body="fox"))
    assert lease(store, now=LATER) == []


def test_each_model_has_a_queue_of_its_own(store: Store) -> None:
    task = save_one(store)
    commit(store, use=SECOND)
    assert lease(store, SECOND) == [task]
    fail(store, task, model=SECOND)
    assert surveyed(store, Waiting(FIRST.name)) == {"": 1}
    assert surveyed(store, Waiting(SECOND.name)) == {"refused": 1}
    assert lease(store) == []
    assert lease(store, SECOND) == [task]


def test_what_failed_is_not_handed_out_before_its_time(store: Store) -> None:
    task = save_one(store)
    retry_at = NOW + 3 * MINUTE
    commit(store, failures={FIRST.name: [failed(task, "refused", retry_at)]})
    assert surveyed(store, Waiting(FIRST.name)) == {"refused": 1}
    assert lease(store, now=retry_at - SECOND_LONG) == []
    assert lease(store, now=retry_at, until=LATER) == [task]


def test_what_failed_may_be_handed_out_again_before_its_lease_would_have_ended(
    store: Store,
) -> None:
    task = save_one(store)
    fail(store, task)
    assert lease(store, owner="bob") == [task]


def test_the_last_reason_counts(store: Store) -> None:
    save(store, *(record(id, body=id) for id in "abc"), use=FIRST)
    tasks = {task.record: task for task in lease(store)}
    for reason, ids in {"slow": "ab", "refused": "b"}.items():
        commit(store, failures={FIRST.name: [failed(tasks[id], reason) for id in ids]})
    assert surveyed(store, Waiting(FIRST.name)) == {"": 1, "slow": 1, "refused": 1}


def test_what_is_given_back_untried_waits_as_before(store: Store) -> None:
    task = save_one(store)
    for _ in range(MOST_ATTEMPTS + 1):
        commit(store, failures={FIRST.name: [failed(task)]})
        assert lease(store, owner="bob") == [task]
    assert surveyed(store, Waiting(FIRST.name)) == {"": 1}
    fail(store, task)
    commit(store, failures={FIRST.name: [failed(task)]})
    assert surveyed(store, Waiting(FIRST.name)) == {"refused": 1}


def test_what_failed_too_often_is_given_up_and_counted_apart(store: Store) -> None:
    task = save_one(store)
    fail(store, task, times=MOST_ATTEMPTS - 1)
    assert lease(store) == [task]
    assert surveyed(store, Progress(FIRST.name)) == {"memory": {"pending": 1}}
    fail(store, task)
    assert lease(store, now=LATER) == []
    assert surveyed(store, Waiting(FIRST.name)) == {}
    assert surveyed(store, GivenUp(FIRST.name)) == {"refused": 1}
    assert surveyed(store, Progress(FIRST.name)) == {"memory": {"failed": 1}}


def test_a_vector_is_welcome_for_what_was_given_up(store: Store) -> None:
    task = save_one(store)
    fail(store, task, times=MOST_ATTEMPTS)
    commit(store, vectors={FIRST.name: [embedded(task, EAST)]})
    assert surveyed(store, GivenUp(FIRST.name)) == {}
    assert surveyed(store, Progress(FIRST.name)) == {"memory": {"done": 1}}


def test_changed_text_is_tried_afresh(store: Store) -> None:
    task = save_one(store)
    fail(store, task, times=MOST_ATTEMPTS)
    save(store, record("fox", body="fox and hen"))
    assert surveyed(store, Waiting(FIRST.name)) == {"": 1}
    assert [task.text for task in lease(store)] == ["fox and hen"]


def test_retry_hands_out_again_what_failed_and_counts_anew(store: Store) -> None:
    save(store, record("a", body="a"), record("b", body="b"), use=FIRST)
    tasks = {task.record: task for task in lease(store)}
    fail(store, tasks["a"], times=MOST_ATTEMPTS)
    commit(store, failures={FIRST.name: [failed(tasks["b"], "slow", LATER)]})
    assert lease(store) == []
    commit(store, retry=[FIRST.name, "unheard@1"])
    assert leased(store) == ["b", "a"]
    fail(store, tasks["a"], times=MOST_ATTEMPTS - 1)
    assert leased(store) == ["a"]
    fail(store, tasks["a"])
    assert leased(store, now=LATER) == ["b"]


def test_retry_is_for_the_named_models_only(store: Store) -> None:
    task = save_one(store)
    commit(store, use=SECOND)
    fail(store, task, times=MOST_ATTEMPTS)
    commit(store, retry=[SECOND.name])
    assert lease(store, now=LATER) == []


@pytest.mark.parametrize("failures", [0, 1])
def test_retry_leaves_what_somebody_holds_to_him(store: Store, failures: int) -> None:
    task = save_one(store)
    for _ in range(failures):
        fail(store, task)
        assert lease(store) == [task]
    commit(store, retry=[FIRST.name])
    assert lease(store, owner="bob") == []
    assert lease(store, owner="bob", now=NOW + MINUTE, until=LATER) == [task]


@pytest.mark.proves("B3")
def test_a_vector_that_comes_too_late_for_its_text_is_ignored(store: Store) -> None:
    task = save_one(store)
    receipt = save(store, record("fox", body="hen"))
    late = commit(store, vectors={FIRST.name: [embedded(task, EAST)]})
    assert late.revision == receipt.revision
    assert surveyed(store, VectorsOf(("fox",), FIRST.name)) == {}
    assert [task.text for task in lease(store)] == ["hen"]


@pytest.mark.parametrize("way", ["forget", "purge"])
def test_a_vector_of_what_is_gone_is_ignored(store: Store, way: str) -> None:
    task = save_one(store)
    receipt = commit(store, **{way: ["fox"]})
    late = commit(store, vectors={FIRST.name: [embedded(task, EAST)]})
    assert late.revision == receipt.revision
    save(store, record("hen", body="hen"))
    commit(store, vectors={FIRST.name: [embedded(task, EAST)]})
    assert surveyed(store, VectorsOf(("fox", "hen"), FIRST.name)) == {}


def test_a_vector_of_another_passage_is_not_taken_for_it(store: Store) -> None:
    task = save_one(store)
    wrong = [Vector(task.passage, b"?" * 16, EAST), Vector(task.passage + 1, task.digest, EAST)]
    before = revision(store)
    assert commit(store, vectors={FIRST.name: wrong}).revision == before
    assert surveyed(store, Waiting(FIRST.name)) == {"": 1}


def test_a_failure_that_comes_too_late_is_ignored(store: Store) -> None:
    task = save_one(store)
    commit(store, vectors={FIRST.name: [embedded(task, EAST)]})
    fail(store, task, times=MOST_ATTEMPTS)
    assert surveyed(store, Progress(FIRST.name)) == {"memory": {"done": 1}}
    save(store, record("fox", body="hen"))
    fail(store, task, times=MOST_ATTEMPTS)
    assert surveyed(store, Waiting(FIRST.name)) == {"": 1}


@pytest.mark.parametrize("vector", [b"", EAST[:-4], EAST[:-1], EAST + NORTH], ids=len)
def test_a_vector_of_the_wrong_size_is_refused_with_its_whole_batch(
    store: Store, vector: bytes
) -> None:
    task = save_one(store)
    before = revision(store)
    with pytest.raises(InvalidInput):
        save(
            store,
            record("hen", body="hen"),
            vectors={FIRST.name: [embedded(task, EAST), embedded(task, vector)]},
        )
    assert fetched(store, "hen") == {}
    assert surveyed(store, Waiting(FIRST.name)) == {"": 1}
    assert revision(store) == before


def test_vectors_of_an_unknown_model_are_refused(store: Store) -> None:
    task = save_one(store)
    with pytest.raises(InvalidInput):
        commit(store, vectors={SECOND.name: [embedded(task, EAST)]})
    assert surveyed(store, VectorsOf(("fox",), SECOND.name)) == {}


def test_the_revision_grows_with_a_vector_and_with_nothing_else_in_the_queue(store: Store) -> None:
    task = save_one(store)
    before = revision(store)
    lease(store, owner="bob", now=LATER, until=LATER + MINUTE)
    fail(store, task, times=MOST_ATTEMPTS)
    commit(store, retry=[FIRST.name])
    commit(store, failures={FIRST.name: [failed(task)]})
    assert revision(store) == before
    receipt = commit(store, vectors={FIRST.name: [embedded(task, EAST)]})
    assert receipt.revision == revision(store) == before + 1


def test_the_same_vector_again_changes_nothing(store: Store) -> None:
    task = save_one(store)
    first, again = (commit(store, vectors={FIRST.name: [embedded(task, EAST)]}) for _ in range(2))
    assert again == first
    assert surveyed(store, VectorsOf(("fox",), FIRST.name)) == {"fox": [EAST]}


def test_a_record_and_what_became_of_its_old_text_may_come_in_one_batch(store: Store) -> None:
    task = save_one(store)
    save(store, record("fox", body="hen"), vectors={FIRST.name: [embedded(task, EAST)]})
    assert surveyed(store, VectorsOf(("fox",), FIRST.name)) == {}
    assert [task.text for task in lease(store)] == ["hen"]


@pytest.mark.proves("B12")
def test_progress_counts_the_records_of_each_kind_by_their_state(store: Store) -> None:
    save(
        store,
        record("1", kind="note", body="fox"),
        record("2", kind="note", body="hen"),
        record("3", kind="note", body="hen"),
        record("4", kind="task", body=paragraph("fox") + paragraph("hen")),
        record("5", kind="task", body="bad"),
        record("6", kind="code"),
        record("7", kind="code", body="fox"),
        use=FIRST,
    )
    commit(store, forget=["7"])
    tasks = lease(store)
    [bad] = [task for task in tasks if task.text == "bad"]
    commit(store, failures={FIRST.name: [failed(task) for task in tasks]})
    fail(store, bad, times=MOST_ATTEMPTS)
    embed(store, {"fox": EAST})
    assert surveyed(store, Progress(FIRST.name)) == {
        "note": {"pending": 2, "done": 1},
        "task": {"partial": 1, "failed": 1},
        "code": {"none": 1},
    }
    embed(store, {"hen": NORTH})
    assert surveyed(store, Progress(FIRST.name)) == {
        "note": {"done": 3},
        "task": {"done": 1, "failed": 1},
        "code": {"none": 1},
    }
