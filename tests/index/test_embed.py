"""Embed: what waits gets its vector, in batches, and nothing gets one twice."""

import threading
from collections.abc import Sequence

import pytest

from pinyon.index.embed import BATCH, FIRST, LEASE_S, Embedded, Pace, register
from pinyon.store.contract import Batch, Receipt, Store
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import Model, Models
from tests.index.embedding import (
    DIMS,
    Fake,
    Ticking,
    after,
    fill,
    leasable,
    run,
    states,
    vector_of,
    vectors,
)
from tests.store.world import NOW, record, save, surveyed


@pytest.mark.proves("V15")
@pytest.mark.proves("B12")
def test_what_waits_is_embedded_in_batches_of_a_hundred_with_a_commit_each(store: Store) -> None:
    ids = fill(store, 250)
    embedder = Fake()
    with store.snapshot() as view:
        before = view.revision
    assert run(store, embedder) == Embedded(done=250, failed=0, waiting=0, reason="")
    assert [len(texts) for texts in embedder.given] == [BATCH, BATCH, 50] == [100, 100, 50]
    with store.snapshot() as view:
        assert view.revision == before + 3
    assert vectors(store, *ids) == {id: [vector_of(f"amber {id}").tobytes()] for id in ids}


@pytest.mark.proves("V15")
def test_title_body_and_context_are_embedded(store: Store) -> None:
    save(store, record("jay", title="A bird", body="It hides seeds.", context="the woods"))
    embedder = Fake()
    run(store, embedder)
    assert embedder.given == [["A bird\nthe woods\nIt hides seeds."]]


@pytest.mark.proves("V15")
def test_what_the_model_has_embedded_is_skipped(store: Store) -> None:
    fill(store, 3)
    run(store, Fake())
    save(store, record("new", body="a new one"))
    embedder = Fake()
    assert run(store, embedder).done == 1
    assert embedder.given == [["a new one"]]
    again = Fake()
    assert run(store, again) == Embedded(done=0, failed=0, waiting=0, reason="")
    assert again.given == []


@pytest.mark.proves("B12")
def test_records_are_counted_by_kind_and_state(store: Store) -> None:
    save(store, *(record(f"m{at}", kind="memory", body=f"text {at}") for at in range(3)))
    save(store, record("n", kind="note", body="text"), record("empty", kind="note"))
    assert states(store) == {"memory": {"pending": 3}, "note": {"none": 1, "pending": 1}}
    run(store, Fake())
    assert states(store) == {"memory": {"done": 3}, "note": {"none": 1, "done": 1}}


@pytest.mark.proves("B3")
def test_changed_content_is_embedded_again_and_its_old_vector_goes(store: Store) -> None:
    save(store, record("fox", body="old words"), record("hen", body="the same"))
    run(store, Fake())
    save(store, record("fox", body="other words"))
    assert vectors(store, "fox", "hen") == {"hen": [vector_of("the same").tobytes()]}
    embedder = Fake()
    run(store, embedder)
    assert embedder.given == [["other words"]]
    assert vectors(store, "fox") == {"fox": [vector_of("other words").tobytes()]}


@pytest.mark.parametrize(("each_s", "load_s"), [(0.025, 0), (0.025, 1.5), (0.001, 0.5), (0.12, 0)])
def test_a_bound_in_seconds_is_kept_by_smaller_batches(
    store: Store, each_s: float, load_s: float
) -> None:
    fill(store, 1200)
    timer = Ticking(each_s, load_s)
    embedder = Fake(timer.tick)
    result = run(store, embedder, seconds=2.0, timer=timer)
    assert len(embedder.given[0]) == FIRST
    assert all(len(texts) <= BATCH for texts in embedder.given)
    assert timer() - 1000.0 <= 2.0 + 1e-9
    assert timer() - 1000.0 >= 1.8 or result.waiting == 0
    assert result.done + result.waiting == 1200


def test_no_time_at_all_embeds_nothing(store: Store) -> None:
    fill(store, 3)
    embedder = Fake()
    assert run(store, embedder, seconds=0.0) == Embedded(0, 0, 3, "")
    assert embedder.given == []


def test_a_run_that_is_told_to_stop_finishes_its_batch(store: Store) -> None:
    fill(store, 250)
    stop = threading.Event()
    embedder = Fake(lambda texts: stop.set())
    assert run(store, embedder, stop=stop) == Embedded(BATCH, 0, 250 - BATCH, "")
    assert len(leasable(store)) == 250 - BATCH


def test_progress_tells_what_is_done_of_how_much_and_how_fast(store: Store) -> None:
    fill(store, 150)
    timer = Ticking(each_s=0.5)
    seen: list[Pace] = []
    run(store, Fake(timer.tick), timer=timer, progress=seen.append)
    assert seen == [Pace(0, 150, 0.0), Pace(100, 150, 2.0), Pace(150, 150, 2.0)]


def test_an_interrupt_while_progress_is_told_loses_nothing(store: Store) -> None:
    fill(store, 150)

    def interrupt(pace: Pace) -> None:
        if pace.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(store, Fake(), progress=interrupt)
    assert states(store) == {"memory": {"done": 100, "pending": 50}}
    assert len(leasable(store)) == 50


def test_what_somebody_else_holds_is_left_until_the_lease_is_over(store: Store) -> None:
    fill(store, 3)
    until = after(LEASE_S)
    store.lease("fake@1", "somebody else", now=NOW, until=until, limit=2)
    assert run(store, Fake()) == Embedded(done=1, failed=0, waiting=2, reason="")
    assert run(store, Fake(), now=until) == Embedded(done=2, failed=0, waiting=0, reason="")


def test_a_text_that_changes_while_it_is_embedded_is_embedded_again(store: Store) -> None:
    save(store, record("fox", body="old words"))
    embedder = Fake(lambda texts: None)

    def change(texts: Sequence[str]) -> None:
        if texts == ["old words"]:
            save(store, record("fox", body="other words"))

    embedder.trouble = change
    run(store, embedder)
    assert embedder.given == [["old words"], ["other words"]]
    assert vectors(store, "fox") == {"fox": [vector_of("other words").tobytes()]}


def test_a_model_is_made_known_once_and_its_choice_may_change(store: Store) -> None:
    for choice in ("fake", "fake", "folder/fake"):
        register(store, Fake(), choice, now=NOW)
        assert surveyed(store, Models()) == [Model("fake@1", choice, DIMS, "active", 0)]


def test_a_model_that_is_known_costs_no_commit() -> None:
    class Counted(MemoryStore):
        commits = 0

        def commit(self, batch: Batch) -> Receipt:
            self.commits += 1
            return super().commit(batch)

    store = Counted()
    fill(store, 1)
    for name, choice in [("a", "a"), ("a", "a"), ("b", "b"), ("b", "b"), ("a", "a"), ("b", "c")]:
        register(store, Fake(name=name), choice, now=NOW)
    assert store.commits == 1 + 3  # the record; a, b, and b by another choice


def test_a_second_model_fills_and_takes_over_when_nothing_waits_for_it(store: Store) -> None:
    fill(store, 3)
    run(store, Fake())
    second = Fake(name="second@1")
    for _ in range(2):
        register(store, second, "second", now=NOW)
        assert [(model.name, model.state) for model in surveyed(store, Models())] == [
            ("fake@1", "active"),
            ("second@1", "filling"),
        ]
    assert run(store, second) == Embedded(3, 0, 0, "")
    assert [(model.name, model.state) for model in surveyed(store, Models())] == [
        ("second@1", "active"),
        ("fake@1", "idle"),
    ]
