"""Answers: what a hit shows, why it is there, and what the search says of itself."""

import math
import re
from typing import Any

import pytest

from pinyon.engine import MOST_HITS, Engine
from pinyon.model.errors import InvalidInput, UnknownSetting
from pinyon.model.record import Record
from tests.store.world import NOW

LONG = "<amber> & " + "word " * 100


@pytest.mark.proves("V1")
def test_a_scan_shows_a_line_of_each_record(engine: Engine) -> None:
    engine.save(
        Record(
            id="a", kind="note", title="Title", body=LONG, context="why", domain="d", tags=("t",)
        )
    )
    (hit,) = engine.search("amber", mode="scan")
    assert (hit.id, hit.title, hit.kind, hit.domain, hit.tags) == (
        "a",
        "Title",
        "note",
        "d",
        ("t",),
    )
    assert hit.snippet == f"&lt;amber&gt; &amp; {LONG[10:120]}"
    assert hit.tokens == (len("Title") + len(LONG) + len("why")) // 4
    assert hit.score > 0
    assert hit.record is None


@pytest.mark.proves("V1")
def test_full_brings_the_whole_record_with_a_number_per_signal(engine: Engine) -> None:
    engine.save(Record(id="a", body=LONG, extra={"any": ["thing"]}))
    (hit,) = engine.search("amber", mode="full", profile="keyword")
    assert [hit.record] == engine.get("a")
    assert hit.signals == {"lexical": hit.score}


@pytest.mark.proves("V2")
def test_chosen_records_are_loaded_after_a_scan_in_the_order_asked_for(engine: Engine) -> None:
    for id in ("a", "b", "c"):
        engine.save(Record(id=id, body=f"amber {id}"))
    scanned = [hit.id for hit in engine.search("amber", mode="scan")]
    chosen = [scanned[2], scanned[0]]
    assert [record.id for record in engine.get(*chosen)] == chosen
    assert all(record.body.startswith("amber") for record in engine.get(*chosen))


@pytest.mark.proves("P4")
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"body": "some amber", "tags": ("amber",), "title": "Amber"}, "some <mark>amber</mark>"),
        ({"body": "none", "tags": ("x", "amber"), "title": "Amber"}, "x, <mark>amber</mark>"),
        ({"body": "none", "tags": ("x",), "title": "Amber"}, "<mark>Amber</mark>"),
        ({"body": "none <b>", "context": "amber"}, "none &lt;b&gt;"),
        ({"title": "No body", "context": "amber"}, "No body"),
    ],
)
def test_the_snippet_comes_from_the_body_else_the_tags_else_the_title(
    engine: Engine, parts: dict[str, Any], expected: str
) -> None:
    engine.save(Record(id="a", **parts))
    assert engine.search("amber")[0].snippet == expected


@pytest.mark.proves("P4")
def test_a_snippet_has_about_32_words(engine: Engine) -> None:
    engine.save(Record(id="a", body=f"{'word ' * 500}amber{' word' * 500}"))
    snippet = engine.search("amber")[0].snippet
    assert "<mark>amber</mark>" in snippet
    assert len(re.findall("word|amber", snippet)) == 32


@pytest.mark.parametrize("query", ["amber fox", "amb* OR fox", '"amber fox"', "mbe", "title:amber"])
def test_every_score_is_the_weighted_sum_of_its_signals(engine: Engine, query: str) -> None:
    for at in range(12):
        engine.save(Record(id=f"r{at}", title="amber " * (at % 3), body="fox amber fox " * at))
    answer = engine.search(query, override={"rank.weights.lexical": 2.5})
    assert len(answer) > 0
    for hit in answer:
        weights = answer.meta["weights"]
        assert hit.score == math.fsum(weights[name] * hit.signals[name] for name in hit.signals)
        assert 0 <= hit.relevance <= 1
    assert [hit.sources for hit in answer] == [{"lexical": 1 + at} for at in range(len(answer))]
    assert list(answer) == sorted(answer, key=lambda hit: (-hit.score, hit.id))


def test_a_record_with_every_word_asked_for_is_more_relevant(engine: Engine) -> None:
    engine.save(Record(id="both", body="amber fox"))
    engine.save(Record(id="one", body="amber hen"))
    both, one = engine.search("amber fox")
    assert (both.id, one.id) == ("both", "one")
    assert 0 < one.relevance < both.relevance <= 1


@pytest.mark.proves("S21")
def test_the_lexical_channel_can_be_asked_alone_or_not_at_all(engine: Engine) -> None:
    engine.save(Record(id="a", body="amber"))
    assert [hit.sources for hit in engine.search("amber", channels=["lexical"])] == [{"lexical": 1}]
    assert len(engine.search("amber", channels=[])) == 0
    with pytest.raises(UnknownSetting) as refused:
        engine.search("amber", channels=["smell"])
    assert refused.value.known == ("lexical", "vector", "graph")


@pytest.mark.parametrize("limit", [1, 10, 11, 100])
def test_more_is_fetched_than_is_shown(engine: Engine, limit: int) -> None:
    ids = [f"r{at:03}" for at in range(140)]
    for id in ids:
        engine.save(Record(id=id, body="amber"))
    answer = engine.search("amber", limit=limit)
    assert [hit.id for hit in answer] == ids[:limit]
    assert answer.meta["returned"] == min(limit, 140)
    assert answer.meta["candidates"] == min(max(3 * limit, 30), 140)


def test_meta_says_how_the_answer_came_about(engine: Engine) -> None:
    engine.save(Record(id="a", body="amber"))
    meta = dict(engine.search("amber", profile="keyword").meta)
    stages = meta.pop("stages")
    assert list(stages) == [
        "understand",
        "retrieve",
        "complete",
        "fuse",
        "rank",
        "expand",
        "present",
    ]
    assert 0 <= sum(stages.values()) <= meta.pop("ms") + 0.01
    assert meta == {
        "profile": "keyword",
        "route": "keyword",
        "intent": "",
        "intents": [],
        "period": [],
        "channels": ["lexical"],
        "candidates": 1,
        "returned": 1,
        "weights": {"lexical": 1.0},
        "times": [],
        "rerank": {},
        "trust": {},
        "filters": {"at": NOW.isoformat()},
        "left_out": {},
        "changed": [],
        "warnings": [],
        "tiers": [],
        "next": "",
        "revision": 1,
    }


def test_a_question_that_was_cut_is_answered_with_a_warning(engine: Engine) -> None:
    engine.save(Record(id="a", body="amber"))
    answer = engine.search("amber " * 100_000)
    assert [hit.id for hit in answer] == ["a"]
    (warning,) = answer.meta["warnings"]
    assert "characters were read" in warning


@pytest.mark.parametrize("limit", [0, -1, MOST_HITS + 1])
def test_a_limit_out_of_bounds_is_refused(engine: Engine, limit: int) -> None:
    with pytest.raises(InvalidInput, match="limit must be a whole number from 1 to 1,000"):
        engine.search("amber", limit=limit)


def test_an_unknown_mode_is_refused_with_the_known_ones(engine: Engine) -> None:
    with pytest.raises(UnknownSetting) as refused:
        engine.search("amber", mode="loud")
    assert refused.value.known == ("match", "scan", "full")
