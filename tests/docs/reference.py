"""Reference: the pages of docs/reference, made from the code.

`python -m tests.docs.reference` writes them anew; a test fails when one is stale.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from pinyon.model.check import LIMITS, MOST_VALUES
from pinyon.model.profile import CHANNELS, SIGNALS, Profile
from pinyon.model.query import FIELDS
from pinyon.model.record import KINDS, SEVERITIES, Record
from pinyon.profiles import load
from tests.docs.commands import commands

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"

ABOUT = {
    "kind": f"one of {', '.join(KINDS)}",
    "id": "what it is called by; made from the title where it is missing",
    "title": "one line",
    "aliases": "other names and trigger phrases that it is found by",
    "body": "the text itself",
    "context": "what it belongs to: a description, the headings above it",
    "tags": "labels; a filter on several means all of them",
    "domain": "the subject area",
    "severity": f"empty, or one of {', '.join(SEVERITIES)}",
    "importance": "a whole number from 1 to 5",
    "mentions": "how often it was mentioned, for entities",
    "doc_type": "the type of document: spec, plan, decision_record",
    "memory_type": "the type of memory: episodic, procedural, semantic",
    "author": "who wrote or said it",
    "status": "the state of a task",
    "due": "when a task is due",
    "scope": "a slash path such as team/api; a filter on it means it and everything below",
    "source": "the path or address that it comes from",
    "lines": "the first and last line there, from 1",
    "created_at": "now, where it is missing",
    "updated_at": "now, where it is missing",
    "valid_from": "true from then on",
    "valid_until": "true until then",
    "half_life": "in days: how fast it fades",
    "extra": "a JSON object of your own",
    "version": "kept by the store: grows with each change",
    "deleted_at": "kept by the store: when it was forgotten",
}


RECORDS = """\
# The fields of a record

Every field may be left out. Dates are ISO 8601 text in JSON and datetimes in Python; without a zone
they are UTC. Text that does not fit is refused, never cut off. No field can hold a NUL character,
and none but `body`, `context` and `evidence` a line break.

| field | default | at most | what it is |
|---|---|---|---|
{rows}

## The fields of an edge

| field | default | at most | what it is |
|---|---|---|---|
| `from`, `to` | | {id} characters | ids of records; one that begins with @ may be of none |
| `relation` | | {relation} characters | a lower-case word: supports, derived_from |
| `strength` | 1.0 | | a number from 0 to 1 |
| `evidence` | | {evidence:,} characters | what it rests on |
| `created_at` | | | now, where it is missing |
"""

PROFILES = """\
# Profiles

A profile is a TOML file. It inherits another one (`inherits = "default"`), merges its sections key
by key, and replaces values, also those that are tables. An unknown key is an error that lists the
known ones.

| key | type | `base` says |
|---|---|---|
{keys}

Fields: {fields}. Channels: {channels}. Signals: {signals}.

## Shipped

| profile | what it is |
|---|---|
{shipped}
"""


def records() -> str:
    """The fields of a record and of an edge."""
    assert list(ABOUT) == [field.name for field in fields(Record)]
    rows = (
        f"| `{name}` | {_default(getattr(Record(), name))} | {_most(name)} | {about} |"
        for name, about in ABOUT.items()
    )
    return RECORDS.format(rows="\n".join(rows), **LIMITS)


def profiles() -> str:
    """The sections and keys of a profile, and what each shipped one is for."""
    shipped = (f"| `{name}` | {load.load(name).about} |" for name in load.names())
    return PROFILES.format(
        keys="\n".join(_keys(Profile, load.load("base"), "")),
        fields=", ".join(FIELDS),
        channels=", ".join(CHANNELS),
        signals=", ".join(SIGNALS),
        shipped="\n".join(shipped),
    )


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "profiles.md": profiles,
    "records.md": records,
}


def _keys(kind: Any, section: Any, path: str) -> Iterator[str]:
    hints = get_type_hints(kind)
    for name in kind._fields:
        if name in {"name", "about"}:
            continue
        value = getattr(section, name)
        here = f"{path}.{name}" if path else name
        if hasattr(hints[name], "_fields"):
            yield from _keys(hints[name], value, here)
        else:
            yield f"| `{here}` | {_type(hints[name])} | {_shown(value)} |"


def _type(hint: Any) -> str:
    names = {bool: "true or false", int: "whole number", float: "number", str: "text"}
    return names.get(hint, "list" if "tuple" in str(hint) else "table of numbers")


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    if hasattr(value, "items"):
        return ", ".join(f"{key} {number:g}" for key, number in value.items())
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def _default(value: Any) -> str:
    return "" if value in ("", (), None, {}) else f"{value}"


def _most(name: str) -> str:
    if name == "extra":
        return f"{LIMITS[name]:,} characters of JSON"
    if name in {"aliases", "tags"}:
        return f"{MOST_VALUES} of {LIMITS[name]} characters"
    return f"{LIMITS[name]:,} characters" if name in LIMITS else ""


if __name__ == "__main__":
    for page, render in PAGES.items():
        (FOLDER / page).write_text(render(), encoding="utf-8")
