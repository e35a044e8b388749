"""Routes and wishes, end to end: what is asked and what counts more, by the looks of a question."""

from typing import Any

import pytest

from pinyon.engine import Engine
from pinyon.model.ask import Ask
from pinyon.model.hit import Answer
from pinyon.model.profile import Profile
from pinyon.model.query import phrases
from pinyon.model.record import Record
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.search.understand import understand
from pinyon.store.contract import Store
from tests.search.meanings import bag, embedded
from tests.store.world import NOW, record


def asked(store: Store, text: str, profile: Profile, **parts: Any) -> Answer:
    with store.snapshot() as view:
        return search(view, Ask(text, NOW, **parts), profile, meaning=bag)


def pets(store: Store) -> None:
    embedded(
        store,
        record("cat", kind="page", title="cat food here"),
        record("kitten", kind="page", title="kitten food here"),
    )


@pytest.mark.proves("P1")
@pytest.mark.parametrize("text", ["cat", "cat food", '"cat food here"', "cat AND food", "cat-food"])
def test_pages_are_asked_by_words_alone_where_a_question_is_a_keyword(
    store: Store, text: str
) -> None:
    pets(store)
    answer = asked(store, text, load("pages"))
    assert (answer.meta["route"], answer.meta["channels"]) == ("keyword", ["lexical"])
    assert answer[0].id == "cat"


@pytest.mark.proves("P1")
@pytest.mark.proves("P2")
def test_pages_are_asked_by_meaning_too_where_there_are_three_words(store: Store) -> None:
    pets(store)
    answer = asked(store, "good cat food", load("pages"))
    assert (answer.meta["route"], answer.meta["channels"]) == ("semantic", ["lexical", "vector"])
    assert {hit.id for hit in answer if "vector" in hit.sources} == {"cat", "kitten"}


@pytest.mark.proves("P2")
def test_words_find_what_meaning_does_not(store: Store) -> None:
    pets(store)
    embedded(store, record("code", kind="page", title="zq17 shelf"))
    answer = asked(store, "where is zq17 kept", load("pages"))
    assert "lexical" in next(hit for hit in answer if hit.id == "code").sources


@pytest.mark.proves("P1")
def test_operators_that_find_nothing_are_asked_as_plain_words(store: Store) -> None:
    embedded(store, record("list", kind="page", title="Pros of the plan"))
    answer = asked(store, "Pros AND Cons", load("pages"))
    assert [hit.id for hit in answer] == ["list"]
    assert answer.meta["route"] == "keyword"
    assert "nothing matches the expression: asked as plain words" in answer.meta["changed"]


@pytest.mark.proves("P1")
def test_operators_that_do_not_parse_are_plain_words(store: Store) -> None:
    pets(store)
    answer = asked(store, "cat AND food AND", load("pages"))
    assert answer.meta["route"] == "semantic"
    assert answer[0].id == "cat"


def test_a_channel_that_the_caller_names_is_asked_on_every_route(store: Store) -> None:
    pets(store)
    profile = load("pages", override={"retrieve.channels": ["vector"]})
    answer = asked(store, "cat", profile, changed=("retrieve.channels",))
    assert answer.meta["channels"] == ["vector"]


def notes(engine: Engine) -> None:
    """Two that say sqlite more often, and the record of the decision."""
    for id, title, body, type in (
        ("guide", "How we use sqlite", "We choose sqlite files per team. sqlite is fast.", ""),
        ("tips", "sqlite tips", "sqlite needs WAL. Choose a page size for sqlite.", "research"),
        ("adr-7", "Storage engine", "We chose sqlite: one file, no server.", "decision_record"),
        ("tea", "Tea", "Brew green tea at 80 degrees.", ""),
    ):
        engine.save(Record(id=id, kind="doc", title=title, body=body, doc_type=type))


