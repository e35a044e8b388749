"""Explanations: each number of a hit, and what it does to the score."""

from dataclasses import replace
from typing import Any

from pinyon.model.hit import Answer, Hit
from pinyon.surfaces.cli.hits import answer_lines

META: dict[str, Any] = {
    "profile": "mine",
    "route": "semantic",
    "intents": [{"name": "fix_bug", "score": 5.0, "confidence": 0.9}],
    "period": [],
    "channels": ["lexical", "vector"],
    "candidates": 1,
    "returned": 1,
    "ms": 1.0,
    "stages": {},
    "weights": {"lexical": 0.75, "vector": 0.25},
    "filters": {"kinds": ("note", "task")},
    "left_out": {"superseded": 2, "off topic": 1},
    "changed": [],
    "warnings": [],
    "tiers": ["agent", "team"],
    "next": "",
    "revision": 1,
    "times": ["decay"],
}
SIGNALS = {"lexical": 0.8, "vector": 0.4, "decay": 0.5}
SCORE = (0.75 * 0.8 + 0.25 * 0.4) * 0.5
HIT = Hit(
    "a", "note", "T", SCORE, 0.5, SIGNALS, {"lexical": 2}, "text", via="links to b", tier="team"
)


def lines(hit: Hit, **meta: Any) -> list[str]:
    answer = Answer((hit,), {**META, **meta})
    return list(answer_lines(answer, lambda style, text: text, 80, explain=True))


def test_each_signal_says_what_it_adds_or_that_it_multiplies() -> None:
    bar = "█" * 20
    assert lines(HIT)[:9] == [
        f" 1. T  {SCORE:.3f} note, from team",
        "    a",
        "    text",
        f"    lexical      0.800 {bar} weight 0.75, adds 0.600",
        f"    vector       0.400 {bar} weight 0.25, adds 0.100",
        f"    decay        0.500 {bar} multiplies the score",
        f"    relevance    0.500 {'█' * 10}{'·' * 10} found by lexical at rank 2;"
        " 1 of 2 channels agree",
        "    via       links to b",
        "    tier      team",
    ]


def test_what_was_left_out_and_the_filters_stand_at_the_end() -> None:
    assert lines(HIT)[-4:] == [
        "weights: lexical 0.75, vector 0.25",
        "filters: kinds note/task",
        "left out: superseded 2, off topic 1",
        "tiers: agent, team",
    ]


def test_how_far_each_channel_was_trusted_stands_below_the_weights() -> None:
    told = lines(HIT, trust={"lexical": 0.41234, "vector": 1.5})
    assert told[-4:-2] == ["trust: lexical x 0.412, vector x 1.5", "filters: kinds note/task"]


def test_nothing_is_said_to_be_added_where_the_score_is_no_sum() -> None:
    fused = replace(HIT, score=0.99)
    assert [line for line in lines(fused) if "adds" in line] == []
    assert any(line.endswith("weight 0.75") for line in lines(fused))


def test_what_edges_passed_on_is_no_signal_with_a_weight() -> None:
    reached = replace(HIT, signals={"graph": 0.7}, sources={})
    assert any(line.endswith("passed on") for line in lines(reached))
    assert any(line.endswith("reached by edges") for line in lines(reached))
    assert any(line.endswith("changed last") for line in lines(replace(reached, via="")))
