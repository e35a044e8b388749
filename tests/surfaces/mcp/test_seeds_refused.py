"""What the seeds' tools refuse: arguments that are wrong, and callers that may not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pinyon
from pinyon.access import Permit, Permitted
from pinyon.engine import Engine
from pinyon.model.errors import InvalidInput, NotPermitted, PinyonError, UnknownRecord
from pinyon.model.record import KINDS, Record
from pinyon.surfaces.mcp.seeds import TOOLS, call
from tests.surfaces.mcp.agents import Agent, over_stdio

READER = Permit("reader", frozenset({"search"}))
RIGHT: dict[str, Any] = {
    "query": "amber",
    "ids": ["note"],
    "entryId": "note",
    "action": "accepted",
    "content": "text",
    "name": "Mira",
    "title": "text",
    "key": "retrieval.fts_weight",
    "value": "0.3",
}
"""What is right for every required parameter of this name."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    path = tmp_path_factory.mktemp("refused") / "seeds.pinyon"
    with pinyon.open(path) as engine:
        for kind in KINDS:
            engine.save(Record(id=kind, kind=kind, title="amber", scope="open/amber"))
        engine.save(Record(id="secret", kind="note", title="amber", scope="closed"))
        yield engine


def least(tool: str) -> dict[str, Any]:
    return {name: RIGHT[name] for name in TOOLS[tool].input_schema.get("required", ())}


@pytest.mark.parametrize("tool", TOOLS)
def test_an_unknown_argument_is_refused_by_name(engine: Engine, tool: str) -> None:
    with pytest.raises(InvalidInput, match="nonsense"):
        call(Permitted(engine), tool, {**least(tool), "nonsense": 1})


@pytest.mark.parametrize(("tool", "name"), [(tool, name) for tool in TOOLS for name in least(tool)])
def test_a_missing_argument_is_named(engine: Engine, tool: str, name: str) -> None:
    given = least(tool)
    del given[name]
    with pytest.raises(InvalidInput, match=name):
        call(Permitted(engine), tool, given)


@pytest.mark.parametrize(
    ("tool", "name"), [(name, each) for name, tool in TOOLS.items() for each in tool.takes]
)
def test_a_wrong_type_is_refused_by_name(engine: Engine, tool: str, name: str) -> None:
    wrongs: list[object] = [None, {"a": []}, [1]]
    for wrong in wrongs:
        with pytest.raises(InvalidInput, match=name):
            call(Permitted(engine), tool, {**least(tool), name: wrong})


