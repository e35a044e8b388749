"""Embed: whatever a model does, the record stays, the reason is kept, and it is tried again."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from pinyon.index.embed import BATCH, HOPELESS, RETRY_S, Embedded
from pinyon.inference.contract import BrokenModel, NoModel, ProviderError
from pinyon.model.errors import InvalidInput
from pinyon.store.contract import MOST_ATTEMPTS, Store
from pinyon.store.questions import Model, Waiting
from tests.index.embedding import (
    DIMS,
    Fake,
    after,
    fails_for,
    fails_with,
    fill,
    leasable,
    run,
    states,
    vectors,
)
from tests.store.world import commit, found, record, save, surveyed

if TYPE_CHECKING:
    from pinyon.inference.contract import Vectors


@pytest.mark.proves("B2")
@pytest.mark.parametrize("kind", ["memory", "entity", "note", "resource"])
def test_a_failure_is_marked_and_picked_up_later(store: Store, kind: str) -> None:
    save(store, record("fox", kind=kind, body="amber"))
    error = BrokenModel("it is broken", remedy="mend it")
    assert run(store, Fake(fails_with(error))) == Embedded(0, 1, 1, "it is broken (mend it)")
    assert found(store, "amber") == ["fox"]
    assert surveyed(store, Waiting("fake@1")) == {"it is broken (mend it)": 1}
    assert states(store) == {kind: {"pending": 1}}
    assert run(store, Fake(), now=after(RETRY_S)).done == 1
    assert states(store) == {kind: {"done": 1}}


@pytest.mark.proves("B2")
def test_what_fails_too_often_is_given_up_until_it_is_asked_for(store: Store) -> None:
    fill(store, 1)
    for attempt in range(MOST_ATTEMPTS):
        failing = Fake(fails_with(BrokenModel("no", remedy="none")))
        assert run(store, failing, now=after(attempt * RETRY_S)).failed == 1
    much_later = after(MOST_ATTEMPTS * RETRY_S)
    assert run(store, Fake(), now=much_later) == Embedded(0, 0, 0, "")
    assert states(store) == {"memory": {"failed": 1}}
    commit(store, now=much_later, retry=["fake@1"])
    assert run(store, Fake(), now=much_later) == Embedded(1, 0, 0, "")


def test_one_bad_text_does_not_take_the_others_with_it(store: Store) -> None:
    ids = fill(store, 120)
    save(store, record("bad", body="curse"))
    result = run(store, Fake(fails_for("curse")))
    assert result == Embedded(done=120, failed=1, waiting=1, reason="cannot read curse (none)")
    assert list(vectors(store, *ids, "bad")) == ids
    assert [task.record for task in leasable(store, after(RETRY_S))] == ["bad"]


def test_bad_texts_in_a_row_are_not_taken_for_a_bad_model_once_a_text_succeeded(
    store: Store,
) -> None:
    save(store, record("good", body="ok"))
    save(store, *(record(f"bad{at}", body=f"curse number {at}") for at in range(HOPELESS + 2)))
    result = run(store, Fake(fails_for("curse")))
    assert (result.done, result.failed) == (1, HOPELESS + 2)


def test_a_model_that_fails_for_every_text_is_left_alone_after_three(store: Store) -> None:
    fill(store, 250)
    embedder = Fake(fails_with(BrokenModel("no", remedy="none")))
    assert run(store, embedder) == Embedded(0, BATCH, 250, "no (none)")
    assert [len(texts) for texts in embedder.given] == [BATCH, *[1] * HOPELESS]
    assert surveyed(store, Waiting("fake@1")) == {"no (none)": BATCH, "": 150}


def test_a_text_that_failed_rests_before_it_is_tried_again(store: Store) -> None:
    fill(store, 5)
    run(store, Fake(fails_with(BrokenModel("no", remedy="none"))))
    assert leasable(store, after(RETRY_S - 1)) == []
    assert len(leasable(store, after(RETRY_S))) == 5


@pytest.mark.parametrize("texts", [1, 5])
@pytest.mark.parametrize(
    "error",
    [
        ProviderError("busy", remedy="wait", status=429, retryable=True),
        ProviderError("away", remedy="wait", retryable=True),
        ProviderError("wrong key", remedy="set it", status=401),
    ],
)
def test_a_server_that_answers_nobody_is_asked_once_and_costs_no_attempt(
    store: Store, error: ProviderError, texts: int
) -> None:
    fill(store, texts)
    embedder = Fake(fails_with(error))
    assert run(store, embedder) == Embedded(0, 0, texts, str(error))
    assert len(embedder.given) == 1
    assert surveyed(store, Waiting("fake@1")) == {"": texts}
    assert len(leasable(store)) == texts


def test_a_server_that_refuses_one_text_is_asked_for_the_others(store: Store) -> None:
    fill(store, 5)
    save(store, record("bad", body="curse"))
    refused = ProviderError("too long", remedy="none", status=400)

    def refuse(texts: Sequence[str]) -> None:
        if any("curse" in text for text in texts):
            raise refused

    assert run(store, Fake(refuse)) == Embedded(5, 1, 1, str(refused))


@pytest.mark.parametrize("error", [NoModel("not here", remedy="pull it"), KeyboardInterrupt()])
def test_what_was_leased_is_given_back_when_the_run_cannot_go_on(
    store: Store, error: BaseException
) -> None:
    fill(store, 5)
    with pytest.raises(type(error)) as raised:
        run(store, Fake(fails_with(error)))
    assert raised.value is error
    assert surveyed(store, Waiting("fake@1")) == {"": 5}
    assert len(leasable(store)) == 5


def test_errors_of_the_store_come_through(store: Store) -> None:
    fill(store, 2)
    wide = Fake(dims=DIMS)
    commit(store, drop=["fake@1"])
    commit(store, use=Model("fake@1", "fake", DIMS + 1))
    with pytest.raises(InvalidInput):
        run(store, wide)
    assert len(leasable(store)) == 2


def spoilt(kind: str, good: "Vectors") -> "Vectors":
    import numpy as np

    def with_first(number: float) -> "Vectors":
        changed: Vectors = good.copy()
        changed[0, 0] = number
        return changed

    ways: dict[str, Callable[[], Vectors]] = {
        "too few numbers": lambda: good[:, 1:],
        "too many numbers": lambda: np.hstack([good, good]),
        "too few rows": lambda: good[1:],
        "doubles": lambda: good.astype(np.float64),
        "not a number": lambda: with_first(float("nan")),
        "infinite": lambda: with_first(float("inf")),
        "zero": lambda: good * np.float32(0),
    }
    return ways[kind]()


@pytest.mark.parametrize(
    "kind",
    [
        "too few numbers",
        "too many numbers",
        "too few rows",
        "doubles",
        "not a number",
        "infinite",
        "zero",
    ],
)
def test_a_vector_that_is_none_is_never_stored(store: Store, kind: str) -> None:
    class Spoilt(Fake):
        def embed_passages(self, texts: Sequence[str]) -> "Vectors":
            return spoilt(kind, super().embed_passages(texts))

    ids = fill(store, 1)
    result = run(store, Spoilt())
    assert (result.done, result.failed, result.waiting) == (0, 1, 1)
    assert result.reason.startswith("the model fake@1 gave ")
    assert vectors(store, *ids) == {}


def test_texts_that_were_not_tried_any_more_are_given_back(store: Store) -> None:
    fill(store, 10)
    stop = threading.Event()

    def trouble(texts: Sequence[str]) -> None:
        if len(texts) > 1:
            raise BrokenModel("not so many", remedy="none")
        stop.set()

    assert run(store, Fake(trouble), stop=stop) == Embedded(1, 0, 9, "")
    assert len(leasable(store)) == 9
    assert surveyed(store, Waiting("fake@1")) == {"": 9}
