"""Relevance: a chance in [0, 1] from what is known of one record, and what becomes of it."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.engine import Engine
from pinyon.model.ask import Ask
from pinyon.model.hit import Candidate, Evidence
from pinyon.model.profile import RelevanceSection
from pinyon.model.record import Record
from pinyon.profiles.load import load, names
from pinyon.search.pipeline import search
from pinyon.search.relate import FIRST, best, on_topic, relate, relevant
from pinyon.store.memory import MemoryStore
from tests.search.meanings import bag, embedded
from tests.store.world import NOW, record

HOW = RelevanceSection(
    words={"share": 2, "title": 1, "phrase": 3, "bias": -4},
    meaning={"cosine": 6, "bias": -3},
    both={"share": 1, "phrase": 0.5, "cosine": 5, "bias": -3.5},
    usual={"granite": 0.6},
    unnamed=0.25,
)

shares = st.floats(0, 1)
cosines = st.floats(-1, 1)
known = st.builds(Evidence, st.none() | shares, shares, shares, st.none() | cosines).filter(
    lambda one: (one.share, one.cosine) != (None, None)
)
weights = st.fixed_dictionaries(
    {name: st.floats(0, 50) for name in Evidence._fields} | {"bias": st.floats(-50, 50)}
)
sections = st.builds(
    RelevanceSection,
    words=weights,
    meaning=weights,
    both=weights,
    usual=st.fixed_dictionaries({"granite": shares}),
    unnamed=shares,
)


def candidate(evidence: Evidence, relevance: float = 0.0, *, id: str = "a") -> Candidate:
    return Candidate(id, 1.0, relevance, {}, {}, evidence=evidence)


def relevance(evidence: Evidence, how: RelevanceSection = HOW, model: str = "granite") -> float:
    return relate([candidate(evidence)], how, model)[0].relevance


def logistic(total: float) -> float:
    return 1 / (1 + math.exp(-total))


@pytest.mark.proves("X1")
@pytest.mark.parametrize(
    ("evidence", "total"),
    [
        (Evidence(0.5, 0.25, 0.1), -4 + 2 * 0.5 + 1 * 0.25 + 3 * 0.1),
        (Evidence(cosine=0.8), -3 + 6 * (0.8 - 0.6) / (1 - 0.6)),
        (Evidence(0.5, 0.25, 0.1, 0.8), -3.5 + 0.5 + 0.5 * 0.1 + 5 * (0.8 - 0.6) / (1 - 0.6)),
    ],
)
def test_relevance_is_the_logistic_of_what_is_known(evidence: Evidence, total: float) -> None:
    assert relevance(evidence) == pytest.approx(logistic(total))


@pytest.mark.proves("X1")
def test_the_cosine_of_a_model_that_is_not_named_is_not_read() -> None:
    near, far = Evidence(0.5, cosine=0.9), Evidence(0.5, cosine=0.1)
    expected = logistic(-3.5 + 0.5 + 5 * 0.25)
    assert relevance(near, model="other") == pytest.approx(expected)
    assert relevance(far, model="other") == pytest.approx(expected)


@pytest.mark.proves("X1")
def test_what_nothing_is_known_of_keeps_its_relevance() -> None:
    reached = candidate(Evidence(), relevance=0.37)
    assert relate([reached], HOW, "granite") == [reached]


@pytest.mark.proves("X1")
@given(evidence=known, before=shares)
def test_an_empty_section_changes_nothing(evidence: Evidence, before: float) -> None:
    given = [candidate(evidence, before)]
    assert relate(given, RelevanceSection(), "granite") == given


@pytest.mark.proves("X1")
@given(evidence=known, how=sections, model=st.sampled_from(["granite", "other"]))
def test_relevance_is_from_0_to_1(evidence: Evidence, how: RelevanceSection, model: str) -> None:
    assert 0 <= relevance(evidence, how, model) <= 1


@pytest.mark.proves("X1")
@given(
    evidence=known,
    how=sections,
    model=st.sampled_from(["granite", "other"]),
    name=st.sampled_from(Evidence._fields),
    more=shares,
)
def test_more_evidence_is_never_less_relevant(
    evidence: Evidence, how: RelevanceSection, model: str, name: str, more: float
) -> None:
    value = getattr(evidence, name)
    if value is None:
        return
    stronger = evidence._replace(**{name: value + more * (1 - value)})
    assert relevance(stronger, how, model) >= relevance(evidence, how, model)


@pytest.mark.proves("X1")
@given(all_known=st.lists(known, min_size=2, max_size=6))
def test_relevance_does_not_hang_on_what_else_was_found(all_known: list[Evidence]) -> None:
    together = relate([candidate(one) for one in all_known], HOW, "granite")
    assert [one.relevance for one in together] == [relevance(one) for one in all_known]


@pytest.mark.proves("X1")
@pytest.mark.parametrize("bias", [-1e9, 1e9])
def test_no_bias_is_too_large(bias: float) -> None:
    how = RelevanceSection(words={"bias": bias})
    assert relevance(Evidence(1.0), how) == float(bias > 0)


@pytest.mark.proves("X1")
def test_what_is_less_relevant_than_asked_for_is_left_out() -> None:
    given = [candidate(Evidence(), chance, id=str(chance)) for chance in (0.5, 0.2, 0.9, 0.4)]
    kept = relevant(given, RelevanceSection(least=0.4))
    assert [one.relevance for one in kept] == [0.5, 0.9, 0.4]


@pytest.mark.proves("X1")
def test_an_answer_is_off_topic_when_its_best_hit_is_not_relevant_enough() -> None:
    given = [candidate(Evidence(), chance) for chance in (0.05, 0.3, 0.1)]
    assert best(given) == 0.3
    assert on_topic(given, RelevanceSection(off_topic=0.3))
    assert not on_topic(given, RelevanceSection(off_topic=0.31))


@pytest.mark.proves("X1")
def test_later_hits_do_not_save_an_answer() -> None:
    given = [candidate(Evidence(), 0.1)] * FIRST + [candidate(Evidence(), 0.9)]
    assert not on_topic(given, RelevanceSection(off_topic=0.2))


@pytest.mark.proves("X1")
def test_what_holds_every_word_is_never_off_topic() -> None:
    given = [candidate(Evidence(share=0.9), 0.01), candidate(Evidence(share=1.0), 0.01)]
    assert on_topic(given, RelevanceSection(off_topic=0.5))
    assert not on_topic(given[:1], RelevanceSection(off_topic=0.5))


@pytest.mark.proves("X1")
@pytest.mark.parametrize("name", names())
def test_every_profile_has_weights_that_only_speak_for_a_hit(name: str) -> None:
    how = load(name).relevance
    tables: tuple[Mapping[str, float], ...] = (how.words, how.meaning, how.both)
    for table in tables:
        assert table["bias"] < 0
        assert all(weight >= 0 for name, weight in table.items() if name != "bias")


@pytest.mark.proves("X1")
def test_the_shipped_weights_tell_an_answer_from_a_foreign_text() -> None:
    """The medians of the labelled collections: a right hit, and the best hit of a question that has
    nothing to do with the store."""
    how = load("default").relevance
    model = next(iter(how.usual))
    right, foreign = Evidence(0.6, 0.3, 0.2, 0.80), Evidence(0.2, 0.0, 0.0, 0.60)
    assert relevance(foreign, how, model) < how.off_topic < 0.5 < relevance(right, how, model)
    assert relevance(foreign._replace(cosine=None), how, "") < relevance(
        right._replace(cosine=None), how, ""
    )


@pytest.mark.proves("X1")
def test_a_question_about_something_else_gets_an_empty_answer_that_says_so(engine: Engine) -> None:
    for at in range(12):
        engine.save(Record(id=f"pear-{at}", title=f"Pears {at}", body="pears grow in the garden"))
    foreign = "which tensor kernels overlap with gradient reduction across garden accelerators"
    strict = {"relevance.off_topic": 0.06}  # words alone never say less than .04
    answer = engine.search(foreign, override=strict)
    assert (list(answer), answer.meta["left_out"]) == ([], {"off topic": 12})
    assert any(said.startswith("nothing relevant here") for said in answer.meta["changed"])
    assert len(engine.search(foreign, override={"relevance.off_topic": 0})) == 10
    assert len(engine.search("garden")) == 10


@pytest.mark.proves("X1")
def test_default_says_that_nothing_is_relevant_where_neither_words_nor_meaning_are_near() -> None:
    store = MemoryStore()
    embedded(store, *(record(f"pear-{at}", body=f"pears grow in row {at}") for at in range(12)))
    how = load("default", override={"relevance.usual": {"bag": 0.4}})
    with store.snapshot() as view:
        foreign = search(view, Ask("tensor kernels overlap", NOW), how, meaning=bag)
        near = search(view, Ask("which pears grow where", NOW), how, meaning=bag)
    assert (list(foreign), foreign.meta["left_out"]) == ([], {"off topic": 12})
    assert foreign.meta["changed"][-1].startswith("nothing relevant here")
    assert len(near) == 10


@pytest.mark.proves("X1")
def test_the_same_record_is_as_relevant_whatever_else_is_found(engine: Engine) -> None:
    engine.save(Record(id="a", title="Amber beads", body="how amber is polished"))
    engine.save(Record(id="b", body="amber"))
    weighed = {"rank.weights": {"lexical": 1, "recency": 5}}
    (alone,) = engine.search("polished amber beads", limit=1)
    found = {hit.id: hit for hit in engine.search("polished amber beads", override=weighed)}
    assert found["a"].relevance == alone.relevance
    assert found["b"].relevance < alone.relevance
