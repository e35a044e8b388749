"""Each tool of the seeds, called on a store with records of every kind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon.access import Permitted
from pinyon.engine import Engine
from pinyon.inference.contract import NoModel
from pinyon.model.errors import UnknownRecord
from pinyon.model.record import KINDS, Record
from pinyon.surfaces.mcp.seeds import call
from tests.inference.tiny import write_folder
from tests.store.world import NOW

CODE = '''
from pathlib import Path


class Gateway:
    """Lets requests in."""

    def admit(self, visitor):
        return visitor is not None
'''


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with pinyon.open(tmp_path / "seeds.pinyon", clock=lambda: NOW) as engine:
        yield engine


@pytest.fixture
def filled(engine: Engine) -> Engine:
    """A record of each kind, all of them about amber."""
    for kind in KINDS:
        engine.save(Record(id=kind, kind=kind, title="Amber", body=f"This {kind} is about amber."))
    return engine


def ask(engine: Engine, tool: str, **arguments: Any) -> dict[str, Any]:
    return call(Permitted(engine), tool, arguments)


def ids(found: dict[str, Any]) -> list[str]:
    return [each["id"] for each in found.get("hits") or found.get("results") or []]


def scores(found: dict[str, Any]) -> dict[str, float]:
    return {hit["id"]: hit["score"] for hit in found["hits"]}


# The graph


@pytest.mark.proves("G10")
@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("docs_search", "doc"),
        ("code_search", "code"),
        ("notes_search", "note"),
        ("tasks_search", "task"),
        ("skills_search", "skill"),
        ("skills_recall", "skill"),
        ("files_search", "file"),
    ],
)
def test_a_tool_of_the_graph_finds_its_own_kind(filled: Engine, tool: str, kind: str) -> None:
    (hit,) = ask(filled, tool, query="amber")["hits"]
    assert (hit["id"], hit["kind"], hit["score"]) == (kind, kind, 1.0)
    assert "<mark>amber</mark>" in hit["snippet"]


@pytest.mark.proves("G10")
def test_code_leads_to_what_it_contains_and_each_link_has_its_own_decay(engine: Engine) -> None:
    engine.save(Record(id="found", kind="code", title="amber"))
    kept = {"contains": 0.95, "extends": 0.85, "implements": 0.85, "imports": 0.7}
    for relation in kept:
        engine.save(Record(id=relation, kind="code", title="other"))
        engine.link("found", relation, relation)
    assert scores(ask(engine, "code_search", query="amber")) == pytest.approx({"found": 1, **kept})
    even = scores(ask(engine, "code_search", query="amber", bfsDecay=0.6))
    assert even == pytest.approx({"found": 1, **dict.fromkeys(kept, 0.6)})


@pytest.mark.proves("G10")
@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("docs_search", "doc"),
        ("notes_search", "note"),
        ("tasks_search", "task"),
        ("skills_search", "skill"),
    ],
)
def test_elsewhere_every_link_decays_alike(engine: Engine, tool: str, kind: str) -> None:
    engine.save(Record(id="found", kind=kind, title="amber"))
    engine.save(Record(id="below", kind=kind, title="other"))
    engine.save(Record(id="far", kind=kind, title="third"))
    engine.save(Record(id="code", kind="code", title="fourth"))
    engine.link("found", "contains", "below")
    engine.link("below", "contains", "far")
    engine.link("found", "about", "code")
    found = scores(ask(engine, tool, query="amber"))
    assert found == pytest.approx({"found": 1, "below": 0.8})
    deeper = scores(ask(engine, tool, query="amber", bfsDepth=2, bfsDecay=0.9))
    assert deeper == pytest.approx({"found": 1, "below": 0.9, "far": 0.9**2})
    assert ids(ask(engine, tool, query="amber", bfsDepth=0)) == ["found"]
    assert ids(ask(engine, tool, query="amber", minScore=0.81)) == ["found"]
    assert ids(ask(engine, tool, query="amber", maxResults=1)) == ["found"]


@pytest.mark.proves("G10")
def test_hops_begin_at_the_best_top_k(engine: Engine) -> None:
    for name in ("one", "two"):
        engine.save(Record(id=name, kind="note", title="amber"))
        engine.save(Record(id=f"by {name}", kind="note", title="other"))
        engine.link(name, "about", f"by {name}")
    best = ask(engine, "notes_search", query="amber", topK=1)
    assert ids(best) == ["one", "by one"]


@pytest.mark.proves("G10")
def test_as_many_are_shown_as_are_asked_for(engine: Engine) -> None:
    for n in range(60):
        engine.save(Record(id=f"n{n:02}", kind="note", title="amber"))
    assert len(ids(ask(engine, "notes_search", query="amber"))) == 5
    assert len(ids(ask(engine, "notes_search", query="amber", topK=50, maxResults=50))) == 50


@pytest.mark.proves("G10")
def test_recall_asks_less_of_a_skill_than_search(engine: Engine) -> None:
    engine.save(Record(id="found", kind="skill", title="amber"))
    engine.save(Record(id="weakly", kind="skill", title="other"))
    engine.link("found", "uses", "weakly", strength=0.5)  # .8 x .5 is above .3 and below .5
    assert ids(ask(engine, "skills_search", query="amber")) == ["found"]
    assert ids(ask(engine, "skills_recall", context="amber")) == ["found", "weakly"]


@pytest.mark.proves("G10")
def test_files_are_found_by_their_type_and_their_name(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "gateway.py").write_text(CODE, encoding="utf-8")
    (folder / "gateway.md").write_text("# The gateway\n\nWho may come in.\n", encoding="utf-8")
    (folder / "gateway.png").write_bytes(b"\x89PNG")
    engine.index(folder)
    for tool, files in (
        ("code_search_files", {"file:shop/gateway.py"}),
        ("docs_search_files", {"file:shop/gateway.md"}),
        ("files_search", {f"file:shop/gateway.{suffix}" for suffix in ("py", "md", "png")}),
    ):
        assert set(ids(ask(engine, tool, query="gateway"))) == files
    assert ids(ask(engine, "files_search", query="gateway.png"))[0] == "file:shop/gateway.png"
    assert ids(ask(engine, "code_search_files", query="pathlib")) == ["file:shop/gateway.py"]
    assert len(ids(ask(engine, "files_search", query="gateway", limit=2))) == 2
    assert len(ids(ask(engine, "files_search", query="gateway", topK=1))) == 1
    # The file is no hit for what stands in it; what is in it, is.
    method = ask(engine, "code_search", query="visitor", includeBody=True)["hits"][0]
    assert "def admit" in method["record"]["body"]
    assert "record" not in ask(engine, "code_search", query="visitor")["hits"][0]


def test_files_that_were_only_looked_through_do_not_count_as_used(tmp_path: Path) -> None:
    with pinyon.open(tmp_path / "a.pinyon") as engine:
        engine.save(Record(id="py", kind="file", title="amber.py", source="amber.py"))
        engine.save(Record(id="md", kind="file", title="amber.md", source="amber.md"))
        assert ids(ask(engine, "code_search_files", query="amber")) == ["py"]
    with pinyon.open(tmp_path / "a.pinyon") as engine:
        assert engine.use("py", "md") == {}
        assert engine.questions().asked == 1


def test_a_search_mode_is_the_channels_that_are_asked(filled: Engine) -> None:
    """There is no model, so that nothing is found by meaning alone."""
    assert ids(ask(filled, "docs_search", query="amber", searchMode="keyword")) == ["doc"]
    assert ids(ask(filled, "docs_search", query="amber", searchMode="vector")) == []


# The vault


def test_a_scan_is_light_and_a_full_answer_has_the_score_of_each_signal(engine: Engine) -> None:
    engine.save(
        Record(
            id="jwt", kind="entry", title="JWT", body="Validate the token." * 20,
            domain="auth", severity="critical", tags=("token",),
        )
    )  # fmt: skip
    found = ask(engine, "search_intelligent", query="jwt token")
    (scanned,) = found["results"]
    assert found["meta"]["returned"] == 1
    assert {**scanned, "id": "jwt", "type": "entry", "domain": "auth", "tags": ["token"]} == scanned
    assert len(scanned["snippet"]) <= 120 + len("…")
    assert scanned["tokenEstimate"] >= 20 * len("Validate the token.") // 4
    assert "entry" not in scanned

    (full,) = ask(engine, "search_intelligent", query="jwt token", mode="full")["results"]
    assert full["entry"]["body"].startswith("Validate")
    names = {"semantic", "vector", "severity", "temporalDecay", "tagOverlap", "domainMatch"}
    assert full["breakdown"].keys() == names
    assert full["breakdown"]["severity"] == 1.0
    assert full["score"] == scanned["score"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("type", "entry"), ("domain", "auth"), ("severity", "warning"), ("tags", ["net"])],
)
def test_a_filter_of_the_vault_narrows(engine: Engine, name: str, value: Any) -> None:
    engine.save(
        Record(
            id="yes", kind="entry", title="amber",
            domain="auth", severity="warning", tags=("net", "more"),
        )
    )  # fmt: skip
    engine.save(Record(id="no", kind="note", title="amber", domain="ui", severity="critical"))
    assert ids(ask(engine, "search_intelligent", query="amber", **{name: value})) == ["yes"]


def test_a_tier_of_the_vault_is_a_tier(engine: Engine, tmp_path: Path) -> None:
    with pinyon.open(tmp_path / "team.pinyon") as team:
        team.save(Record(id="theirs", kind="entry", title="amber"))
    engine.save(Record(id="ours", kind="entry", title="amber"))
    engine.add_tier("team", tmp_path / "team.pinyon")
    assert ids(ask(engine, "search_intelligent", query="amber")) == ["ours", "theirs"]
    assert ids(ask(engine, "search_intelligent", query="amber", tier="team")) == ["theirs"]


def test_entries_are_loaded_by_their_ids(filled: Engine) -> None:
    found = ask(filled, "load_entries", ids=["note", "entry"])["entries"]
    assert [each["id"] for each in found] == ["note", "entry"]
    assert found[1]["body"] == "This entry is about amber."
    with pytest.raises(UnknownRecord):
        ask(filled, "load_entries", ids=["entry", "nobody"])


def test_feedback_is_given_to_the_vault(filled: Engine) -> None:
    ask(filled, "search_feedback", query="amber", entryId="entry", action="dismissed")
    (given,) = filled.verdicts()
    expected = ("entry", "dismissed", "amber", "vault")
    assert (given.id, given.verdict, given.query, given.profile) == expected


# The brain


def test_what_the_brain_is_given_is_a_record_and_found_again(engine: Engine) -> None:
    ask(engine, "save_memory", content="Mira prefers amber.", importance=5, tags=["taste"])
    ask(
        engine, "create_entity", name="Mira", type="person", description="Likes amber.",
        aliases=["M."], mention_count=7,
    )  # fmt: skip
    ask(engine, "save_note", title="Stones", content="Amber is no stone.", scope="team/gems")
    saved = ask(engine, "save_resource", title="Amber", url="https://example.org/a", content="All.")
    assert saved == {"id": "amber"}

    results = ask(engine, "hybrid_search", query="amber")["results"]
    found = {each["type"]: each for each in results}
    assert found.keys() == {"memory", "entity", "note", "resource"}
    assert found["memory"]["content"] == "Mira prefers amber."
    assert (found["memory"]["data"]["importance"], found["memory"]["data"]["tags"]) == (
        5,
        ["taste"],
    )
    entity = found["entity"]["data"]
    assert (entity["title"], entity["domain"], entity["mentions"]) == ("Mira", "person", 7)
    assert entity["aliases"] == ["M."]
    assert found["note"]["data"]["scope"] == "team/gems"
    assert found["resource"]["data"]["source"] == "https://example.org/a"
    (note,) = ask(engine, "hybrid_search", query="amber", type="note")["results"]
    assert note["data"] == found["note"]["data"]


def test_what_each_signal_of_the_brain_adds_sums_up_to_the_score(filled: Engine) -> None:
    answer = ask(filled, "hybrid_search", query="amber")
    assert len(answer["results"]) == 4
    for each in answer["results"]:
        assert each["signals"].keys() == {"vector", "fts", "recency", "importance"}
        assert sum(each["signals"].values()) == pytest.approx(each["score"])
    meta = answer["meta"]
    assert (meta["total_candidates"], meta["returned"]) == (4, 4)
    assert meta["execution_time_ms"] > 0
    # Without a model the share of meaning goes to the others.
    weights = {"vector": 0, "fts": 0.3 / 0.6, "recency": 0.2 / 0.6, "importance": 0.1 / 0.6}
    assert meta["weights"] == pytest.approx(weights)


@pytest.mark.proves("B6")
def test_weights_of_a_call_stand_over_those_that_are_set_and_these_over_the_usual(
    engine: Engine,
) -> None:
    engine.save(Record(id="weighty", title="amber and more", importance=5))
    engine.save(Record(id="exact", title="amber", importance=1))

    def first(**weights: float) -> str:
        how = {"weights": weights} if weights else {}
        return ids(ask(engine, "hybrid_search", query="amber", **how))[0]

    assert first() == "weighty"  # .1 x 4/5 is more than .3 x (1 - 61/62)
    done = ask(engine, "set_config", key="retrieval.importance_weight", value="0")
    assert done["key"] == "profiles.brain.rank.weights.importance"
    assert first() == "exact"
    assert first(importance=0.1) == "weighty"
    assert first(importance=0.1, fts=20) == "exact"
    ask(engine, "set_config", key="log_days", value="30")
    assert engine.config()["log_days"] == "30"


def test_the_brain_finds_by_meaning_alone_what_it_has_embedded(
    engine: Engine, tmp_path: Path
) -> None:
    engine.save(Record(id="red", kind="note", title="red"))
    engine.save(Record(id="green", kind="memory", title="green"))
    engine.save(Record(id="task", kind="task", title="red"))
    with pytest.raises(NoModel, match="model use"):
        ask(engine, "batch_embed", limit=100)
    write_folder(tmp_path / "tiny")  # it knows colours
    engine.use_model(str(tmp_path / "tiny"))
    made = ask(engine, "batch_embed")
    assert (made["failed"], made["waiting"], made["reason"]) == (0, 0, "")
    assert made["kinds"] == {kind: {"done": 1} for kind in ("note", "memory", "task")}
    answer = ask(engine, "semantic_search", query="red")
    assert ids(answer) == ["red", "green"]
    assert answer["results"][0]["signals"]["vector"] == pytest.approx(1, abs=1e-3)
    assert ids(ask(engine, "semantic_search", query="red", type="memory")) == ["green"]
    assert ids(ask(engine, "semantic_search", query="red", limit=1)) == ["red"]


def test_the_brain_tells_what_was_asked(tmp_path: Path) -> None:
    with pinyon.open(tmp_path / "asked.pinyon", clock=lambda: NOW) as engine:
        engine.save(Record(id="a", title="amber"))
        for query in ("amber", "Amber", "nothing like it"):
            ask(engine, "hybrid_search", query=query)
    with pinyon.open(tmp_path / "asked.pinyon", clock=lambda: NOW) as engine:
        told = ask(engine, "get_query_stats")
        assert (told["asked"], told["profiles"]) == (3, {"brain": 3})
        assert told["common"][0] == ("amber", 2)
        assert told["unanswered"] == (("nothing like it", 1),)
        assert ask(engine, "get_query_stats", since="2099-01-01")["asked"] == 0


# The spec kit


def test_memory_search_tells_which_way_found_a_result_and_at_which_rank(engine: Engine) -> None:
    engine.save(Record(id="login", kind="doc", title="login crash", scope="specs/007-auth"))
    engine.save(Record(id="cause", kind="doc", title="the cause", scope="specs/007-auth"))
    engine.save(Record(id="other", kind="doc", title="login", scope="specs/008-other"))
    engine.link("login", "caused", "cause")
    answer = ask(engine, "memory_search", query="fix login crash", specFolder="specs/007-auth")
    found = {each["id"]: each for each in answer["results"]}
    assert answer["meta"]["intent"] == "fix_bug"
    assert found.keys() == {"login", "cause"}
    login = found["login"]
    assert (login["sources"], login["sourceCount"], login["bm25Rank"]) == (["bm25"], 1, 1)
    assert (found["cause"]["sources"], found["cause"]["graphRank"]) == (["graph"], 1)
    ordered = [each["rrfScore"] for each in answer["results"]]
    assert ordered == sorted(ordered, reverse=True)

    alone = ask(engine, "memory_search", query="login crash", enableGraph=False)
    assert set(ids(alone)) == {"login", "other"}
    asked = ask(engine, "memory_search", query="login crash", intent="find_spec", limit=1)
    assert (asked["meta"]["intent"], len(asked["results"])) == ("find_spec", 1)
