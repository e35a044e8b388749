"""Seeds: the tools of other systems by their own names: whoever leaves one keeps the prompts.

Which tools there are, what they take and what that means here is all in tools.toml. What they do
goes through operations, so that permissions hold and answers are those of every other surface.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pinyon.access import Permitted
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.mcp.fit import fitted
from pinyon.surfaces.mcp.seeds.actions import ACTIONS
from pinyon.surfaces.mcp.seeds.results import RESULTS
from pinyon.surfaces.mcp.seeds.table import Parameter, SeedTool, folded, read

__all__ = ["TOOLS", "SeedTool", "call"]

TOOLS: Mapping[str, SeedTool] = read()


def call(permitted: Permitted, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What the tool gives. Raises InvalidInput for a tool or an argument that is unknown or wrong,
    and whatever the engine raises."""
    if name not in TOOLS:
        raise InvalidInput(f"no tool {name!r}", remedy=f"known: {', '.join(TOOLS)}")
    tool = TOOLS[name]
    asked = fitted(tool.shape, _renamed(tool, arguments)).model_dump(exclude_unset=True)
    action = ACTIONS[tool.does]
    return RESULTS[tool.gives](action.run(permitted, fitted(action.takes, meaning(tool, asked))))


def _renamed(tool: SeedTool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by the names of the table; an unknown one keeps its own, to be refused by."""
    renamed: dict[str, Any] = {}
    for given, value in arguments.items():
        name = tool.names.get(folded(given), given)
        if name in renamed:
            raise InvalidInput(f"{name}: it is given twice", remedy=f"leave out {given}")
        renamed[name] = value
    return renamed


def meaning(tool: SeedTool, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the action: what the tool sets, and over it what the caller asked for."""
    said = dict(tool.sets)
    for name, value in asked.items():
        said.update(_meant(name, tool.takes[name], value))
    meant: dict[str, Any] = {}
    for path, value in said.items():
        argument, _, rest = path.partition(".")
        if rest:
            meant.setdefault(argument, {})[rest] = value
        else:
            meant[argument] = value
    return meant


def _meant(name: str, parameter: Parameter, value: Any) -> Iterator[tuple[str, Any]]:
    """What one value says, by argument: nothing where it means what holds anyway."""
    target = name if parameter.target is None else parameter.target
    if parameter.type == "numbers":
        for key, number in value.items():
            yield f"{target}.{parameter.values[key]}", number
        return
    if parameter.values:
        spelt = str(value).lower() if isinstance(value, bool) else value
        if spelt not in parameter.values and not parameter.open:
            return
        value = parameter.values.get(spelt, value)
    if target:
        yield target, [value] if parameter.many else value
