"""Schema: JSON Schemas without what an agent pays for and nobody reads."""

from collections.abc import Mapping
from typing import Any

NAMED = ("properties", "$defs")
"""Keys whose values are schemas by name; a name can be anything, also "title"."""


def slim(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same schema: titles, which repeat the names, and defaults of null are left out."""
    return {
        key: _named(value) if key in NAMED else _slim(value)
        for key, value in schema.items()
        if key != "title" and (key, value) != ("default", None)
    }


def without_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of an object none of whose fields may be null."""
    fields = {name: _present(field) for name, field in schema["properties"].items()}
    return {**schema, "properties": fields}


def _present(field: Mapping[str, Any]) -> dict[str, Any]:
    first, *others = field.get("anyOf", [{}])
    if others != [{"type": "null"}]:
        return dict(field)
    return {**first, **{key: value for key, value in field.items() if key != "anyOf"}}


def _named(schemas: Mapping[str, Any]) -> dict[str, Any]:
    return {name: slim(schema) for name, schema in schemas.items()}


def _slim(value: Any) -> Any:
    if isinstance(value, dict):
        return slim(value)
    return [_slim(each) for each in value] if isinstance(value, list) else value
