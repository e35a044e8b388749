"""The edges around a record: nearest first, each once, as far as is asked."""

from collections.abc import Iterator

import pytest

import pinyon
from pinyon.model.errors import InvalidInput


@pytest.fixture
def engine() -> Iterator[pinyon.Engine]:
    """a - b - c - d, and a weaker a - c: a ring with a tail."""
    with pinyon.open(":memory:") as engine:
        for id in "abcd":
            engine.save(pinyon.Record(id=id, title=id))
        engine.link("a", "supports", "b")
        engine.link("b", "supports", "c")
        engine.link("c", "supports", "d")
        engine.link("c", "explains", "a", strength=0.5)
        yield engine


def told(found: list[pinyon.Related]) -> list[tuple[str, str, str, int]]:
    return [(each.edge.from_id, each.edge.to_id, each.record.id, each.hops) for each in found]


def test_only_its_own_edges_are_near_a_record(engine: pinyon.Engine) -> None:
    assert told(engine.related("a")) == [("a", "b", "b", 1), ("c", "a", "c", 1)]


def test_every_edge_within_the_depth_is_named_once(engine: pinyon.Engine) -> None:
    near = [("a", "b", "b", 1), ("c", "a", "c", 1)]
    far = [("b", "c", "c", 2), ("c", "d", "d", 2)]
    assert told(engine.related("a", depth=2)) == near + far
    assert told(engine.related("a", depth=5)) == near + far


def test_a_limit_keeps_the_nearest_and_strongest(engine: pinyon.Engine) -> None:
    assert told(engine.related("a", depth=2, limit=1)) == [("a", "b", "b", 1)]
    assert len(engine.related("a", depth=2, limit=3)) == 3


def test_only_the_named_relations_are_followed(engine: pinyon.Engine) -> None:
    found = engine.related("a", relations=["supports"], depth=2)
    assert told(found) == [("a", "b", "b", 1), ("b", "c", "c", 2)]


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"depth": 6}, {"depth": True}, {"limit": 0}])
def test_a_depth_or_limit_that_makes_no_sense_is_refused(
    engine: pinyon.Engine, wrong: dict[str, int]
) -> None:
    with pytest.raises(InvalidInput):
        engine.related("a", **wrong)  # type: ignore[arg-type]
