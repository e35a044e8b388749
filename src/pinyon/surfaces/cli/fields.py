"""Fields: the options of a record's fields, and a record that comes as JSON on standard input."""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from pinyon.model.errors import InvalidInput
from pinyon.model.record import KINDS, SEVERITIES

F = TypeVar("F", bound=Callable[..., Any])

LARGEST = 32_000_000
"""The most bytes that are read from standard input."""

_DATE = "a date like 2024-05-01 or 2024-05-01T12:30:00Z"

OPTIONS: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("--kind",), {"type": click.Choice(KINDS), "help": "What it is; a memory if not given."}),
    (("--title",), {"metavar": "TEXT", "help": "The title, one line."}),
    (("--body",), {"metavar": "TEXT", "help": "The text; - reads it from standard input."}),
    (
        ("--tag", "tags"),
        {"metavar": "TAG", "multiple": True, "help": "A tag; repeat it for several."},
    ),
    (
        ("--alias", "aliases"),
        {"metavar": "NAME", "multiple": True, "help": "Another name; repeat it for several."},
    ),
    (("--scope",), {"metavar": "PATH", "help": "Where it belongs, like team/api."}),
    (("--domain",), {"metavar": "TEXT", "help": "The field of knowledge."}),
    (("--severity",), {"type": click.Choice(SEVERITIES), "help": "How serious it is."}),
    (("--importance",), {"metavar": "N", "type": int, "help": "From 1 to 5; 3 if not given."}),
    (("--mentions",), {"metavar": "N", "type": int, "help": "How often it was mentioned."}),
    (("--doc-type",), {"metavar": "TEXT", "help": "The type of a document."}),
    (("--memory-type",), {"metavar": "TEXT", "help": "The type of a memory."}),
    (("--author",), {"metavar": "NAME", "help": "Who wrote or said it."}),
    (("--status",), {"metavar": "TEXT", "help": "How far it is, like open or done."}),
    (("--due",), {"metavar": "DATE", "help": f"When it is due: {_DATE}."}),
    (("--source",), {"metavar": "TEXT", "help": "The path or address that it comes from."}),
    (("--context",), {"metavar": "TEXT", "help": "What explains it, beside the body."}),
    (("--created-at",), {"metavar": "DATE", "help": "When it came to be; now if not given."}),
    (("--valid-from",), {"metavar": "DATE", "help": "From when on it holds."}),
    (("--valid-until",), {"metavar": "DATE", "help": "Until when it holds."}),
    (("--half-life",), {"metavar": "DAYS", "type": float, "help": "How fast it loses weight."}),
    (("--extra",), {"metavar": "JSON", "help": "Anything else, as a JSON object."}),
)


def field_options(command: F) -> F:
    """An option for each field that a person sets by hand."""
    for names, details in reversed(OPTIONS):
        command = click.option(*names, **details)(command)
    return command


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that were given, as in a JSON record."""
    values = {name: value for name, value in options.items() if value is not None and value != ()}
    if values.get("body") == "-":
        values["body"] = standard_input()
    if "extra" in values:
        values["extra"] = parsed(values["extra"], "--extra")
    return {name: list(each) if isinstance(each, tuple) else each for name, each in values.items()}


def piped_object() -> dict[str, Any]:
    """The JSON object on standard input; an empty one when there is nothing, or a terminal."""
    if sys.stdin.isatty():
        return {}
    text = standard_input()
    if not text.strip():
        return {}
    value = parsed(text, "standard input")
    if not isinstance(value, dict):
        raise InvalidInput(
            "standard input is not a JSON object", remedy='write it like {"title": "Retries"}'
        )
    if value.get("type") == "record":  # a line of an export
        del value["type"]
    return value


def standard_input() -> str:
    """All of it, as text."""
    content = sys.stdin.buffer.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise InvalidInput(f"standard input is larger than {LARGEST:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"standard input is not UTF-8 (byte {error.start + 1:,})", remedy="convert it first"
        ) from None


def parsed(text: str, where: str) -> Any:
    """A JSON value, or the place where it stops being one."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput(f"{where} is not JSON: {error.msg} at {place}") from None
    except (RecursionError, ValueError):
        raise InvalidInput(f"{where} cannot be read: too deep, or a number too long") from None
