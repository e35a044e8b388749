"""What the passages of a record promise: they follow its text, and keep what did not change."""

from collections.abc import Iterator

import pytest

from pinyon.model.query import Match
from pinyon.model.record import Record
from pinyon.store.contract import Store
from pinyon.store.questions import Models, Progress, Size, VectorsOf, Waiting
from pinyon.text.passages import digest, passages
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
    found,
    lease,
    leased,
    matches,
    near,
    paragraph,
    record,
    save,
    surveyed,
)

FOX, HEN, OWL = paragraph("fox"), paragraph("hen"), paragraph("owl")
WORDS = {"fox": EAST, "hen": NORTH, "owl": UP}


@pytest.fixture(autouse=True)
def sound(store: Store) -> Iterator[None]:
    """Whatever a test did, the store finds nothing wrong with itself."""
    yield
    assert store.examine() == []


def vectors(store: Store, id: str = "zoo") -> list[bytes]:
    found: dict[str, list[bytes]] = surveyed(store, VectorsOf((id,), FIRST.name))
    return found.get(id, [])


def zoo(body: str, **parts: object) -> Record:
    return record("zoo", body=body, **parts)


@pytest.mark.proves("V15")
@pytest.mark.proves("B15")
def test_every_passage_of_a_record_is_handed_out_with_its_title_and_context(store: Store) -> None:
    saved = zoo(FOX + HEN + OWL, title="The zoo", context="in winter")
    save(store, saved, use=FIRST)
    tasks = lease(store)
    expected = {text: digest(text) for _, _, text in passages(saved)}
    assert len(expected) == 3
    assert {task.text: task.digest for task in tasks} == expected
    assert {task.record for task in tasks} == {"zoo"}
    assert len({task.passage for task in tasks}) == 3
    assert all(task.text.startswith("The zoo\nin winter\n") for task in tasks)


def test_a_record_without_text_has_no_passage(store: Store) -> None:
    save(store, record("empty", tags=("wild",)), use=FIRST)
    assert lease(store) == []
    assert surveyed(store, Size()).passages == 0
    assert surveyed(store, Progress(FIRST.name)) == {"memory": {"none": 1}}


def test_passages_are_counted_of_what_can_be_found(store: Store) -> None:
    save(store, zoo(FOX + HEN), record("hen", body="hen"), record("owl", title="owl"))
    assert surveyed(store, Size()).passages == 4
    commit(store, forget=["zoo"], purge=["owl"])
    assert surveyed(store, Size()).passages == 1


@pytest.mark.proves("B15")
def test_records_older_than_the_model_wait_for_it_unasked(store: Store) -> None:
    save(store, zoo(FOX + HEN), record("gone", body="gone"))
    commit(store, forget=["gone"])
    commit(store, use=FIRST)
    assert leased(store) == ["zoo", "zoo"]


@pytest.mark.proves("B3")
def test_changed_content_waits_again_and_its_old_vector_goes(store: Store) -> None:
    save(store, zoo("a fox"), record("hen", body="hen"), use=FIRST)
    embed(store, WORDS)
    save(store, zoo("an owl"))
    assert vectors(store) == []
    assert found(store, near(EAST)) == ["hen"]
    assert surveyed(store, Models())[0].vectors == 1
    [task] = lease(store)
    assert task.text == "an owl"
    commit(store, vectors={FIRST.name: [embedded(task, UP)]})
    assert vectors(store) == [UP]
    assert found(store, near(UP)) == ["zoo", "hen"]


@pytest.mark.proves("V15")
@pytest.mark.proves("B3")
def test_what_is_appended_leaves_the_vectors_of_what_stood_there(store: Store) -> None:
    save(store, zoo(FOX + HEN), use=FIRST)
    embed(store, WORDS)
    save(store, zoo(FOX + HEN + OWL))
    assert vectors(store) == [EAST, NORTH]
    [task] = lease(store)
    assert task.text == OWL.strip()


def test_what_is_put_in_front_moves_the_passages_but_keeps_their_vectors(store: Store) -> None:
    save(store, zoo(FOX + HEN), use=FIRST)
    embed(store, WORDS)
    save(store, zoo(OWL + FOX + HEN))
    assert matches(store, near(EAST)) == (Match("zoo", 1.0, 1.0, (800, 1600)),)
    embed(store, WORDS)
    assert vectors(store) == [UP, EAST, NORTH]


def test_what_is_taken_out_goes_with_its_vector(store: Store) -> None:
    save(store, zoo(FOX + HEN + OWL), use=FIRST)
    embed(store, WORDS)
    save(store, zoo(FOX + OWL))
    assert vectors(store) == [EAST, UP]
    assert lease(store) == []
    assert surveyed(store, Size()).passages == surveyed(store, Models())[0].vectors == 2


def test_a_change_that_no_passage_holds_costs_no_vector(store: Store) -> None:
    save(store, zoo(FOX + HEN), use=FIRST)
    embed(store, WORDS)
    save(store, zoo(FOX + HEN, tags=("wild",), importance=5, kind="note", author="Ann"))
    commit(store, rename_tags={"wild": "tame"})
    assert vectors(store) == [EAST, NORTH]
    assert lease(store) == []


