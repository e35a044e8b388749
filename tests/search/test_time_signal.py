"""Time signal: what is of the time that a question speaks of answers first, or alone."""

from datetime import datetime, timedelta

import pytest

from pinyon.engine import Engine
from pinyon.model.record import Record
from tests.store.world import NOW

WEEK = timedelta(days=7)


def said(engine: Engine, body: str, at: datetime) -> str:
    return engine.save(Record(kind="memory", body=body, created_at=at))


@pytest.fixture(autouse=True)
def _talk(engine: Engine) -> None:
    """What else is said: little of it is asked for, so that scores have their usual range."""
    for at in range(20):
        said(engine, f"Anna has seen bridge {at}, last of many in a week", NOW - 20 * WEEK)


@pytest.mark.proves("X5", part="time phrases")
def test_what_was_said_last_week_answers_before_what_was_said_earlier(engine: Engine) -> None:
    before = said(engine, "Anna spoke about the harbour", NOW - 9 * WEEK)
    lately = said(engine, "Anna spoke about the harbour and then about the old bridge", NOW - WEEK)
    asked = "what did Anna say about the harbour"
    assert [hit.id for hit in engine.search(asked, limit=2)] == [before, lately]
    hits = engine.search(f"{asked} last week", limit=2).hits
    assert [hit.id for hit in hits] == [lately, before]
    assert hits[0].signals["time"] == 1 > hits[1].signals["time"]


@pytest.mark.proves("X5", part="time phrases")
def test_a_time_can_be_refused(engine: Engine) -> None:
    lately = said(engine, "the harbour", NOW - WEEK)
    hit, *_ = engine.search("the harbour last week", time="off")
    assert hit.id == lately
    assert "time" not in hit.signals


@pytest.mark.proves("X5", part="time phrases")
def test_a_time_can_be_a_filter(engine: Engine) -> None:
    said(engine, "the harbour", NOW)
    lately = said(engine, "the harbour and the bridge", NOW - WEEK)
    assert [hit.id for hit in engine.search("harbour last week", time="filter")] == [lately]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("before 2020", ["old", "new"]),
        ("since 2020", ["new", "old"]),
        ("in 2019", ["old", "new"]),
        ("in 2024", ["new", "old"]),
    ],
)
def test_a_time_without_an_end_is_sure_where_it_begins(
    engine: Engine, asked: str, expected: list[str]
) -> None:
    for id, year in (("old", 2019), ("new", 2024)):
        made = datetime(year, 6, 1, tzinfo=NOW.tzinfo)
        engine.save(Record(id=id, body="the harbour was dredged", created_at=made))
    hits = engine.search(f"when was the harbour dredged, {asked}", limit=2).hits
    assert [hit.id for hit in hits] == expected
    assert hits[1].signals["time"] < 0.01


def test_a_question_without_a_time_is_ranked_as_if_there_were_no_times(engine: Engine) -> None:
    for weeks in range(3):
        said(engine, f"the harbour {'and the bridge ' * weeks}", NOW - weeks * WEEK)
    plain = engine.search("the harbour", override={"rank.weights.time": 0})
    assert [(hit.id, hit.score, hit.signals) for hit in engine.search("the harbour")] == [
        (hit.id, hit.score, hit.signals) for hit in plain
    ]
