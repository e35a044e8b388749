"""Rank: the formulas of the seeds as worked examples."""

import math

import pytest

from pinyon.model.hit import Candidate
from pinyon.model.profile import IntentSection, RankSection
from pinyon.search.rank import rank
from tests.search.rank.built import DOC_TYPES, SEVERITY, ago, candidate, facts, known

VAULT = RankSection(
    weights={
        "semantic": 0.40,
        "vector": 0,
        "severity": 0.15,
        "decay": 0.15,
        "tags": 0.15,
        "domain": 0.15,
    },
    with_vectors={"semantic": 0.25, "vector": 0.15},
    scale={"vector": "positive"},
    baseline={"memory": 0.5},
    severity=SEVERITY,
    half_life=365,
)
BRAIN = RankSection(
    weights={"vector": 0.4, "lexical": 0.3, "recency": 0.2, "importance": 0.1},
    scale={"vector": "positive", "lexical": "rank"},
    fading=30,
)
ENTRY = facts(
    "entry",
    severity="warning",
    updated_at=ago(365),
    tags=("auth", "token"),
    domain="security",
    terms={"auth": 1, "cache": 1},
)
ASKED = {
    "tags": frozenset(("auth",)),
    "domains": frozenset(("security",)),
    "stems": ("auth",),
    "df": {"auth": 1, "cache": 1},
    "documents": 3,
}
ALIKE = 1 / math.sqrt(2)
"""The cosine of the one word asked for with a record of two words, all equally rare."""


@pytest.mark.proves("V8")
def test_the_vault_without_vectors_is_a_sum_of_five_signals() -> None:
    (only,) = rank([candidate("entry")], known(ENTRY, **ASKED, channels=["lexical"]), VAULT)
    assert only.score == pytest.approx(
        0.40 * ALIKE + 0.15 * 0.7 + 0.15 * 0.5 + 0.15 * (1 / 2) + 0.15 * 1
    )
    assert only.signals == {
        "lexical": 1.0,
        "semantic": pytest.approx(ALIKE),
        "severity": 0.7,
        "decay": 0.5,
        "tags": 1 / 2,
        "domain": 1,
    }


@pytest.mark.proves("V8")
def test_the_vault_with_vectors_is_a_sum_of_six_signals() -> None:
    found = candidate("entry", {"lexical": 4.2, "vector": 0.8})
    (only,) = rank([found], known(ENTRY, **ASKED), VAULT)
    assert only.score == pytest.approx(
        0.25 * ALIKE + 0.15 * 0.8 + 0.15 * 0.7 + 0.15 * 0.5 + 0.15 * (1 / 2) + 0.15 * 1
    )
    assert only.signals["vector"] == 0.8


@pytest.mark.proves("B5")
def test_the_brain_weighs_meaning_words_recency_and_importance() -> None:
    found = [
        candidate("a", {"vector": 0.9, "lexical": 12.0}, ranks={"vector": 1, "lexical": 3}),
        candidate("b", {"vector": -0.2, "lexical": 30.0}, ranks={"lexical": 1}),
        candidate("c", {"vector": 0.7}, ranks={"vector": 2}),
    ]
    about = [
        facts("a", kind="memory", importance=4, updated_at=ago(30)),
        facts("b", kind="memory", importance=5, strength=0.6, used_at=ago(60)),
        facts("c", kind="entity", mentions=30),
    ]
    ranked = rank(found, known(*about, k=60), BRAIN)
    assert {one.id: one.score for one in ranked} == pytest.approx(
        {
            "a": 0.4 * 0.9 + 0.3 * 61 / (60 + 3) + 0.2 * 2 ** (-30 / 30) + 0.1 * 4 / 5,
            "b": 0.4 * 0 + 0.3 * 61 / (60 + 1) + 0.2 * 0.6 * 2 ** (-60 / 30) + 0.1 * 5 / 5,
            "c": 0.4 * 0.7 + 0.3 * 0 + 0.2 * 1 + 0.1 * 30 / (30 + 10),
        }
    )
    assert [one.id for one in ranked] == ["a", "c", "b"]


@pytest.mark.proves("B5")
def test_relevance_outweighs_importance() -> None:
    found = [
        candidate("relevant", {"vector": 0.9, "lexical": 9.0}, ranks={"vector": 1, "lexical": 1}),
        candidate("important", {"vector": 0.5, "lexical": 1.0}, ranks={"vector": 2, "lexical": 2}),
    ]
    about = [
        facts("relevant", kind="memory", importance=1),
        facts("important", kind="memory", importance=5),
    ]
    assert [one.id for one in rank(found, known(*about), BRAIN)] == ["relevant", "important"]


