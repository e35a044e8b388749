"""The brain, end to end: four signals in [0, 1], and weights that can be changed at once."""

from datetime import timedelta

import pytest

from pinyon.engine import Engine
from pinyon.model.ask import Ask
from pinyon.model.record import Record
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.store.contract import Store
from tests.search.meanings import bag, embedded
from tests.store.world import NOW, record
from tests.surfaces.cli.shell import Shell


@pytest.mark.proves("B5")
def test_the_score_is_meaning_words_recency_and_importance(store: Store) -> None:
    month = NOW - timedelta(days=30)
    embedded(
        store,
        record("first", title="cat", importance=3),
        record("second", title="kitten", importance=5, created_at=month, updated_at=month),
        record("third", title="cat dog", importance=1),
    )
    with store.snapshot() as view:
        answer = search(view, Ask("cat", NOW), load("brain"), meaning=bag)
    hits = {hit.id: hit for hit in answer}
    assert (hits["first"].sources["lexical"], hits["third"].sources["lexical"]) == (1, 2)
    cosine = hits["third"].signals["vector"]  # of one word with two
    assert cosine == pytest.approx(2**-0.5, abs=1e-4)
    assert {id: hit.score for id, hit in hits.items()} == pytest.approx(
        {
            "first": 0.4 * 1 + 0.3 * 61 / (60 + 1) + 0.2 * 1 + 0.1 * 3 / 5,
            "second": 0.4 * 1 + 0.3 * 0 + 0.2 * 1 / 2 + 0.1 * 5 / 5,
            "third": 0.4 * cosine + 0.3 * 61 / (60 + 2) + 0.2 * 1 + 0.1 * 1 / 5,
        }
    )


@pytest.mark.proves("B6")
def test_the_call_stands_over_the_configuration_and_that_over_the_default(engine: Engine) -> None:
    old = NOW - timedelta(days=90)
    engine.save(Record(id="old", title="cat", importance=5, created_at=old, updated_at=old))
    engine.save(Record(id="new", title="cat", importance=1, created_at=NOW))

    def first(**override: float) -> str:
        changes = {f"rank.weights.{name}": weight for name, weight in override.items()}
        return engine.search("cat", profile="brain", override=changes, track=False)[0].id

    assert first() == "new"  # .2 x (1 - 1/8) is more than .1 x (1 - 1/5)
    engine.configure("profiles.brain.rank.weights.recency", "0.05")
    assert first() == "old"
    assert first(importance=0) == "new"  # a 0 that is given is a 0
    engine.configure("profiles.brain.rank.weights.recency", None)
    assert first() == "new"


@pytest.mark.proves("B6")
def test_weights_that_a_call_gives_whole_stand_over_single_ones_that_are_configured(
    engine: Engine,
) -> None:
    engine.save(Record(id="a", title="cat"))
    engine.configure("profiles.brain.rank.weights", '{"lexical": 1, "importance": 1}')
    engine.configure("profiles.brain.rank.weights.recency", "1")
    changes = {"rank.weights": {"lexical": 1, "recency": 0}}
    answer = engine.search("cat", profile="brain", override=changes)
    assert answer.meta["weights"] == {"lexical": 1, "recency": 0}


@pytest.mark.proves("B10")
def test_an_answer_has_the_hits_with_their_signals_and_how_it_came_about(shell: Shell) -> None:
    shell("save", "--id", "dark", "--title", "Dark mode", "--body", "Mira prefers dark mode")
    answer = shell.json("search", "dark mode", "--profile", "brain", "--mode", "full")
    (hit,) = answer["hits"]
    assert (hit["id"], hit["kind"], hit["record"]["body"]) == (
        "dark",
        "memory",
        "Mira prefers dark mode",
    )
    signals = {name: hit["signals"][name] for name in ("lexical", "recency", "importance")}
    assert all(0 <= value <= 1 for value in signals.values())
    meta = answer["meta"]
    assert (meta["candidates"], meta["returned"]) == (1, 1)
    assert meta["ms"] > 0
    # Without a model the vector channel does not answer, and its share goes to the others.
    counted = {name: meta["weights"][name] for name in signals}
    assert counted == pytest.approx(
        {"lexical": 0.3 / 0.6, "recency": 0.2 / 0.6, "importance": 0.1 / 0.6}
    )
    assert hit["score"] == pytest.approx(sum(counted[name] * signals[name] for name in signals))


@pytest.mark.proves("B7")
def test_letters_are_searched_where_no_word_is_found(engine: Engine) -> None:
    engine.save(Record(id="long", title="Donaudampfschiff"))
    assert [hit.id for hit in engine.search("dampfsch", profile="brain")] == ["long"]


def test_only_memories_entities_notes_and_resources_are_found(engine: Engine) -> None:
    kinds = ("memory", "entity", "note", "resource", "code", "doc", "task")
    for kind in kinds:
        engine.save(Record(id=kind, kind=kind, title="amber"))
    assert {hit.id for hit in engine.search("amber", profile="brain")} == set(kinds[:4])
