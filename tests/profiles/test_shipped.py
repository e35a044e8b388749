"""The shipped profiles: the numbers of the five seeds, one by one."""

import pytest

from pinyon.model.profile import GraphSection, OverfetchSection
from pinyon.profiles.load import load


@pytest.mark.proves("V7")
def test_the_vault_ranks_three_times_the_limit_and_at_least_30() -> None:
    assert load("vault").retrieve.overfetch == OverfetchSection(3, 30)


@pytest.mark.proves("V5")
def test_the_vault_searches_five_fields() -> None:
    fields = {"title": 10, "id": 5, "body": 3, "tags": 2, "context": 1}
    assert load("vault").retrieve.lexical.fields == fields


REST = {"severity": 0.15, "decay": 0.15, "tags": 0.15, "domain": 0.15}


@pytest.mark.proves("V8")
def test_the_vault_weighs_six_signals_with_one_set_for_words_and_one_for_vectors() -> None:
    rank = load("vault").rank
    assert rank.weights == {"semantic": 0.40, "vector": 0, **REST}
    assert {**rank.weights, **rank.with_vectors} == {"semantic": 0.25, "vector": 0.15, **REST}


@pytest.mark.proves("V10")
@pytest.mark.proves("V11")
def test_severities_and_the_half_life_are_the_vaults() -> None:
    rank = load("vault").rank
    assert rank.severity == {"critical": 1.0, "warning": 0.7, "suggestion": 0.4}
    assert rank.half_life == 365


@pytest.mark.proves("V13")
@pytest.mark.proves("V16")
def test_the_vault_guards_small_stores_and_has_memories_beside_it() -> None:
    vault = load("vault")
    assert (vault.retrieve.small, vault.retrieve.beside) == (50, ("memory",))
    assert vault.rank.baseline == {"memory": 0.5}


@pytest.mark.proves("V12")
def test_the_vault_learns_by_the_rate_of_accepted_answers() -> None:
    learn = load("vault").learn
    assert (learn.method, learn.signal, learn.most, learn.least) == ("rate", "semantic", 0.15, 30)


@pytest.mark.proves("B4")
def test_the_brain_asks_for_three_times_the_limit_and_no_more() -> None:
    assert load("brain").retrieve.overfetch == OverfetchSection(3, 0)


@pytest.mark.proves("B5")
def test_the_brain_weighs_four_signals_each_of_them_in_0_to_1() -> None:
    brain = load("brain")
    weights = {"vector": 0.4, "lexical": 0.3, "recency": 0.2, "importance": 0.1}
    assert brain.rank.weights == weights
    assert brain.rank.scale == {"vector": "positive", "lexical": "rank"}
    assert brain.fuse.k == 60


@pytest.mark.proves("B7")
@pytest.mark.proves("B8")
@pytest.mark.proves("B13")
def test_the_brain_knows_four_kinds_falls_back_to_letters_fades_and_counts_use() -> None:
    brain = load("brain")
    assert brain.retrieve.kinds == ("memory", "entity", "note", "resource")
    assert (brain.retrieve.lexical.substring, brain.rank.fading, brain.track.use) == (
        True,
        30,
        True,
    )


@pytest.mark.proves("S14", part="lifecycle")
def test_the_nine_types_of_memory_have_their_half_lives() -> None:
    assert load("base").rank.half_lives == {
        "working": 1,
        "episodic": 7,
        "prospective": 14,
        "implicit": 30,
        "declarative": 60,
        "procedural": 90,
        "semantic": 180,
        "autobiographical": 365,
        "meta-cognitive": 0,
    }


@pytest.mark.proves("S1", part="graph")
@pytest.mark.proves("S2")
@pytest.mark.proves("S3")
def test_spec_fuses_three_channels_by_ranks() -> None:
    spec = load("spec")
    assert spec.retrieve.channels == ("lexical", "vector", "graph")
    assert (spec.fuse.k, spec.fuse.bonus, spec.fuse.weights["graph"]) == (60, 0.1, 1.5)
    assert spec.fuse.weights["lexical"] == spec.fuse.weights["vector"] == 1
    assert (spec.retrieve.lexical.k1, spec.retrieve.lexical.b) == (1.2, 0.75)
    assert spec.retrieve.graph == GraphSection(depth=1, top_k=5)


@pytest.mark.proves("S17", part="types")
def test_spec_multiplies_by_the_type_of_document() -> None:
    rank = load("spec").rank
    assert (rank.weights, rank.times) == ({}, ("doc_type", "intent"))
    assert rank.doc_types == {
        "spec": 1.4,
        "decision_record": 1.4,
        "plan": 1.3,
        "tasks": 1.1,
        "summary": 1.1,
        "research": 1.1,
        "checklist": 1.0,
        "handover": 1.0,
    }


@pytest.mark.proves("P3", part="profile")
def test_pages_search_title_body_and_tags_and_nothing_else() -> None:
    assert load("pages").retrieve.lexical.fields == {"title": 10, "body": 1, "tags": 5}


@pytest.mark.proves("P4")
@pytest.mark.proves("P6")
@pytest.mark.proves("P7")
def test_pages_have_a_floor_for_meaning_equal_channels_and_snippets_of_32_words() -> None:
    pages = load("pages")
    assert pages.retrieve.vector.least == 0.3
    assert (pages.fuse.k, pages.fuse.bonus) == (60, 0)
    assert pages.fuse.weights == {"lexical": 1, "vector": 1}
    assert (pages.present.words, pages.present.cascade) == (32, ("body", "tags", "title"))


@pytest.mark.proves("G2", part="profile")
@pytest.mark.proves("G7", part="profile")
@pytest.mark.parametrize(
    ("name", "top_k", "depth", "max_results", "min_score"),
    [("graph", 5, 1, 5, 0.5), ("files", 10, 0, 10, 0.3), ("skills", 5, 1, 5, 0.3)],
)
def test_graph_searches_keep_and_expand_as_the_seed_says(
    name: str, top_k: int, depth: int, max_results: int, min_score: float
) -> None:
    profile = load(name)
    how = profile.expand
    assert (how.top_k, how.depth, how.max_results) == (top_k, depth, max_results)
    assert how.min_score == min_score
    assert (profile.fuse.k, profile.fuse.bonus, profile.fuse.normalise) == (60, 0, True)
    assert profile.understand.stop == "code"


@pytest.mark.proves("G3")
def test_a_hop_in_the_graph_keeps_what_its_relation_says() -> None:
    near = {"contains": 0.95, "extends": 0.85, "implements": 0.85, "imports": 0.7, "other": 0.8}
    assert load("graph").expand.decay == near
    assert load("graph").expand.one_way == ("imports",)


def test_default_weighs_scores_by_their_range() -> None:
    rank = load("default").rank
    channels = {name: rank.weights[name] for name in ("lexical", "vector", "graph")}
    assert channels == {"lexical": 0.35, "vector": 0.65, "graph": 0.3}
    assert rank.scale == dict.fromkeys(("lexical", "vector", "graph"), "range")
    assert load("default").learn.method == "pairs"


@pytest.mark.parametrize("name", ["keyword", "vector"])
def test_a_single_channel_gives_its_own_score(name: str) -> None:
    rank = load(name).rank
    (channel,) = load(name).retrieve.channels
    assert (rank.weights, rank.scale) == ({channel: 1}, {channel: "raw"})
