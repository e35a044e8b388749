"""The turns of a conversation speak for each other."""

from collections.abc import Iterator

import pytest

from pinyon.engine import Engine
from pinyon.model.record import Record
from pinyon.store.memory import MemoryStore

TURNS = {
    "t0": "Good morning!",
    "t1": "Which trail should we take on Sunday?",
    "t2": "The one along the river.",
    "t3": "Then I bring the map.",
    "t4": "See you there.",
}


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(MemoryStore()) as engine:
        for id, body in TURNS.items():
            engine.save(Record(kind="memory", id=id, body=body))
        for later, earlier in (("t1", "t0"), ("t2", "t1"), ("t3", "t2"), ("t4", "t3")):
            engine.link(later, "follows", earlier)
        yield engine


def test_what_stands_beside_a_turn_is_found_after_it_and_says_why(engine: Engine) -> None:
    first, *others = engine.search("trail on sunday")
    assert first.id == "t1"
    assert {hit.id for hit in others} == {"t0", "t2", "t3"}
    assert {hit.via for hit in others} == {"beside t1"}
    assert all(0 < hit.signals["context"] <= 1 for hit in others)
    near = {hit.id: hit.signals["context"] for hit in others}
    assert near["t0"] == near["t2"] > near["t3"]


def test_who_asks_with_operators_gets_what_he_asked_for(engine: Engine) -> None:
    assert [hit.id for hit in engine.search("trail AND sunday")] == ["t1"]


def test_it_is_refused_by_a_depth_of_nothing(engine: Engine) -> None:
    answer = engine.search("trail on sunday", override={"context.depth": 0})
    assert [hit.id for hit in answer] == ["t1"]


def test_filters_hold_for_what_stands_beside(engine: Engine) -> None:
    engine.update("t2", kind="note")
    found = engine.search("trail on sunday", kinds=["memory"])
    assert "t2" not in {hit.id for hit in found}


def test_without_a_question_nothing_is_beside(engine: Engine) -> None:
    assert all(not hit.via for hit in engine.search(""))
