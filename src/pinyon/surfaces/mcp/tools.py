"""Tools: what an agent can call: each operation with its schemas, its hints, and its short answer.

What a tool gives goes to an agent twice, as JSON and as text, and some agents read only the one,
some only the other; so both are whole, and both are short. What only explains a hit is left out
until it is asked for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import mcp_types as types
from pydantic import Field

from pinyon.access import Permitted
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.mcp import SETS, text
from pinyon.surfaces.mcp.fit import fitted
from pinyon.surfaces.mcp.schema import slim, without_null
from pinyon.surfaces.operations import OPERATIONS, Operation, shapes

if TYPE_CHECKING:
    from pinyon.surfaces.mcp.seeds import SeedTool


@dataclass(frozen=True, slots=True)
class Tool:
    """`call` raises a PinyonError where it cannot be done; `say` puts what it gives into text."""

    listed: types.Tool
    call: Callable[[Permitted, Mapping[str, Any]], dict[str, Any]]
    say: Callable[[Mapping[str, Any]], str]


def tools(chosen: str) -> dict[str, Tool]:
    """The tools of a set. Where two have one name, it is Pinyon's own."""
    if chosen not in SETS:
        raise InvalidInput(f"no set of tools {chosen!r}", remedy=f"known: {', '.join(SETS)}")
    own = {name: _own(name, operation) for name, operation in OPERATIONS.items()}
    if chosen == "pinyon":
        return own
    return {**_seeds(own), **(own if chosen == "all" else {})}


class Search(shapes.Search):
    """What an agent can ask: also for the next page, and for reasons."""

    cursor: str = Field("", description="`meta.next` of the answer before: the next page.")
    explain: bool = Field(False, description="Also why each hit ranked: signals and channels.")


HIT = ("id", "kind", "title", "relevance", "snippet", "tokens")
"""What every hit has; the rest is there where it is not empty."""

REASONS = frozenset({"score", "signals", "sources"})
META = ("returned", "changed", "warnings", "left_out", "tiers", "next")
"""What an agent needs to know of how an answer came about."""

HINTS = {
    "off topic": "nothing is relevant: try other words; min_relevance 0 shows the nearest",
    "less relevant than asked for": "nothing is so relevant: try other words, or a lower"
    " min_relevance",
    "no room": "nothing fits into so few tokens: give more max_tokens",
}
"""What to do, by the reason why something was left out."""

NOTHING = "nothing was found: try other words, or fewer filters"

HEAVY = frozenset({"body", "context", "extra"})


def _search(engine: Permitted, given: Mapping[str, Any]) -> dict[str, Any]:
    asked = fitted(Search, given)
    named = asked.model_dump(exclude_unset=True, exclude={"explain"})
    answer = OPERATIONS["search"].run(engine, shapes.SearchAll.model_validate(named))
    return answer if asked.explain else _short(answer)


def _short(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without its reasons, and without what is empty; an empty one with a hint."""
    hits, meta = answer["hits"], answer["meta"]
    told = {name: meta[name] for name in META if meta.get(name)}
    hint = {} if hits else {"hint": _hint(meta.get("left_out", {}))}
    return {"hits": [_short_hit(hit) for hit in hits], "meta": {**told, **hint}}


def _hint(left_out: Mapping[str, int]) -> str:
    return next((hint for why, hint in HINTS.items() if left_out.get(why)), NOTHING)


def _short_hit(hit: Mapping[str, Any]) -> dict[str, Any]:
    kept = {
        name: value
        for name, value in hit.items()
        if name in HIT or (name not in REASONS and value not in ("", None, []))
    }
    return {**kept, "relevance": round(kept["relevance"], 3)}


def _related(engine: Permitted, given: Mapping[str, Any]) -> dict[str, Any]:
    """Links, with records that have no bodies: a hundred of them would be a book."""
    found = OPERATIONS["related"].run(engine, fitted(shapes.Relate, given))
    for each in found["related"]:
        record = each["record"]
        each["record"] = {name: record[name] for name in record if name not in HEAVY}
    return found


CALLS: Mapping[str, Callable[[Permitted, Mapping[str, Any]], dict[str, Any]]] = {
    "search": _search,
    "related": _related,
}
"""Operations that give an agent less than a program."""

TAKES: Mapping[str, type[shapes.Shape]] = {"search": Search}

ALSO: Mapping[str, str] = {
    "related": " The records come without their bodies: read those that matter with get.",
    "get": " Mind `tokens` of the hits: a record comes whole.",
    "update": " Null empties a field.",
}
"""What only agents are told."""

AGAIN = frozenset({"update", "forget", "link", "unlink", "index"})
"""Operations that change nothing more when they are called twice."""


def _own(name: str, operation: Operation) -> Tool:
    takes = TAKES.get(name, operation.takes)
    schema = slim(takes.model_json_schema())
    gives = slim(operation.gives.model_json_schema())
    if name == "search":
        gives["$defs"]["HitShape"]["required"] = list(HIT)
    listed = types.Tool(
        name=name,
        title=operation.title,
        description=operation.about + ALSO.get(name, ""),
        input_schema=without_null(schema) if name == "save" else schema,
        output_schema=gives,
        annotations=types.ToolAnnotations(
            title=operation.title,
            read_only_hint=not operation.changes,
            destructive_hint=operation.destroys,
            idempotent_hint=not operation.changes or name in AGAIN,
            open_world_hint=False,
        ),
    )

    def call(engine: Permitted, given: Mapping[str, Any]) -> dict[str, Any]:
        return operation.run(engine, fitted(takes, given))

    return Tool(listed, CALLS.get(name, call), text.FORMS.get(name, text.as_json))


def _seeds(own: Mapping[str, Tool]) -> dict[str, Tool]:
    """The tools of other systems. What they share by name and meaning is Pinyon's own."""
    from pinyon.surfaces.mcp import seeds

    theirs = {
        name: Tool(_listed(name, tool), partial(_call_seed, name), text.as_json)
        for name, tool in seeds.TOOLS.items()
    }
    return {"search": own["search"], **theirs}


def _call_seed(name: str, engine: Permitted, given: Mapping[str, Any]) -> dict[str, Any]:
    from pinyon.surfaces.mcp import seeds

    return seeds.call(engine, name, given)


def _listed(name: str, seed: "SeedTool") -> types.Tool:
    return types.Tool(
        name=name,
        title=seed.title,
        description=seed.about,
        input_schema=dict(seed.input_schema),
        annotations=types.ToolAnnotations(
            title=seed.title,
            read_only_hint=not seed.changes,
            destructive_hint=False,
            open_world_hint=False,
        ),
    )