@pytest.mark.proves("S5")
@pytest.mark.proves("S17", part="intents")
def test_who_asks_why_gets_the_decision_first(engine: Engine) -> None:
    notes(engine)
    answer = engine.search("why did we choose sqlite")
    assert answer.meta["intent"] == "find_decision"
    assert answer[0].id == "adr-7"
    assert {hit.id: hit.signals["intent"] for hit in answer} == {
        "adr-7": 2.5,
        "guide": 1,
        "tips": 1,
    }


@pytest.mark.proves("S5")
def test_who_asks_why_gets_the_decision_first_by_meaning_too(store: Store) -> None:
    embedded(
        store,
        record("why", kind="doc", body="why did we choose sqlite"),
        record("adr-7", kind="doc", body="we choose sqlite for it", doc_type="decision_record"),
        record("adr-8", kind="doc", body="we brew tea and cake", doc_type="decision_record"),
        record("other", kind="doc", body="sqlite is a word among many others in this text"),
    )
    answer = asked(store, "why did we choose sqlite", load("default"))
    assert {"lexical", "vector"} <= set(answer[0].signals)
    assert [hit.id for hit in answer][:2] == ["adr-7", "why"]


@pytest.mark.proves("S5")
def test_the_wish_can_be_given_and_refused(engine: Engine) -> None:
    notes(engine)
    without = engine.search("why did we choose sqlite", override={"understand.intents": False})
    assert without.meta["intent"] == ""
    assert without[0].id != "adr-7"
    given = engine.search("sqlite", intent="find_decision")
    assert given.meta["intents"][0] == {"name": "find_decision", "score": 0, "confidence": 1}
    assert given[0].id == "adr-7"


@pytest.mark.proves("S17", part="intents")
def test_find_spec_and_find_decision_raise_their_types_above_what_they_count_anyway(
    engine: Engine,
) -> None:
    for type in ("spec", "decision_record", "checklist"):
        engine.save(Record(id=type, kind="doc", title="Sign in", doc_type=type))
    plain = engine.search("sign in", profile="spec")
    types = {hit.id: hit.signals["doc_type"] for hit in plain}
    assert types == {"spec": 1.4, "decision_record": 1.4, "checklist": 1.0}
    wished = engine.search("find the spec about sign in", profile="spec")
    assert wished[0].id == "spec"
    assert wished[0].signals["doc_type"] * wished[0].signals["intent"] == 1.4 * 2.5
    decided = engine.search("what did we decide about sign in", profile="spec")
    assert decided[0].id == "decision_record"


@pytest.mark.proves("S5")
def test_a_wish_changes_what_a_channel_and_a_signal_count(engine: Engine) -> None:
    notes(engine)
    usual = engine.search("sqlite page size", profile="spec").meta["weights"]
    wished = engine.search("refactor the legacy sqlite code", profile="spec").meta
    assert (wished["intent"], wished["weights"]) == ("refactor", {**usual, "graph": 1.5 * 1.3})
    own = {"fuse.weights.graph": 1.0}
    kept = engine.search("refactor the legacy sqlite code", profile="spec", override=own).meta
    assert kept["weights"]["graph"] == 1.0


def test_a_question_without_a_wish_shows_no_signal_of_one(engine: Engine) -> None:
    notes(engine)
    answer = engine.search("sqlite page size")
    assert answer.meta["intent"] == "understand"
    assert all("intent" not in hit.signals for hit in answer)


@pytest.mark.proves("S21")
@pytest.mark.parametrize("profile", ["keyword", "vector"])
def test_a_single_channel_is_asked_for_what_is_written_there(profile: str) -> None:
    understood = load(profile).understand
    assert (understood.fix, understood.expand, understood.intents) == (False, False, False)
    assert (understood.time, dict(understood.routes)) == ("off", {})


@pytest.mark.proves("V4")
def test_a_sentence_to_the_vault_is_its_terms_and_nothing_is_added(store: Store) -> None:
    with store.snapshot() as view:
        query = understand(view, "how does JWT validation work", load("vault").understand, NOW)
    assert query.plain is not None
    assert [phrase.text.lower() for phrase in phrases(query.plain)] == ["jwt", "validation", "work"]
    assert (query.intents, query.changes, query.period) == ((), (), None)
