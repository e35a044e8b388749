"""Expand: what edges lead to from the best hits, what each hop costs, and who stands for whom."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.engine import Engine
from pinyon.model.errors import UnknownSetting
from pinyon.model.hit import Answer, Candidate
from pinyon.model.profile import ExpandSection
from pinyon.model.query import NAMES, Filters, Match, RankedList
from pinyon.model.record import Edge, Record
from pinyon.profiles.load import load
from pinyon.search.expand import expand, join
from pinyon.search.fuse import fuse
from pinyon.store.memory import MemoryStore
from pinyon.surfaces.answers import answer_to_json
from pinyon.surfaces.cli.hits import answer_lines
from tests.store.world import commit, record, save


def known(engine: Engine, **bodies: str) -> None:
    for id, body in bodies.items():
        engine.save(Record(id=id, kind="code", body=body))


def linked(engine: Engine, *edges: Edge) -> None:
    """Through the store: what a parser writes, also to placeholders."""
    commit(engine._store, edges=edges)


def asked(engine: Engine, text: str = "amber", **override: Any) -> Answer:
    changes = {key.replace("__", "."): value for key, value in override.items()}
    return engine.search(text, profile="graph", channels=["lexical"], override=changes)


def scores(answer: Answer) -> dict[str, float]:
    return {hit.id: hit.score for hit in answer}


@pytest.mark.proves("G2", part="expansion")
@pytest.mark.proves("G3")
def test_a_class_hit_brings_its_method_at_95_hundredths_of_its_score(engine: Engine) -> None:
    known(engine, Cache="amber", get="returns a value")
    engine.link("Cache", "contains", "get")
    answer = asked(engine)
    assert scores(answer) == {"Cache": 1.0, "get": 0.95}
    cache, method = answer
    assert (cache.via, cache.sources) == ("", {"lexical": 1})
    assert (method.via, method.sources) == ("contains from Cache", {"graph": 1})
    assert method.signals == {"graph": 0.95}
    assert method.relevance == 0.95 * cache.relevance


@pytest.mark.proves("G2", part="expansion")
def test_a_method_hit_brings_its_class(engine: Engine) -> None:
    known(engine, Cache="keeps values", get="amber")
    engine.link("Cache", "contains", "get")
    answer = asked(engine)
    assert scores(answer) == {"get": 1.0, "Cache": 0.95}
    assert answer[1].via == "contains to get"


@pytest.mark.proves("G3")
@pytest.mark.parametrize(
    ("relation", "decay"),
    [
        ("contains", 0.95),
        ("extends", 0.85),
        ("implements", 0.85),
        ("imports", 0.7),
        ("links", 0.8),
        ("supports", 0.8),
    ],
)
def test_each_relation_decays_by_its_own_factor(
    engine: Engine, relation: str, decay: float
) -> None:
    known(engine, a="amber", b="other")
    engine.link("a", relation, "b")
    assert scores(asked(engine)) == {"a": 1.0, "b": decay}


@pytest.mark.proves("G3")
@pytest.mark.parametrize("relation", ["contains", "imports", "links"])
def test_an_explicit_decay_overrides_that_of_every_relation(engine: Engine, relation: str) -> None:
    known(engine, a="amber", b="other")
    engine.link("a", relation, "b")
    assert scores(asked(engine, expand__override=0.6)) == {"a": 1.0, "b": 0.6}


@pytest.mark.proves("G3")
def test_an_import_neighbour_comes_at_70_hundredths_and_who_imports_the_hit_does_not(
    engine: Engine,
) -> None:
    known(engine, hit="amber", needed="imported by the hit", user="imports the hit")
    engine.link("hit", "imports", "needed")
    engine.link("user", "imports", "hit")
    answer = asked(engine)
    assert scores(answer) == {"hit": 1.0, "needed": 0.7}
    assert answer[1].via == "imports from hit"


@pytest.mark.proves("G3")
def test_a_utility_imported_by_everyone_is_not_dragged_in(engine: Engine) -> None:
    others = [f"m{at}" for at in range(26)]
    known(engine, hit="amber", util="helps", rare="helps too", **dict.fromkeys(others, "else"))
    linked(
        engine,
        Edge("util", NAMES, "@python:util"),
        *(Edge(id, "imports", "@python:util") for id in ("hit", *others)),
        Edge("hit", "imports", "rare"),
    )
    assert scores(asked(engine)) == {"hit": 1.0, "rare": 0.7}
    # Nor does it bring everyone, when it is the hit itself.
    assert scores(asked(engine, "helps")) == pytest.approx({"util": 1.0, "rare": 61 / 62})


@pytest.mark.proves("G9")
def test_a_placeholder_is_passed_through_as_one_hop_and_never_appears(engine: Engine) -> None:
    known(engine, plan="amber", goal="other", back="links to the plan")
    linked(
        engine,
        Edge("plan", "links", "@note:goal"),
        Edge("plan", "links", "@note:nowhere"),
        Edge("goal", NAMES, "@note:goal"),
        Edge("plan", NAMES, "@note:plan"),
        Edge("back", "links", "@note:plan"),
    )
    answer = asked(engine, expand__depth=3, expand__min_score=0)
    assert scores(answer) == {"plan": 1.0, "back": 0.8, "goal": 0.8}
    assert [hit.via for hit in answer] == ["", "links to plan", "links from plan"]


@pytest.mark.proves("G3")
def test_the_best_way_to_a_record_counts_even_if_it_is_longer(engine: Engine) -> None:
    known(engine, a="amber", b="other", c="another")
    engine.link("a", "imports", "c")
    engine.link("a", "contains", "b")
    engine.link("b", "contains", "c")
    assert scores(asked(engine)) == {"a": 1.0, "b": 0.95, "c": 0.7}
    answer = asked(engine, expand__depth=2)
    assert scores(answer) == {"a": 1.0, "b": 0.95, "c": 0.95 * 0.95}
    assert answer[2].via == "contains from b, contains from a"


@pytest.mark.proves("G2", part="expansion")
def test_a_hit_that_a_better_one_leads_to_takes_the_better_score(engine: Engine) -> None:
    known(engine, a="amber amber amber", b="amber and a long text of other words")
    alone = scores(asked(engine))
    engine.link("a", "contains", "b")
    assert alone == pytest.approx({"a": 1.0, "b": 61 / 62})
    assert scores(asked(engine)) == alone
    answer = asked(engine, fuse__k=0)
    assert scores(answer) == {"a": 1.0, "b": 0.95}
    assert answer[1].sources == {"lexical": 2, "graph": 1}
    assert answer[1].via == "contains from a"


@pytest.mark.proves("G2", part="expansion")
def test_only_the_best_top_k_are_kept_and_expanded_and_max_results_shown(engine: Engine) -> None:
    known(engine, **{f"r{at}": "amber " * (9 - at) for at in range(8)}, far="other")
    engine.link("r5", "contains", "far")
    assert list(scores(asked(engine))) == ["r0", "r1", "r2", "r3", "r4"]
    many = asked(engine, expand__top_k=6, expand__max_results=0)
    assert list(scores(many)) == ["r0", "r1", "r2", "r3", "r4", "r5", "far"]
    assert list(scores(asked(engine, expand__top_k=6, expand__max_results=3))) == ["r0", "r1", "r2"]


@pytest.mark.proves("G2", part="expansion")
def test_what_scores_below_min_score_is_left_out_and_what_scores_just_that_is_not(
    engine: Engine,
) -> None:
    known(engine, a="amber", b="other", c="another")
    engine.link("a", "links", "b", strength=0.5)
    engine.link("a", "links", "c", strength=0.625)
    assert scores(asked(engine)) == {"a": 1.0, "c": 0.5}
    assert scores(asked(engine, expand__min_score=0.4)) == {"a": 1.0, "c": 0.5, "b": 0.4}


@pytest.mark.proves("G2", part="profile")
def test_first_in_one_of_two_lists_is_half_of_the_best_possible_and_just_stays() -> None:
    profile = load("graph")
    words = RankedList("lexical", (Match("a", 9.0, 1.0), Match("b", 3.0, 1.0)))
    fused = fuse([words, RankedList("vector", ())], profile.fuse)
    assert [(one.id, one.score) for one in fused] == [("a", 0.5), ("b", (1 / 62) / (2 / 61))]
    assert join(fused, [], profile.expand) == fused[:1]


@pytest.mark.proves("G7", part="defaults")
@pytest.mark.proves("G7", part="profile")
@pytest.mark.parametrize(
    ("name", "kinds", "numbers"),
    [
        ("graph", (), (5, 1, 5, 0.5)),
        ("files", ("file",), (10, 0, 10, 0.3)),
        ("skills", ("skill",), (5, 1, 5, 0.3)),
    ],
)
def test_graph_search_files_and_skill_recall_have_their_defaults(
    name: str, kinds: tuple[str, ...], numbers: tuple[float, ...]
) -> None:
    profile = load(name)
    how = profile.expand
    assert (how.top_k, how.depth, how.max_results, how.min_score) == numbers
    assert profile.retrieve.kinds == kinds
    assert (how.decay["other"], how.override) == (0.8, 0)


def test_filters_hold_for_what_is_reached_but_not_for_what_is_passed(engine: Engine) -> None:
    engine.save(Record(id="a", kind="code", body="amber"))
    engine.save(Record(id="between", kind="note", body="other"))
    engine.save(Record(id="b", kind="code", body="another"))
    engine.link("a", "contains", "between")
    engine.link("between", "contains", "b")
    answer = engine.search(
        "amber", profile="graph", channels=["lexical"], kinds=["code"], override={"expand.depth": 2}
    )
    assert scores(answer) == {"a": 1.0, "b": 0.95 * 0.95}


def test_the_default_profile_adds_nothing(engine: Engine) -> None:
    known(engine, a="amber", b="other")
    engine.link("a", "contains", "b")
    assert [hit.id for hit in engine.search("amber")] == ["a"]


def test_without_a_question_what_was_changed_last_is_listed_whole(engine: Engine) -> None:
    known(engine, **{f"r{at}": "amber" for at in range(8)})
    engine.link("r0", "contains", "r7")
    answer = asked(engine, "", expand__max_results=0, expand__top_k=0)
    assert [hit.id for hit in answer] == [f"r{at}" for at in range(8)]
    assert {hit.score for hit in answer} == {0.0}


def test_a_record_that_is_searched_by_is_not_led_back_to(engine: Engine) -> None:
    known(engine, a="amber stone", b="amber stone")
    engine.link("a", "contains", "b")
    found = engine.search(like="a", profile="graph", channels=["lexical"])
    assert [hit.id for hit in found] == ["b"]


# the graph as a channel


@pytest.mark.proves("S1", part="graph")
@pytest.mark.proves("S2")
def test_the_graph_is_a_channel_whose_list_is_fused_at_one_and_a_half(engine: Engine) -> None:
    known(engine, a="amber amber amber", b="amber and more words", c="other")
    engine.link("a", "links", "b")
    engine.link("a", "contains", "c")
    answer = engine.search("amber", profile="base", channels=["lexical", "graph"])
    assert answer.meta["channels"] == ["lexical", "graph"]
    # a is nearer to b than b is to a: .8 of 1 against .8 of 61/62.
    expected = {
        "b": (1 / 62 + 1.5 / 62) * 1.1,
        "a": (1 / 61 + 1.5 / 63) * 1.1,
        "c": 1.5 / 61,
    }
    assert scores(answer) == pytest.approx(expected)
    by_id = {hit.id: hit for hit in answer}
    assert by_id["c"].sources == {"graph": 1}
    assert by_id["b"].sources == {"lexical": 2, "graph": 2}
    assert (by_id["c"].via, by_id["b"].via) == ("contains from a", "links from a")
    assert by_id["c"].signals["graph"] == 0.95


@pytest.mark.proves("S11")
def test_without_other_channels_the_graph_has_nowhere_to_begin(engine: Engine) -> None:
    known(engine, a="amber", b="other")
    engine.link("a", "contains", "b")
    assert scores(engine.search("amber", channels=["graph"])) == {}


def test_operators_are_answered_without_the_graph_while_they_find_something(
    engine: Engine,
) -> None:
    known(engine, a="amber stone", b="other")
    engine.link("a", "contains", "b")
    channels = ["lexical", "graph"]
    assert list(scores(engine.search("amber AND stone", channels=channels))) == ["a"]
    assert list(scores(engine.search("amber AND sky", channels=channels))) == ["a", "b"]


# laws

IDS = "abcdef"
EDGES = st.lists(
    st.builds(
        Edge,
        st.sampled_from(IDS),
        st.sampled_from(["contains", "imports", "links"]),
        st.sampled_from(IDS),
        st.sampled_from([0.5, 1.0]),
    ),
    max_size=12,
)
SEEDS = st.dictionaries(st.sampled_from(IDS), st.sampled_from([0.25, 0.5, 1.0]), max_size=3)
HOW = load("graph").expand


def ranked(seeds: dict[str, float]) -> list[Candidate]:
    ordered = sorted(seeds.items(), key=lambda one: (-one[1], one[0]))
    return [
        Candidate(id, score, score, {"lexical": score}, {"lexical": rank})
        for rank, (id, score) in enumerate(ordered, start=1)
    ]


def every_way(
    seeds: dict[str, float], edges: list[Edge], how: ExpandSection, depth: int
) -> dict[str, float]:
    """The best score of every record, by trying every way of at most so many hops."""
    best: dict[str, float] = {}

    def walk(id: str, seed: str, score: float, left: int) -> None:
        for edge in edges if left else ():
            share = how.decay.get(edge.relation, how.decay["other"]) * edge.strength
            ends = [edge.to_id] if edge.from_id == id else []
            if edge.to_id == id and edge.relation not in how.one_way:
                ends.append(edge.from_id)
            for end in ends:
                if end not in (id, seed):
                    best[end] = max(best.get(end, 0.0), score * share)
                    walk(end, seed, score * share, left - 1)

    for id, score in seeds.items():
        walk(id, id, score, depth)
    return best


@settings(max_examples=80, deadline=None)
@given(SEEDS, EDGES, st.integers(0, 3), st.sampled_from([0.0, 0.4]))
def test_expansion_finds_the_best_of_every_way(
    seeds: dict[str, float], edges: list[Edge], depth: int, least: float
) -> None:
    # Of two edges with the same identity the last one is stored.
    edges = list({(edge.from_id, edge.relation, edge.to_id): edge for edge in edges}.values())
    how = HOW._replace(depth=depth, top_k=0, min_score=least, max_results=0)
    store = MemoryStore()
    save(store, *map(record, IDS), edges=edges)
    with store.snapshot() as view:
        reached = expand(view, ranked(seeds), Filters(), how)
    joined = join(ranked(seeds), reached, how)
    begun = {id: score for id, score in seeds.items() if score >= least}
    ways = every_way(begun, edges, how, depth)
    expected = {id: max(begun.get(id, 0.0), ways.get(id, 0.0)) for id in begun | ways}
    assert {one.id: one.score for one in joined} == pytest.approx(
        {id: score for id, score in expected.items() if score >= least}
    )
    for found in (reached, joined):
        assert found == sorted(found, key=lambda one: (-one.score, one.id))


@given(SEEDS)
def test_an_empty_section_is_the_identity(seeds: dict[str, float]) -> None:
    candidates = ranked(seeds)
    with MemoryStore().snapshot() as view:
        assert expand(view, candidates, Filters(), ExpandSection()) == []
    assert join(candidates, [], ExpandSection()) == candidates


# what is said of it


def test_an_explanation_says_by_which_edge_and_from_which_record(engine: Engine) -> None:
    known(engine, Cache="amber", get="returns a value")
    engine.link("Cache", "contains", "get")
    answer = asked(engine)
    lines = list(answer_lines(answer, lambda style, text: text, 80, explain=True))
    assert "    via       contains from Cache" in lines
    assert [line.split()[-2:] for line in lines if line.startswith("    graph")] == [
        ["passed", "on"]
    ]
    assert [hit["via"] for hit in answer_to_json(answer)["hits"]] == ["", "contains from Cache"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("expand.decay.links", 1.1),
        ("expand.override", 1.1),
        ("expand.depth", 11),
        ("retrieve.graph.depth", 11),
        ("retrieve.kinds", ["smell"]),
        ("retrieve.without", ["smell"]),
    ],
)
def test_a_hop_that_gains_and_a_walk_without_end_are_refused(path: str, value: Any) -> None:
    with pytest.raises(UnknownSetting, match="graph: "):
        load("graph", override={path: value})
