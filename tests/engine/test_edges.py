"""Edges through the engine: records that are linked, and what is related to them."""

import pytest

from pinyon.engine import Engine
from pinyon.model.errors import InvalidInput, InvalidRecord, UnknownRecord
from pinyon.model.record import Record
from tests.store.world import NOW


@pytest.fixture
def farm(engine: Engine) -> Engine:
    for id in ("fox", "hen", "owl"):
        engine.save(Record(id=id, created_at=NOW, updated_at=NOW))
    return engine


def related(engine: Engine, id: str, *relations: str) -> list[tuple[str, str]]:
    found = engine.related(id, relations=relations)
    return [(each.edge.relation, each.record.id) for each in found]


def test_linked_records_are_related_both_ways_strongest_first(farm: Engine) -> None:
    farm.link("fox", "eats", "hen", strength=0.4)
    farm.link("owl", "sees", "fox", strength=0.9, evidence="at night")
    assert related(farm, "fox") == [("sees", "owl"), ("eats", "hen")]
    assert related(farm, "hen") == [("eats", "fox")]
    assert related(farm, "fox", "eats") == [("eats", "hen")]


def test_a_link_says_how_strong_it_is_and_why(farm: Engine) -> None:
    made = farm.link("fox", "eats", "hen", strength=0.4, evidence="feathers")
    assert (made.strength, made.evidence) == (0.4, "feathers")
    assert [each.edge for each in farm.related("fox")] == [made]


def test_a_link_made_again_is_written_over(farm: Engine) -> None:
    farm.link("fox", "eats", "hen", strength=0.4)
    again = farm.link("fox", "eats", "hen", strength=0.8)
    assert [each.edge for each in farm.related("hen")] == [again]


def test_an_unlinked_record_is_no_longer_related(farm: Engine) -> None:
    farm.link("fox", "eats", "hen")
    farm.link("fox", "sees", "hen")
    farm.unlink("fox", "eats", "hen")
    assert related(farm, "fox") == [("sees", "hen")]
    with pytest.raises(InvalidInput) as refused:
        farm.unlink("fox", "eats", "hen")
    assert refused.value.remedy


def test_a_forgotten_record_is_not_related_until_it_comes_back(farm: Engine) -> None:
    farm.link("fox", "eats", "hen")
    farm.forget("hen")
    assert related(farm, "fox") == []
    farm.save(Record(id="hen"))
    assert related(farm, "fox") == [("eats", "hen")]


def test_a_purged_record_takes_its_edges_with_it(farm: Engine) -> None:
    farm.link("fox", "eats", "hen")
    farm.forget("hen", purge=True)
    farm.save(Record(id="hen"))
    assert related(farm, "fox") == []


def test_a_link_needs_both_its_ends(farm: Engine) -> None:
    with pytest.raises(UnknownRecord) as refused:
        farm.link("fox", "eats", "ghost")
    assert refused.value.ids == ("ghost",)
    assert farm.stats().edges == 0


@pytest.mark.parametrize(
    ("relation", "strength", "field"),
    [
        ("Eats!", 1.0, "relation"),
        ("", 1.0, "relation"),
        ("eats", 1.1, "strength"),
        ("eats", -0.1, "strength"),
        ("eats", float("nan"), "strength"),
        ("eats", 10**400, "strength"),
    ],
)
def test_a_link_that_cannot_be_is_refused_by_its_field(
    farm: Engine, relation: str, strength: float, field: str
) -> None:
    with pytest.raises(InvalidRecord) as refused:
        farm.link("fox", relation, "hen", strength=strength)
    assert refused.value.field == field
