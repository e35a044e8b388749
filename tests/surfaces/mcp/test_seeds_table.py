"""The table of the seeds' tools: it names only what there is, and says only what holds."""

import inspect
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from pinyon.engine import Engine
from pinyon.model.profile import INTENTS
from pinyon.model.record import KINDS, SEVERITIES, Record
from pinyon.profiles.configured import value_at
from pinyon.profiles.load import load
from pinyon.surfaces.mcp.seeds import TOOLS, SeedTool, meaning
from pinyon.surfaces.mcp.seeds.actions import ACTIONS
from pinyon.surfaces.mcp.seeds.results import RESULTS

VAULT = ["search_intelligent", "load_entries", "search_feedback"]
BRAIN = [
    *("hybrid_search", "semantic_search", "batch_embed", "save_memory", "create_entity"),
    *("save_note", "save_resource", "set_config", "get_query_stats"),
]
SPEC = ["memory_search"]
GRAPH = [
    *("docs_search", "code_search", "notes_search", "tasks_search", "skills_search"),
    *("skills_recall", "code_search_files", "docs_search_files", "files_search"),
]


@pytest.mark.proves("G10")
def test_the_tools_are_those_that_the_seeds_have() -> None:
    assert list(TOOLS) == [*VAULT, *BRAIN, *SPEC, *GRAPH]


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_does_and_gives_what_there_is(name: str) -> None:
    tool = TOOLS[name]
    assert tool.does in ACTIONS
    assert tool.gives in RESULTS
    assert tool.title
    assert tool.about.endswith((".", "?"))
    assert tool.changes is ACTIONS[tool.does].changes


@pytest.mark.parametrize("name", TOOLS)
def test_a_schema_is_one_and_describes_every_parameter(name: str) -> None:
    schema = TOOLS[name].input_schema
    jsonschema.Draft202012Validator.check_schema(schema)
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert all(each["description"].endswith(".") for each in schema["properties"].values())


PARAMETERS = [(name, each) for name, tool in TOOLS.items() for each in tool.takes]
WITH_DEFAULT = [
    (name, each) for name, each in PARAMETERS if TOOLS[name].takes[each].default is not None
]


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_every_value_of_a_parameter_is_understood_by_what_the_tool_does(
    name: str, parameter: str
) -> None:
    tool = TOOLS[name]
    fields = ACTIONS[tool.does].takes.model_fields
    for value in examples(tool, parameter):
        given = meaning(tool, {parameter: value})
        assert given.keys() <= fields.keys()
        # Raises where the profile has no such number, or not such a one.
        load(given.get("profile", "default"), override=given.get("override"))


@pytest.mark.parametrize(("name", "parameter"), WITH_DEFAULT)
def test_a_default_is_what_holds_without_the_parameter(name: str, parameter: str) -> None:
    tool = TOOLS[name]
    told = tool.takes[parameter].default
    left_out = in_force(meaning(tool, {}), tool)
    assert in_force(meaning(tool, {parameter: told}), tool) == left_out


def test_lists_of_known_values_are_the_engines() -> None:
    vault, spec = TOOLS["search_intelligent"].takes, TOOLS["memory_search"].takes
    assert tuple(vault["type"].enum) == KINDS
    assert tuple(vault["severity"].enum) == SEVERITIES
    assert tuple(spec["intent"].enum) == INTENTS


@pytest.mark.proves("G10")
@pytest.mark.parametrize("name", GRAPH)
def test_the_graph_has_the_defaults_that_it_had(name: str) -> None:
    usual = {"topK": 5, "bfsDepth": 1, "maxResults": 5, "minScore": 0.5, "bfsDecay": 0.8}
    files = {"topK": 10, "maxResults": 10, "minScore": 0.3}
    expected: dict[str, Any] = files if name.endswith(("_files", "files_search")) else usual
    if name == "skills_recall":
        expected = {**expected, "minScore": 0.3}
    if name == "code_search":  # each link of code has a decay of its own
        del expected["bfsDecay"]
    shown = TOOLS[name].input_schema["properties"]
    told = {
        key: each["default"] for key, each in shown.items() if key in usual and "default" in each
    }
    assert told == expected
    assert shown["searchMode"]["default"] == "hybrid"


def examples(tool: SeedTool, name: str) -> list[Any]:
    """Values that the parameter may have."""
    parameter, schema = tool.takes[name], tool.input_schema["properties"][name]
    if parameter.type == "numbers":
        return [{key: 1.0} for key in parameter.values]
    if "enum" in schema:
        return list(schema["enum"])
    lowest = parameter.above if parameter.above else parameter.least
    plain: dict[str, list[Any]] = {
        "string": ["text"],
        "strings": [["one", "two"]],
        "boolean": [True, False],
        "integer": [lowest, parameter.most or 7],
        "number": [lowest or 0.01, parameter.most],
    }
    return plain[parameter.type]


def in_force(given: dict[str, Any], tool: SeedTool) -> dict[str, Any]:
    """What an action works with: what it is given, else what is its own."""
    override = given.pop("override", {})
    profile = load(given.get("profile", "default"), override=override)
    own: dict[str, Any] = {}
    if tool.does in ("search", "files"):
        asked = inspect.signature(Engine.search).parameters
        own = {name: each.default for name, each in asked.items()}
        own["channels"] = list(profile.retrieve.channels)
        own["expand"] = value_at(profile, "expand")
        own["weights"] = value_at(profile, "rank.weights")
    if tool.does == "save":
        own["importance"] = Record().importance
    shape = {name: f.default for name, f in ACTIONS[tool.does].takes.model_fields.items()}
    return {**shape, **own, **given}
