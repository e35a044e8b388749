"""Table: tools.toml, checked when it is read, as tools with the shapes of what they take."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from pinyon.surfaces.mcp.schema import slim
from pinyon.surfaces.mcp.seeds.actions import ACTIONS
from pinyon.surfaces.operations.shapes import Shape

Number = int | float
Values = dict[str, Any]


class Parameter(Shape):
    """One parameter of a tool; tools.toml says what its keys mean."""

    about: str
    type: Literal["string", "integer", "number", "boolean", "strings", "numbers"]
    required: bool = False
    default: str | Number | bool | None = None
    least: Number | None = None
    above: Number | None = None
    most: Number | None = None
    enum: list[str] = Field([])
    target: str | None = Field(None, alias="as")
    values: Values = Field({})
    open: bool = False
    many: bool = False
    also: list[str] = Field([])


class Group(Shape):
    """Parameters that several tools have, and what those tools set."""

    sets: Values = Field({})
    takes: dict[str, Parameter] = Field({})


class Described(Group):
    """A tool as it stands in the table."""

    title: str
    about: str
    does: str
    gives: str = ""
    shares: list[str] = Field([])


@dataclass(frozen=True, slots=True)
class SeedTool:
    """`changes` says whether it writes. `names` are all that parameters go by, `shape` is what
    checks the arguments; the rest is as in the table, with what it shares."""

    title: str
    about: str
    input_schema: dict[str, Any]
    changes: bool
    does: str
    gives: str
    sets: Mapping[str, Any]
    takes: Mapping[str, Parameter]
    names: Mapping[str, str]
    shape: type[Shape]


def read() -> dict[str, SeedTool]:
    """All tools, in the order of the table."""
    table = tomllib.loads(files(__package__).joinpath("tools.toml").read_text("utf-8"))
    shared = {name: Group.model_validate(group) for name, group in table["shared"].items()}
    return {name: _tool(name, each, shared) for name, each in table["tools"].items()}


def folded(name: str) -> str:
    """A name without regard to how its words are joined."""
    return name.replace("_", "").lower()


def _tool(name: str, table: Mapping[str, Any], shared: Mapping[str, Group]) -> SeedTool:
    said = Described.model_validate(table)
    groups = [*(shared[each] for each in said.shares), said]
    takes = {key: one for group in groups for key, one in group.takes.items()}
    fields: dict[str, Any] = {key: (_type(one), _described(one)) for key, one in takes.items()}
    shape = create_model(name, __base__=Shape, **fields)
    return SeedTool(
        title=said.title,
        about=said.about,
        input_schema=slim(shape.model_json_schema()),
        changes=ACTIONS[said.does].changes,
        does=said.does,
        gives=said.gives,
        sets={path: value for group in groups for path, value in group.sets.items()},
        takes=takes,
        names={folded(each): key for key, one in takes.items() for each in (key, *one.also)},
        shape=shape,
    )


TYPES: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "strings": list[str],
}


def _type(parameter: Parameter) -> Any:
    limits = Field(ge=parameter.least, gt=parameter.above, le=parameter.most)
    known = parameter.enum or ([] if parameter.open else list(parameter.values))
    if parameter.type == "numbers":
        return dict[Literal[tuple(known)], Annotated[float, limits]]  # type: ignore[misc]  # data
    if parameter.type == "string" and known:
        return Literal[tuple(known)]
    return Annotated[TYPES[parameter.type], limits]


def _described(parameter: Parameter) -> Any:
    default: Any = ... if parameter.required else parameter.default
    return Field(default, description=parameter.about)