@pytest.mark.parametrize(
    ("tool", "name", "wrong"),
    [
        ("code_search", "topK", 0),
        ("code_search", "topK", 51),
        ("code_search", "bfsDepth", -1),
        ("code_search", "bfsDecay", 0),
        ("code_search", "minScore", 1.1),
        ("code_search", "searchMode", "both"),
        ("hybrid_search", "weights", {"words": 1}),
        ("hybrid_search", "weights", {"fts": -1}),
        ("hybrid_search", "limit", 1001),
        ("search_intelligent", "mode", "match"),
        ("search_intelligent", "severity", "fatal"),
        ("search_feedback", "action", "liked"),
        ("save_memory", "importance", 6),
        ("load_entries", "ids", []),
        ("get_query_stats", "since", "yesterday"),
        ("memory_search", "intent", "win"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(
    engine: Engine, tool: str, name: str, wrong: Any
) -> None:
    with pytest.raises(InvalidInput, match=name):
        call(Permitted(engine), tool, {**least(tool), name: wrong})


@pytest.mark.parametrize(
    ("key", "value"), [("retrieval.fts_weight", "much"), ("retrieval.speed", "1")]
)
def test_a_setting_that_does_not_fit_is_refused(engine: Engine, key: str, value: str) -> None:
    before = engine.config()
    with pytest.raises(InvalidInput):
        call(Permitted(engine), "set_config", {"key": key, "value": value})
    assert engine.config() == before


def test_an_unknown_tool_is_refused(engine: Engine) -> None:
    with pytest.raises(InvalidInput, match="fly"):
        call(Permitted(engine), "fly", {})


def test_a_name_may_be_written_either_way_but_only_once(engine: Engine) -> None:
    asked = {"query": "amber", "topK": 1, "maxResults": 1}
    spelt = {"query": "amber", "top_k": 1, "max_results": 1}
    found = [call(Permitted(engine), "docs_search", each)["hits"] for each in (asked, spelt)]
    assert found[0] == found[1]
    with pytest.raises(InvalidInput, match="topK: it is given twice"):
        call(Permitted(engine), "docs_search", {**asked, "top_k": 1})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_whatever_is_given_is_answered_or_refused_with_a_reason(
    engine: Engine, data: st.DataObject
) -> None:
    reading = [name for name, tool in TOOLS.items() if not tool.changes]
    tool = data.draw(st.sampled_from(reading))
    names = st.sampled_from([*TOOLS[tool].takes, "nonsense"])
    arguments = {**least(tool), **data.draw(st.dictionaries(names, JSON, max_size=3))}
    try:
        answered = call(Permitted(engine), tool, arguments)
    except PinyonError as error:
        told = error.problem
        assert told
        assert "\n" not in told
    else:
        assert isinstance(answered, dict)
        # What is taken is what the schema says: no agent is told less.
        jsonschema.validate(arguments, TOOLS[tool].input_schema)


# Who may do what


@pytest.mark.parametrize(
    "tool", [name for name, each in TOOLS.items() if each.does in ("search", "files")]
)
def test_whoever_may_search_may_use_every_parameter_of_a_search(engine: Engine, tool: str) -> None:
    values = {"number": 0.5, "integer": 3, "boolean": False, "numbers": {"fts": 1.0}}
    takes = TOOLS[tool].takes
    every = {
        name: (each.enum or list(each.values) or [""])[0]
        if each.type == "string"
        else values.get(each.type, [])
        for name, each in takes.items()
        if name not in {"tier", "domain"}
    }
    answered = call(Permitted(engine, READER), tool, {**every, "query": "amber"})
    assert answered["meta"] is not None


@pytest.mark.parametrize("tool", [name for name, each in TOOLS.items() if each.changes])
def test_whoever_may_only_search_changes_nothing(engine: Engine, tool: str) -> None:
    before = engine.stats().revision
    with pytest.raises(NotPermitted):
        call(Permitted(engine, READER), tool, least(tool))
    assert engine.stats().revision == before


@pytest.mark.parametrize("tool", [name for name, each in TOOLS.items() if not each.changes])
def test_whoever_may_not_search_learns_nothing(engine: Engine, tool: str) -> None:
    writer = Permit("writer", frozenset({"write", "admin"}))
    with pytest.raises(NotPermitted):
        call(Permitted(engine, writer), tool, least(tool))


@pytest.mark.parametrize(
    "path", ["rerank.model", "rerank", "understand.routes", "expand", "rank", "retrieve.superseded"]
)
def test_what_a_seed_may_change_opens_nothing_else_of_a_profile(engine: Engine, path: str) -> None:
    with pytest.raises(NotPermitted, match="override"):
        Permitted(engine, READER).search("amber", override={"expand.top_k": 1, path: "voyage"})


def test_a_scope_holds_for_the_tools_of_the_seeds_too(engine: Engine) -> None:
    inside = Permitted(engine, Permit("inside", frozenset({"search", "write"}), scopes=("open",)))
    for tool in ("notes_search", "search_intelligent", "hybrid_search", "memory_search"):
        found = call(inside, tool, {"query": "amber"})
        shown = str(found)
        assert "'note'" in shown
        assert "secret" not in shown
    with pytest.raises(UnknownRecord):
        call(inside, "load_entries", {"ids": ["secret"]})
    with pytest.raises(NotPermitted):
        call(inside, "save_note", {"content": "text", "scope": "closed"})
    with pytest.raises(NotPermitted):
        call(inside, "get_query_stats", {})
    with pytest.raises(NotPermitted):  # further links lead through what it cannot see
        call(inside, "notes_search", {"query": "amber", "bfsDepth": 2})


# Through the protocol


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    store: Path = tmp_path_factory.mktemp("store") / "agent.pinyon"
    with pinyon.open(store) as engine:
        engine.save(Record(id="door", kind="code", title="Door", body="class Door: pass"))
        engine.save(Record(id="open", kind="code", title="open", body="def open(): pass"))
        engine.link("door", "contains", "open")
    with over_stdio(store, "--tools", "seeds") as found:
        yield found


@pytest.mark.proves("G10")
def test_an_agent_sees_the_tools_and_calls_them(agent: Agent) -> None:
    listed = {tool.name: tool for tool in agent.portal.call(agent.client.list_tools).tools}
    assert listed.keys() >= TOOLS.keys()
    for name, tool in TOOLS.items():
        assert listed[name].description == tool.about
        assert listed[name].input_schema == tool.input_schema
    found = agent.given("code_search", query="door")["hits"]
    assert {hit["id"]: hit["score"] for hit in found} == pytest.approx({"door": 1, "open": 0.95})
    saved = agent.given("save_memory", content="Mira prefers amber.")
    (kept,) = agent.given("load_entries", ids=[saved["id"]])["entries"]
    assert kept["body"] == "Mira prefers amber."
    assert "topK" in agent.refused("code_search", query="door", topK=0)
