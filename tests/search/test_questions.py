"""Questions: every string finds what a person would expect, or what comes nearest to it."""

from datetime import timedelta
from typing import Any

import pytest

from pinyon.engine import Engine
from pinyon.model.check import check_record
from pinyon.model.record import Record
from pinyon.search.given import MODES
from tests.store.world import NOW

FARM = {
    "fox": "the red fox eats the brown hen",
    "hen": "the hen sits in the red barn and waits",
    "owl": "an owl sees the fox at night",
    "barn": "red barn",
}


def farm(engine: Engine) -> None:
    for id, body in FARM.items():
        engine.save(Record(id=id, title=id.title(), body=body))


def found(engine: Engine, query: str, **how: Any) -> list[str]:
    return [hit.id for hit in engine.search(query, **how)]


@pytest.mark.proves("V4")
def test_any_word_of_a_plain_question_finds(engine: Engine) -> None:
    farm(engine)
    assert sorted(found(engine, "what does the owl do in a barn")) == ["barn", "hen", "owl"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"red barn"', {"hen", "barn"}),
        ('"barn red"', {"hen", "barn", "fox"}),  # stands nowhere: asked as plain words
        ("red AND fox", {"fox"}),
        ("hen OR owl", {"hen", "fox", "owl"}),
        ("fox NOT hen", {"owl"}),
        ("NEAR(red hen, 3)", {"hen"}),
        ("NEAR(red hen, 4)", {"fox", "hen"}),
        ("NEAR(red owl, 3)", {"fox", "hen", "barn", "owl"}),
        ("sit*", {"hen"}),
        ("title:fox", {"fox"}),
        ("title:hen OR title:owl", {"hen", "owl"}),
        ("(hen OR owl) AND fox", {"fox", "owl"}),
        ("body:fox NOT title:fox", {"owl"}),
    ],
)
def test_operators_find_what_they_say(engine: Engine, query: str, expected: set[str]) -> None:
    farm(engine)
    assert set(found(engine, query)) == expected


@pytest.mark.parametrize(
    "query", ["fox AND", '"fox', "(fox", "fox OR OR", "NOT fox", "fox)", "NEAR(fox", "fox & | ^"]
)
def test_a_broken_expression_is_asked_as_plain_words(engine: Engine, query: str) -> None:
    farm(engine)
    assert set(found(engine, query)) == {"fox", "owl"}


def test_an_expression_that_finds_nothing_is_asked_as_plain_words_and_says_so(
    engine: Engine,
) -> None:
    engine.save(Record(id="pros", body="the pros of waiting"))
    engine.save(Record(id="cons", body="the cons of waiting"))
    answer = engine.search("Pros AND Cons")
    assert {hit.id for hit in answer} == {"pros", "cons"}
    assert answer.meta["changed"] == ["nothing matches the expression: asked as plain words"]


def test_a_sign_tells_one_language_from_another(engine: Engine) -> None:
    engine.save(Record(id="a-letter", body="The language C is old"))
    engine.save(Record(id="plus", body="The language C++ is younger"))
    engine.save(Record(id="sharp", body="The language C# is younger still"))
    assert found(engine, "C++")[0] == "plus"
    assert found(engine, "C#")[0] == "sharp"


@pytest.mark.parametrize("query", ["rm -rf /", "100%", "a_b", "\\", "C:\\temp", "'; DROP TABLE"])
def test_signs_of_other_languages_mean_nothing_special(engine: Engine, query: str) -> None:
    engine.save(Record(id="shell", body=f"never type {query} here"))
    engine.save(Record(id="other", body="nothing of the sort"))
    assert found(engine, query) == ["shell"]


@pytest.mark.parametrize("query", ["*", "()", '""', "...", "🦊", "¸", "AND", "\ufffd"])
def test_a_question_without_a_known_word_finds_nothing(engine: Engine, query: str) -> None:
    engine.save(Record(id="fox", body="red"))
    assert found(engine, query) == []


def test_stop_words_alone_are_searched_for(engine: Engine) -> None:
    engine.save(Record(id="hamlet", body="To be, or not to be"))
    engine.save(Record(id="other", body="quite different"))
    assert found(engine, "to be or not to be") == ["hamlet"]


