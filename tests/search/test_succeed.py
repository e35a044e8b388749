"""Causes and successors: what causal edges carry, and who stands for what was superseded."""

import pytest

from pinyon.engine import Engine
from pinyon.model.record import Record
from pinyon.profiles.load import load
from tests.search.test_expand import asked, known, scores

CAUSAL = ("caused", "enabled", "supersedes", "contradicts", "derived_from", "supports")


@pytest.mark.proves("S15")
@pytest.mark.parametrize("relation", CAUSAL)
def test_a_causal_edge_carries_its_strength_and_evidence(engine: Engine, relation: str) -> None:
    known(engine, a="amber", b="other")
    engine.link("a", relation, "b", strength=0.75, evidence="said in the review")
    (related,) = engine.related("a")
    edge = related.edge
    assert (edge.relation, edge.strength, edge.evidence) == (relation, 0.75, "said in the review")
    decay = load("base").expand.decay
    assert relation in decay
    changes = {"expand.depth": 1, "fuse.normalise": True, "retrieve.superseded": True}
    found = engine.search("amber", profile="base", channels=["lexical"], override=changes)
    assert scores(found) == pytest.approx({"a": 1.0, "b": decay[relation] * 0.75})


@pytest.mark.proves("S15")
def test_what_is_superseded_is_left_out_and_its_successor_stands_there(engine: Engine) -> None:
    known(engine, old="amber amber amber", other="amber and more words", new="a new text")
    before = scores(engine.search("amber"))
    engine.link("new", "supersedes", "old")
    answer = engine.search("amber")
    assert scores(answer) == {"new": before["old"], "other": before["other"]}
    assert [hit.via for hit in answer] == ["supersedes old", ""]
    everything = engine.search("amber", override={"retrieve.superseded": True})
    assert scores(everything) == before


def test_a_successor_that_was_found_itself_keeps_the_better_score(engine: Engine) -> None:
    known(engine, old="amber amber amber", new="amber and a longer text of other words")
    before = scores(engine.search("amber"))
    engine.link("new", "supersedes", "old")
    (hit,) = engine.search("amber")
    assert (hit.id, hit.score, hit.sources) == ("new", before["old"], {"lexical": 2})
    engine.unlink("new", "supersedes", "old")
    engine.link("old", "supersedes", "new")
    (hit,) = engine.search("amber")
    assert (hit.id, hit.score, hit.via) == ("old", before["old"], "")


def test_the_last_of_a_line_of_successors_stands_for_all(engine: Engine) -> None:
    known(engine, first="amber", second="other", third="another")
    engine.link("second", "supersedes", "first")
    engine.link("third", "supersedes", "second")
    assert [hit.id for hit in engine.search("amber")] == ["third"]
    assert [hit.id for hit in engine.search("other")] == ["third"]
    assert [hit.id for hit in engine.search("")] == ["third"]
    engine.forget("third")
    assert [hit.id for hit in engine.search("amber")] == ["second"]


def test_a_successor_that_does_not_pass_the_filters_does_not_stand_there(engine: Engine) -> None:
    engine.save(Record(id="old", kind="note", body="amber"))
    engine.save(Record(id="new", kind="task", body="other"))
    engine.link("new", "supersedes", "old")
    assert scores(engine.search("amber", kinds=["note"])) == {}
    assert list(scores(engine.search("amber", kinds=["note", "task"]))) == ["new"]


def test_records_that_supersede_each_other_both_stay(engine: Engine) -> None:
    known(engine, a="amber", b="amber")
    engine.link("a", "supersedes", "b")
    engine.link("b", "supersedes", "a")
    assert sorted(scores(engine.search("amber"))) == ["a", "b"]


def test_edges_do_not_lead_to_what_is_superseded_but_to_its_successor(engine: Engine) -> None:
    known(engine, a="amber", old="other", new="another")
    engine.link("a", "contains", "old")
    engine.link("new", "supersedes", "old")
    answer = asked(engine)
    assert scores(answer) == {"a": 1.0, "new": 0.95}
    assert answer[1].via == "supersedes old, contains from a"
