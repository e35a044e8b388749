"""Corrections: a new record stands where a wrong one stood, which stays and can be asked for."""

from collections.abc import Callable
from typing import Any

import pytest

from pinyon.engine import Engine
from pinyon.model.errors import (
    InvalidInput,
    InvalidRecord,
    PinyonError,
    SupersededRecord,
    UnknownRecord,
)
from pinyon.model.record import Record
from tests.engine.test_records import found


def edges(engine: Engine, id: str) -> set[tuple[str, str, str]]:
    joined = (one.edge for one in engine.related(id))
    return {(edge.from_id, edge.relation, edge.to_id) for edge in joined}


@pytest.mark.proves("S14", part="lifecycle")
def test_a_correction_is_the_old_record_with_the_changes_begun_anew(engine: Engine) -> None:
    old = Record(
        id="port",
        title="API port",
        body="It is 80.",
        tags=("ops",),
        scope="team",
        importance=5,
        mentions=7,
        extra={"by": "ann"},
    )
    engine.save(old)
    engine.update("port", domain="net")
    (before,) = engine.get("port")
    new = engine.correct("port", body="It is 8080.")
    (now,) = engine.get(new)
    assert new.startswith("api-port")
    assert (now.title, now.body, now.tags, now.scope) == (
        "API port",
        "It is 8080.",
        ("ops",),
        "team",
    )
    assert (now.importance, now.domain, now.extra) == (5, "net", {"by": "ann"})
    assert (now.mentions, now.version) == (0, 1)
    assert before.updated_at is not None
    assert now.created_at is not None
    assert (now.updated_at, now.created_at > before.updated_at) == (now.created_at, True)
    assert engine.get("port") == [before]


@pytest.mark.proves("S14", part="lifecycle")
@pytest.mark.proves("X5", part="validity")
def test_the_corrected_record_is_linked_and_out_of_answers_unless_asked_for(
    engine: Engine,
) -> None:
    engine.save(Record(id="port", title="API port", body="It is eighty."))
    new = engine.correct("port", "we moved", body="It is another.")
    (related,) = engine.related(new)
    edge = related.edge
    assert (edge.from_id, edge.relation, edge.to_id) == (new, "supersedes", "port")
    assert edge.evidence == "we moved"
    assert found(engine, "eighty") == [new]
    assert found(engine, "port") == [new]
    everything = [hit.id for hit in engine.search("port", superseded=True)]
    assert sorted(everything) == sorted([new, "port"])


@pytest.mark.proves("S14", part="lifecycle")
def test_what_was_corrected_already_is_refused_and_the_latest_named(engine: Engine) -> None:
    engine.save(Record(id="first", body="one"))
    second = engine.correct("first", body="two")
    third = engine.correct(second, body="three")
    for old in ("first", second):
        with pytest.raises(SupersededRecord) as refused:
            engine.correct(old, body="four")
        assert (refused.value.id, refused.value.latest) == (old, (third,))
        assert third in refused.value.remedy


def test_records_that_supersede_each_other_can_still_be_corrected(engine: Engine) -> None:
    for id in ("a", "b"):
        engine.save(Record(id=id, body=id))
    engine.link("a", "supersedes", "b")
    engine.link("b", "supersedes", "a")
    new = engine.correct("a", body="settled")
    assert found(engine, "settled") == [new]


def test_a_correction_takes_links_over_but_for_those_that_end_with_what_was_wrong(
    engine: Engine,
) -> None:
    for id in ("old", "anna", "proof", "rival", "file", "older"):
        engine.save(Record(id=id, body=id))
    engine.link("old", "about", "anna", strength=0.5, evidence="she said so")
    engine.link("proof", "supports", "old")
    engine.link("old", "contradicts", "rival")
    engine.link("file", "contains", "old")
    engine.link("old", "supersedes", "older")
    before = edges(engine, "old")
    new = engine.correct("old", title="new")
    assert edges(engine, new) == {
        (new, "supersedes", "old"),
        (new, "about", "anna"),
        ("proof", "supports", new),
    }
    assert edges(engine, "old") == before | {(new, "supersedes", "old")}
    (about,) = engine.related(new, relations=["about"])
    assert (about.edge.strength, about.edge.evidence) == (0.5, "she said so")


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"colour": 1}, "colour"), ({"version": 3}, "version"), ({"kind": "fruit"}, "kind")],
)
def test_a_correction_that_cannot_be_is_refused(
    engine: Engine, changes: dict[str, Any], field: str
) -> None:
    engine.save(Record(id="fox", body="brown"))
    with pytest.raises(InvalidRecord) as refused:
        engine.correct("fox", **changes)
    assert refused.value.field == field
    assert edges(engine, "fox") == set()


@pytest.mark.parametrize("changes", [{}, {"body": "brown"}])
def test_a_correction_that_changes_nothing_is_refused(
    engine: Engine, changes: dict[str, Any]
) -> None:
    engine.save(Record(id="fox", body="brown"))
    with pytest.raises(InvalidInput, match="changes nothing"):
        engine.correct("fox", **changes)
    assert engine.stats().kinds == {"memory": 1}


def test_what_is_not_there_cannot_be_corrected(engine: Engine) -> None:
    engine.save(Record(id="fox"))
    engine.forget("fox")
    for id in ("fox", "ghost"):
        with pytest.raises(UnknownRecord):
            engine.correct(id, body="grey")


def test_a_record_that_was_never_changed_was_changed_last_when_it_was_made(
    engine: Engine,
) -> None:
    made = "2020-01-02T00:00:00+00:00"
    engine.save(Record(id="fox", created_at=made))  # type: ignore[arg-type]
    (new,) = engine.get("fox")
    assert new.created_at is not None
    assert new.updated_at == new.created_at
    engine.save(Record(id="fox", created_at=new.created_at, body="grey"), replace=True)
    (changed,) = engine.get("fox")
    assert changed.updated_at is not None
    assert (changed.created_at, changed.updated_at > new.created_at) == (new.created_at, True)


@pytest.mark.parametrize(
    "call",
    [
        lambda engine: engine.correct("half \ud800 pair", body="x"),
        lambda engine: engine.correct("fox", 7, body="x"),
        lambda engine: engine.correct("fox", "x" * 20_001, body="x"),
        lambda engine: engine.duplicates(7),
        lambda engine: engine.duplicates("half \ud800 pair"),
        lambda engine: engine.duplicates("fox", least="most"),
        lambda engine: engine.duplicates(Record(body="half \ud800 pair")),
        lambda engine: engine.conflicts("a//b"),
        lambda engine: engine.conflicts(7),
        lambda engine: engine.save(Record(body="x"), duplicates=["merge"]),
    ],
)
def test_an_argument_that_makes_no_sense_is_refused(
    engine: Engine, call: Callable[[Engine], Any]
) -> None:
    engine.save(Record(id="fox", body="brown"))
    with pytest.raises(PinyonError):
        call(engine)
    assert engine.stats().kinds == {"memory": 1}