def test_a_new_title_changes_every_passage(store: Store) -> None:
    save(store, zoo(FOX + HEN), use=FIRST)
    embed(store, WORDS)
    save(store, zoo(FOX + HEN, title="Zoo"))
    assert vectors(store) == []
    assert leased(store) == ["zoo", "zoo"]


def test_the_same_text_twice_in_a_record_is_two_passages(store: Store) -> None:
    save(store, zoo(FOX + FOX + HEN), use=FIRST)
    tasks = lease(store)
    assert len({task.passage for task in tasks}) == 3
    assert len({task.digest for task in tasks}) == 2
    vector = {FOX.strip(): EAST, HEN.strip(): NORTH}
    commit(store, vectors={FIRST.name: [embedded(task, vector[task.text]) for task in tasks]})
    assert vectors(store) == [EAST, EAST, NORTH]
    save(store, zoo(HEN + FOX))
    assert vectors(store) == [NORTH, EAST]
    assert lease(store, now=LATER) == []


def test_two_records_with_the_same_text_wait_each_for_their_own_vector(store: Store) -> None:
    save(store, record("a", body="fox"), record("b", body="fox"), use=FIRST)
    tasks = {task.record: task for task in lease(store)}
    commit(store, vectors={FIRST.name: [embedded(tasks["a"], EAST)]})
    assert found(store, near(EAST)) == ["a"]
    assert leased(store, now=LATER) == ["b"]


@pytest.mark.parametrize("way", ["forget", "purge"])
def test_what_is_gone_does_not_wait_and_has_no_vector(store: Store, way: str) -> None:
    save(store, zoo(FOX + HEN), record("owl", body="owl"), use=FIRST)
    embed(store, {"fox": EAST, "owl": UP})
    commit(store, **{way: ["zoo"]})
    assert lease(store) == []
    assert vectors(store) == []
    assert surveyed(store, Waiting(FIRST.name)) == {}
    assert surveyed(store, Models())[0].vectors == 1


def test_what_comes_back_waits_again(store: Store) -> None:
    save(store, record("fox", body="fox"), use=FIRST)
    embed(store, WORDS)
    commit(store, forget=["fox"])
    save(store, record("fox", body="fox"))
    assert vectors(store, "fox") == []
    assert leased(store) == ["fox"]


def test_what_is_imported_as_forgotten_has_no_passage(store: Store) -> None:
    save(store, zoo(FOX, deleted_at=LATER), verbatim=True, use=FIRST)
    assert surveyed(store, Size()).passages == 0
    assert lease(store) == []


def test_a_record_that_moves_keeps_its_vectors_and_what_waits(store: Store) -> None:
    save(store, zoo(FOX + HEN), use=FIRST)
    embed(store, {"fox": EAST})
    [task] = lease(store)
    commit(store, moves={"zoo": "park"})
    assert vectors(store) == []
    assert vectors(store, "park") == [EAST]
    assert found(store, near(EAST)) == ["park"]
    commit(store, vectors={FIRST.name: [embedded(task, NORTH)]})
    assert vectors(store, "park") == [EAST, NORTH]


def test_a_record_that_moves_and_changes_keeps_what_is_the_same(store: Store) -> None:
    save(store, zoo(FOX + HEN), use=FIRST)
    embed(store, WORDS)
    save(store, record("park", body=FOX + OWL), moves={"zoo": "park"})
    assert vectors(store, "park") == [EAST]
    assert [task.text for task in lease(store)] == [OWL.strip()]


def test_moving_onto_a_forgotten_record_does_not_wake_its_vectors(store: Store) -> None:
    save(store, zoo(FOX), record("park", body=HEN), use=FIRST)
    embed(store, WORDS)
    commit(store, forget=["park"])
    commit(store, moves={"zoo": "park"})
    assert vectors(store, "park") == [EAST]
    assert surveyed(store, Size()).passages == surveyed(store, Models())[0].vectors == 1


def test_a_rebuild_keeps_vectors_and_the_queue(store: Store) -> None:
    save(store, zoo(FOX + HEN), record("owl", body="owl"), record("cow", body="cow"), use=FIRST)
    embed(store, {"fox": EAST, "owl": UP})
    commit(store, use=SECOND)
    embed(store, {"fox": NORTH}, SECOND)
    before = surveyed(store, Models())
    waiting = {task.text: task for task in lease(store)}
    store.rebuild()
    assert surveyed(store, Models()) == before
    assert vectors(store) == [EAST]
    assert vectors(store, "owl") == [UP]
    assert found(store, near(NORTH, SECOND)) == ["zoo"]
    assert surveyed(store, Waiting(FIRST.name)) == {"": 2}
    assert surveyed(store, Waiting(SECOND.name)) == {"": 3}
    assert lease(store) == []
    assert {task.text: task for task in lease(store, now=LATER)} == waiting