@pytest.mark.proves("S17", part="types")
def test_the_type_of_a_document_multiplies_the_fused_score() -> None:
    how = RankSection(times=("doc_type", "intent"), doc_types=DOC_TYPES)
    about = [facts("plan", doc_type="plan"), facts("spec", doc_type="spec"), facts("note")]
    fused = {"note": 1.1 / 61, "plan": 1 / 62, "spec": 1 / 64}
    found = [candidate(id, score=score) for id, score in fused.items()]
    ranked = rank(found, known(*about), how)
    assert [(one.id, one.score) for one in ranked] == [
        ("spec", 1 / 64 * 1.4),
        ("plan", 1 / 62 * 1.3),
        ("note", 1.1 / 61 * 1.0),
    ]
    wished = how._replace(intent=IntentSection(doc_types={"plan": 1.5}))
    best = rank(found, known(*about), wished)[0]
    assert (best.id, best.score) == ("plan", 1 / 62 * 1.3 * 1.5)
    assert best.signals == {"lexical": 1.0, "doc_type": 1.3, "intent": 1.5}


@pytest.mark.proves("V16")
def test_memories_stand_at_their_baseline_among_the_entries_the_best_first() -> None:
    how = VAULT._replace(weights={"lexical": 1}, with_vectors={}, scale={"lexical": "best"})
    scores = {"top": 10.0, "low": 2.0, "session b": 8.0, "session a": 4.0, "session c": 4.0}
    found = [candidate(id, {"lexical": score}) for id, score in scores.items()]
    kinds = {id: "memory" if id.startswith("session") else "entry" for id in scores}
    about = [facts(id, kind=kind) for id, kind in kinds.items()]
    ranked = rank(found, known(*about), how)
    assert [(one.id, one.score) for one in ranked] == [
        ("top", 10 / 10),
        ("session b", 0.5),
        ("session a", 0.5),
        ("session c", 0.5),
        ("low", 2 / 10),
    ]
    assert ranked[1].signals == {"lexical": 8 / 10}


@pytest.mark.proves("V6")
def test_the_tier_of_a_record_is_part_of_its_score() -> None:
    about = [
        facts("agent", tier="agent", priority=1.0),
        facts("team", tier="team", priority=0.6),
        facts("session", kind="memory", tier="team", priority=0.6),
    ]
    how = RankSection(weights={"lexical": 1}, baseline={"memory": 0.5})
    found = [candidate(id, {"lexical": 0.9}) for id in ("team", "agent", "session")]
    knowing = known(*about)
    assert [(one.id, one.score) for one in rank(found, knowing, how)] == [
        ("agent", 0.9 * 1.0),
        ("team", 0.9 * 0.6),
        ("session", 0.5 * 0.6),
    ]
    assert knowing.tiers == {"agent": "agent", "team": "team", "session": "team"}
    fused = [candidate(id, score=1 / 61) for id in ("team", "agent")]
    assert rank(fused, knowing, RankSection())[0].score == 1 / 61 * 1.0


def test_what_a_channel_said_stays_where_nobody_weighs_it() -> None:
    found = candidate("a", {"lexical": 7.0, "vector": -0.3})
    how = RankSection(weights={"lexical": 1}, scale={"lexical": "best", "vector": "positive"})
    (only,) = rank([found], known(), how)
    assert (only.score, only.signals) == (1, {"lexical": 1, "vector": -0.3})


def test_a_signal_of_weight_0_is_shown_and_changes_nothing() -> None:
    how = RankSection(weights={"lexical": 1, "title": 0})
    (only,) = rank([candidate("a", title=0.4)], known(), how)
    assert (only.score, only.signals) == (1, {"lexical": 1, "title": 0.4})


def test_where_no_weight_counts_the_score_is_the_fused_one() -> None:
    found = [candidate("b", score=0.3), candidate("a", score=0.2)]
    only_meaning = RankSection(weights={"vector": 1}, scale={"vector": "positive"})
    assert rank(found, known(channels=["lexical"]), only_meaning) == found


def test_what_was_only_changed_last_stays_as_it_is() -> None:
    recent = [Candidate(id, 0.0, 0.0, {}, {}) for id in "bca"]
    assert rank(recent, known(channels=[]), VAULT._replace(times=("doc_type",))) == recent
    assert rank([], known(), VAULT) == []
