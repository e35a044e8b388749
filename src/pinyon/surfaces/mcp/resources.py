"""Resources: what an agent reads by its address: an answer, a record, a brief.

pinyon://search?q=WORDS&limit=5    pinyon://record/ID    pinyon://brief?scope=team/api

An id is percent-encoded. What is read is JSON, the same as the tools give.
"""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, unquote

import mcp_types as types

from pinyon.access import Permitted
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.mcp.fit import fitted_text
from pinyon.surfaces.mcp.tools import Search, Tool
from pinyon.surfaces.operations import shapes

SCHEME = "pinyon://"
JSON = "application/json"

LISTED = [
    types.Resource(
        uri=f"{SCHEME}brief",
        name="brief",
        title="Brief",
        description="What matters now.",
        mime_type=JSON,
    )
]
TEMPLATES = [
    types.ResourceTemplate(
        uri_template=f"{SCHEME}search{{?q,kinds*,tags*,scope,profile,mode,limit,max_tokens}}",
        name="search",
        title="Search",
        description="The answer to a question.",
        mime_type=JSON,
    ),
    types.ResourceTemplate(
        uri_template=f"{SCHEME}record/{{id}}",
        name="record",
        title="Record",
        description="One record, whole.",
        mime_type=JSON,
    ),
    types.ResourceTemplate(
        uri_template=f"{SCHEME}brief{{?scope,kinds*,max_tokens}}",
        name="brief",
        title="Brief",
        description="What matters now in a scope.",
        mime_type=JSON,
    ),
]


def read(uri: str, engine: Permitted, own: Mapping[str, Tool]) -> dict[str, Any]:
    """What stands at an address. Raises InvalidInput where there is nothing, or a PinyonError."""
    place, _, asked = uri.removeprefix(SCHEME).partition("?")
    kind, _, rest = place.partition("/")
    if uri.startswith(SCHEME) and kind == "record" and rest:
        return _record(uri.removeprefix(f"{SCHEME}record/"), engine, own)
    if uri.startswith(SCHEME) and not rest and kind in ASKED:
        return ASKED[kind](asked, engine, own)
    raise InvalidInput(
        f"there is no resource {uri[:80]!r}",
        remedy=f"known: {SCHEME}search?q=WORDS, {SCHEME}record/ID, {SCHEME}brief",
    )


def _record(written: str, engine: Permitted, own: Mapping[str, Tool]) -> dict[str, Any]:
    found = own["get"].call(engine, {"ids": [unquote(written)]})
    record: dict[str, Any] = found["records"][0]
    return record


def _search(asked: str, engine: Permitted, own: Mapping[str, Tool]) -> dict[str, Any]:
    given = _given(Search, asked)
    if "q" in given:
        given["query"] = given.pop("q")
    shape = fitted_text(Search, given)
    return own["search"].call(engine, shape.model_dump(exclude_unset=True))


def _brief(asked: str, engine: Permitted, own: Mapping[str, Tool]) -> dict[str, Any]:
    shape = fitted_text(shapes.Brief, _given(shapes.Brief, asked))
    return own["brief"].call(engine, shape.model_dump(exclude_unset=True))


ASKED: Mapping[str, Callable[[str, Permitted, Mapping[str, Tool]], dict[str, Any]]] = {
    "search": _search,
    "brief": _brief,
}


def _given(shape: type[shapes.Shape], asked: str) -> dict[str, str | list[str]]:
    """The names and values of an address; what is a list can be there several times."""
    fields = shape.model_fields
    found = parse_qs(asked, keep_blank_values=True)
    lists = {name for name, field in fields.items() if isinstance(field.default, list)}
    return {name: values if name in lists else values[-1] for name, values in found.items()}