@pytest.mark.parametrize("query", ["", "  \n\t ", "\x00", "\ud800"])
def test_an_empty_question_shows_what_was_changed_last(engine: Engine, query: str) -> None:
    for id, days in {"second": 1, "first": 2, "last": 0}.items():
        engine.save(Record(id=id, body="x", updated_at=NOW + timedelta(days=days)))
    answer = engine.search(query)
    assert [hit.id for hit in answer] == ["first", "second", "last"]
    assert {(hit.score, hit.relevance) for hit in answer} == {(0.0, 0.0)}


@pytest.mark.proves("B7")
def test_letters_are_searched_when_no_word_is_found_and_they_are_marked(engine: Engine) -> None:
    engine.save(Record(id="amber", body="a piece of Amber & gold"))
    answer = engine.search("mbe")
    assert [hit.id for hit in answer] == ["amber"]
    assert answer[0].snippet == "a piece of A<mark>mbe</mark>r &amp; gold"
    assert answer[0].sources == {"lexical": 1}
    assert answer.meta["changed"] == ["no word matches: searched letter by letter"]


@pytest.mark.proves("B7")
def test_letters_are_not_searched_when_a_word_is_found(engine: Engine) -> None:
    engine.save(Record(id="amber", body="amber"))
    engine.save(Record(id="word", body="mbe"))
    assert found(engine, "mbe") == ["word"]


@pytest.mark.proves("B7")
def test_a_profile_can_do_without_the_search_by_letters(engine: Engine) -> None:
    engine.save(Record(id="amber", body="amber"))
    assert found(engine, "mbe", override={"retrieve.lexical.substring": False}) == []


@pytest.mark.proves("B7")
def test_filters_hold_for_the_search_by_letters_too(engine: Engine) -> None:
    engine.save(Record(id="amber", body="amber", kind="note"))
    engine.save(Record(id="ember", body="amber", kind="task"))
    assert found(engine, "mbe", kinds=["task"]) == ["ember"]


@pytest.mark.proves("V17")
@pytest.mark.proves("S18")
@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kinds": ["task"]}, ["b"]),
        ({"kinds": ["task", "note"]}, ["a", "b"]),
        ({"tags": ["wild"]}, ["a", "c"]),
        ({"tags": ["wild", "red"]}, ["c"]),
        ({"domains": ["farm"]}, ["b"]),
        ({"severities": ["critical"]}, ["c"]),
        ({"authors": ["Ann"]}, ["a"]),
        ({"scope": "team/api"}, ["b", "c"]),
        ({"scope": "/team/api/"}, ["b", "c"]),
        ({"since": "2026-02-01"}, ["b", "c"]),
        ({"until": "2026-02-01"}, ["a"]),
    ],
)
def test_filters_narrow_every_search(
    engine: Engine, filters: dict[str, Any], expected: list[str]
) -> None:
    made = ["2026-01-01", "2026-02-01", "2026-03-01"]
    records: list[dict[str, Any]] = [
        {"kind": "note", "tags": ("wild",), "author": "Ann", "scope": "team"},
        {"kind": "task", "domain": "farm", "scope": "team/api"},
        {"kind": "doc", "tags": ("wild", "red"), "severity": "critical", "scope": "team/api/v1"},
    ]
    for id, date, parts in zip("abc", made, records, strict=True):
        engine.save(check_record({"id": id, "body": "amber", "created_at": date, **parts}))
    assert sorted(found(engine, "amber", **filters)) == expected
    assert sorted(found(engine, "", **filters)) == expected
    # One hit is enough: what is filtered out must not take its place.
    assert len(found(engine, "amber", limit=1, **filters)) == 1


@pytest.mark.parametrize("mode", MODES)
def test_equal_scores_are_ordered_by_id(engine: Engine, mode: str) -> None:
    for id in ("b", "a", "c"):
        engine.save(Record(id=id, body="amber"))
    assert found(engine, "amber", mode=mode) == ["a", "b", "c"]
