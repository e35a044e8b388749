"""What models promise: one is searched, the next fills beside it, and takes over without a gap."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pinyon.model.errors import InvalidInput
from pinyon.store.contract import MOST_ATTEMPTS, Store
from pinyon.store.questions import Model, Models, Progress, VectorsOf, Waiting
from tests.store.world import (
    EAST,
    FIRST,
    LATER,
    NORTH,
    SECOND,
    UP,
    commit,
    embed,
    embedded,
    failed,
    fetched,
    found,
    lease,
    leased,
    near,
    record,
    save,
    surveyed,
)

THIRD = Model("third@1", "third", 8)
NONE = Model("none", "none", 0)
ANIMALS = {"fox": EAST, "hen": NORTH, "owl": UP}


@pytest.fixture(autouse=True)
def sound(store: Store) -> Iterator[None]:
    """Whatever a test did, the store finds nothing wrong with itself."""
    yield
    assert store.examine() == []


def models(store: Store) -> list[Model]:
    known: list[Model] = surveyed(store, Models())
    return known


def states(store: Store) -> dict[str, str]:
    return {model.choice: model.state for model in models(store)}


def save_animals(store: Store) -> None:
    """A fox and a hen, embedded by the first model."""
    save(store, record("fox", body="fox"), record("hen", body="hen"), use=FIRST)
    embed(store, ANIMALS)


def test_a_store_knows_no_model_at_first(store: Store) -> None:
    assert models(store) == []


def test_the_first_model_is_active_at_once(store: Store) -> None:
    save(store, record("fox", body="fox"))
    commit(store, use=replace(FIRST, state="idle", vectors=7))
    assert models(store) == [replace(FIRST, state="active")]
    assert leased(store) == ["fox"]


def test_a_model_is_used_after_the_records_of_its_batch_were_written(store: Store) -> None:
    save(store, record("fox", body="fox"), use=FIRST)
    assert surveyed(store, Waiting(FIRST.name)) == {"": 1}


@pytest.mark.proves("X6")
def test_a_new_model_fills_beside_the_old_one_and_takes_over_when_it_is_full(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    filling = [replace(FIRST, state="active", vectors=2), replace(SECOND, state="filling")]
    assert models(store) == filling
    assert found(store, near(EAST)) == ["fox", "hen"]
    embed(store, {"fox": UP}, SECOND)
    filling[1] = replace(filling[1], vectors=1)
    assert models(store) == filling
    with store.snapshot() as before:
        embed(store, {"hen": EAST}, SECOND)
        assert before.survey(Models()) == filling
    assert models(store) == [
        replace(SECOND, state="active", vectors=2),
        replace(FIRST, state="idle", vectors=2),
    ]
    assert found(store, near(EAST, SECOND)) == ["hen", "fox"]


@pytest.mark.proves("X6")
def test_at_every_moment_of_a_change_the_active_model_is_full(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    save(store, record("owl", body="owl"))
    embed(store, {"owl": UP})
    for word in ("hen", "owl", "fox"):
        active = models(store)[0]
        assert (active.name, active.vectors) == (FIRST.name, 3)
        embed(store, {word: EAST}, SECOND)
    active = models(store)[0]
    assert (active.name, active.state, active.vectors) == (SECOND.name, "active", 3)


@pytest.mark.proves("X6")
def test_what_is_written_meanwhile_waits_for_both_models(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    save(store, record("owl", body="owl"))
    assert leased(store) == ["owl"]
    assert sorted(leased(store, SECOND)) == ["fox", "hen", "owl"]


def test_models_come_active_first_then_filling_then_by_name(store: Store) -> None:
    save(store, record("fox", body="fox"))
    zebra, yak = Model("zebra", "zebra", 4), Model("yak", "yak", 4)
    for model in (zebra, yak, THIRD, FIRST, SECOND):
        commit(store, use=model)
    assert list(states(store).items()) == [
        ("zebra", "active"),
        ("second", "filling"),
        ("first", "idle"),
        ("third", "idle"),
        ("yak", "idle"),
    ]


def test_a_model_takes_over_at_once_where_nothing_waits(store: Store) -> None:
    commit(store, use=FIRST)
    commit(store, use=SECOND)
    assert states(store) == {"second": "active", "first": "idle"}


def test_a_model_takes_over_when_the_last_that_waited_is_forgotten(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    embed(store, {"fox": EAST}, SECOND)
    commit(store, forget=["hen"])
    assert states(store) == {"second": "active", "first": "idle"}


def test_what_was_given_up_does_not_hold_back_a_model(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    tasks = {task.record: task for task in lease(store, SECOND)}
    for _ in range(MOST_ATTEMPTS):
        commit(store, failures={SECOND.name: [failed(tasks["hen"], "refused")]})
    assert states(store) == {"first": "active", "second": "filling"}
    commit(store, vectors={SECOND.name: [embedded(tasks["fox"], UP)]})
    assert states(store) == {"second": "active", "first": "idle"}
    assert surveyed(store, Progress(SECOND.name)) == {"memory": {"failed": 1, "done": 1}}


def test_a_model_takes_over_when_the_last_that_waited_is_given_up(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    embed(store, {"fox": EAST}, SECOND)
    [task] = lease(store, SECOND)
    for _ in range(MOST_ATTEMPTS):
        assert states(store) == {"first": "active", "second": "filling"}
        commit(store, failures={SECOND.name: [failed(task, "refused")]})
    assert states(store) == {"second": "active", "first": "idle"}


def test_no_model_takes_over_at_once_and_nothing_waits_for_it(store: Store) -> None:
    save_animals(store)
    commit(store, use=NONE)
    save(store, record("owl", body="owl"))
    assert models(store) == [
        replace(NONE, state="active"),
        replace(FIRST, state="idle", vectors=2),
    ]
    assert lease(store, NONE) == []
    assert surveyed(store, Waiting(NONE.name)) == {}
    assert found(store, near(b"", NONE)) == []


def test_a_model_fills_beside_none_as_beside_another(store: Store) -> None:
    save(store, record("fox", body="fox"), use=NONE)
    commit(store, use=FIRST)
    assert states(store) == {"none": "active", "first": "filling"}
    embed(store, ANIMALS)
    assert states(store) == {"first": "active", "none": "idle"}


def test_using_the_active_model_again_stops_the_one_that_fills(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    embed(store, {"fox": UP}, SECOND)
    commit(store, use=FIRST)
    assert models(store) == [
        replace(FIRST, state="active", vectors=2),
        replace(SECOND, state="idle", vectors=1),
    ]
    assert lease(store, SECOND, now=LATER) == []
    assert surveyed(store, Waiting(SECOND.name)) == {}


def test_a_third_model_stops_the_one_that_fills(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    commit(store, use=THIRD)
    assert states(store) == {"first": "active", "third": "filling", "second": "idle"}
    assert lease(store, SECOND) == []
    assert sorted(leased(store, THIRD)) == ["fox", "hen"]


def test_a_model_that_fills_goes_on_when_it_is_used_again(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    tasks = lease(store, SECOND)
    commit(store, failures={SECOND.name: [failed(tasks[0], "refused", LATER)]})
    commit(store, use=SECOND)
    assert states(store) == {"first": "active", "second": "filling"}
    assert surveyed(store, Waiting(SECOND.name)) == {"": 1, "refused": 1}
    assert lease(store, SECOND) == []


@pytest.mark.proves("V15")
def test_an_idle_model_that_is_used_again_waits_only_for_what_it_lacks(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    embed(store, ANIMALS, SECOND)
    assert states(store) == {"second": "active", "first": "idle"}
    save(store, record("owl", body="owl"))
    assert lease(store) == []
    commit(store, use=FIRST)
    assert states(store) == {"second": "active", "first": "filling"}
    [task] = lease(store)
    assert task.record == "owl"
    commit(store, vectors={FIRST.name: [embedded(task, UP)]})
    assert models(store)[0] == replace(FIRST, state="active", vectors=3)


def test_an_idle_model_that_lacks_nothing_takes_over_at_once(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    embed(store, ANIMALS, SECOND)
    commit(store, use=FIRST)
    assert states(store) == {"first": "active", "second": "idle"}
    assert found(store, near(EAST)) == ["fox", "hen"]


@pytest.mark.proves("B3")
def test_an_idle_model_keeps_only_the_vectors_of_text_that_is_still_there(store: Store) -> None:
    save_animals(store)
    commit(store, use=NONE)
    save(store, record("hen", body="a hen"))
    assert surveyed(store, VectorsOf(("fox", "hen"), FIRST.name)) == {"fox": [EAST]}
    save(store, record("hen", body="hen"))
    assert surveyed(store, VectorsOf(("fox", "hen"), FIRST.name)) == {"fox": [EAST]}
    commit(store, use=FIRST)
    assert leased(store) == ["hen"]


def test_the_choice_is_written_over_what_is_known(store: Store) -> None:
    save_animals(store)
    commit(store, use=replace(FIRST, choice="./models/first"))
    assert models(store) == [replace(FIRST, choice="./models/first", state="active", vectors=2)]


def test_a_known_model_with_other_dimensions_is_refused_with_its_whole_batch(store: Store) -> None:
    save_animals(store)
    with pytest.raises(InvalidInput):
        save(store, record("owl", body="owl"), use=replace(FIRST, dims=8))
    assert fetched(store, "owl") == {}
    assert models(store) == [replace(FIRST, state="active", vectors=2)]


def test_models_of_different_dimensions_live_side_by_side(store: Store) -> None:
    save_animals(store)
    commit(store, use=THIRD)
    embed(store, {"fox": EAST + bytes(16), "hen": bytes(16) + EAST}, THIRD)
    assert found(store, near(bytes(16) + EAST, THIRD)) == ["hen", "fox"]
    assert found(store, near(EAST)) == ["fox", "hen"]
    with pytest.raises(InvalidInput):
        found(store, near(EAST, THIRD))


def test_a_dropped_model_is_gone_with_its_vectors(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    embed(store, ANIMALS, SECOND)
    commit(store, drop=[FIRST.name, "unheard@1"])
    assert models(store) == [replace(SECOND, state="active", vectors=2)]
    assert found(store, near(EAST)) == []
    assert surveyed(store, VectorsOf(("fox", "hen"), FIRST.name)) == {}
    commit(store, use=FIRST)
    assert sorted(leased(store)) == ["fox", "hen"]
    assert found(store, near(EAST)) == []


def test_dropping_the_model_that_fills_leaves_the_active_one(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND)
    task = lease(store, SECOND)[0]
    commit(store, drop=[SECOND.name])
    assert models(store) == [replace(FIRST, state="active", vectors=2)]
    assert surveyed(store, Waiting(SECOND.name)) == {}
    with pytest.raises(InvalidInput):
        commit(store, vectors={SECOND.name: [embedded(task, EAST)]})


def test_after_the_active_model_was_dropped_the_next_is_active_at_once(store: Store) -> None:
    save_animals(store)
    commit(store, drop=[FIRST.name])
    assert models(store) == []
    assert lease(store) == []
    commit(store, use=SECOND)
    assert states(store) == {"second": "active"}
    assert sorted(leased(store, SECOND)) == ["fox", "hen"]


def test_a_dropped_model_may_come_back_with_other_dimensions(store: Store) -> None:
    save_animals(store)
    commit(store, drop=[FIRST.name])
    commit(store, use=replace(FIRST, dims=8))
    embed(store, {"fox": EAST + bytes(16)})
    assert models(store) == [replace(FIRST, dims=8, state="active", vectors=1)]


def test_what_is_dropped_is_dropped_after_what_is_used(store: Store) -> None:
    save_animals(store)
    commit(store, use=SECOND, drop=[SECOND.name])
    assert models(store) == [replace(FIRST, state="active", vectors=2)]


def test_the_revision_grows_with_a_change_of_models_and_only_then(store: Store) -> None:
    save_animals(store)
    other_choice = replace(FIRST, choice="other")
    growing: list[dict[str, Any]] = [
        {"use": SECOND},
        {"use": other_choice},
        {"drop": [SECOND.name]},
    ]
    still: list[dict[str, Any]] = [{"use": other_choice}, {"drop": [SECOND.name]}, {"drop": []}]
    before = commit(store).revision
    assert [commit(store, **parts).revision for parts in growing] == [
        before + 1,
        before + 2,
        before + 3,
    ]
    assert [commit(store, **parts).revision for parts in still] == [before + 3] * 3
