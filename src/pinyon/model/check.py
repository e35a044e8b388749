"""Check: what enters from outside becomes a Record or an Edge, or is refused with the reason.

Every limit stands in LIMITS; docs/reference/records.md is made from it.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from pinyon.model.errors import InvalidRecord
from pinyon.model.record import KINDS, SEVERITIES, Edge, Record

LIMITS = {
    "id": 500,
    "title": 1_000,
    "aliases": 500,
    "body": 5_000_000,
    "context": 20_000,
    "tags": 100,
    "domain": 100,
    "doc_type": 100,
    "memory_type": 100,
    "author": 200,
    "status": 100,
    "scope": 500,
    "source": 4_000,
    "evidence": 20_000,
    "relation": 100,
    "extra": 100_000,
}
"""The most characters in a field; in each alias and each tag; in the JSON of extra."""

MOST_VALUES = 200
"""The most aliases, and the most tags, that one record can have."""

DEEPEST = 100
"""Lists and objects of extra, one in another. Far more could be saved, but not read wherever much
else is going on: the limit of Python counts from the bottom of the stack."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_RELATION = re.compile(r"[a-z][a-z0-9_-]*\Z")


def check_record(given: Mapping[str, Any]) -> Record:
    """A record from the keys of a JSON object; strings for dates, lists for tuples."""
    values = {}
    for name, value in given.items():
        check = _CHECKS.get(name)
        if check is None:
            raise InvalidRecord(
                _shown(name), "no such field", remedy=f"known: {', '.join(_CHECKS)}"
            )
        values[name] = check(name, value)
    record = Record(**values)
    if record.valid_from and record.valid_until and record.valid_from > record.valid_until:
        raise InvalidRecord("valid_until", "is before valid_from")
    return record


def recheck(record: Record) -> Record:
    """The same checks for a record that a program has built."""
    return check_record({name: getattr(record, name) for name in _CHECKS})


def check_edge(given: Mapping[str, Any]) -> Edge:
    """An edge from a JSON object: from, relation, to, strength, evidence, created_at."""
    values = {}
    for name, value in given.items():
        check = _EDGE_CHECKS.get(name)
        if check is None:
            raise InvalidRecord(
                _shown(name), "no such field", remedy=f"known: {', '.join(_EDGE_CHECKS)}"
            )
        values[_EDGE_NAMES.get(name, name)] = check(name, value)
    for name in ("from", "relation", "to"):
        if _EDGE_NAMES.get(name, name) not in values:
            raise InvalidRecord(name, "is missing")
    return Edge(**values)


def check_id(name: str, value: Any) -> str:
    """A non-empty line of text without blanks at its ends."""
    text = check_line(name, value)
    if not text or text != text.strip():
        raise InvalidRecord(name, "must not be empty, nor begin or end with a blank")
    return text


def check_line(name: str, value: Any) -> str:
    """Text without control characters."""
    text = check_text(name, value)
    if _CONTROL.search(text):
        raise InvalidRecord(name, "holds a control character; it must be a single line")
    return text


def check_text(name: str, value: Any) -> str:
    """Text that fits, and that UTF-8 and SQLite can hold."""
    if not isinstance(value, str):
        raise InvalidRecord(name, f"must be text, not {_type(value)}")
    most = LIMITS.get(name, LIMITS["id"])
    if len(value) > most:
        raise InvalidRecord(name, f"has {len(value):,} characters; at most {most:,} fit")
    if "\x00" in value:
        raise InvalidRecord(name, "holds a NUL character", remedy="remove it")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            problem = "holds half a surrogate pair, which is not text"
            raise InvalidRecord(name, problem, remedy="decode it again") from None
    return value


def check_scope(name: str, value: Any) -> str:
    """A slash path without empty parts; slashes at its ends are dropped."""
    scope = check_line(name, value).strip("/")
    if "//" in scope:
        raise InvalidRecord(name, "has an empty part", remedy="write it like team/api")
    return scope


def check_date(name: str, value: Any) -> datetime:
    """An aware datetime in UTC; a date alone is its midnight, a missing zone is UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            problem = f"{_shown(value)} is not a date"
            raise InvalidRecord(
                name, problem, remedy="write it like 2024-05-01T12:30:00Z"
            ) from None
    if not isinstance(value, datetime):
        raise InvalidRecord(name, f"must be a date, not {_type(value)}")
    if value.tzinfo is UTC:
        return value
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:
        raise InvalidRecord(name, f"{value} is outside of the calendar") from None


def _one_of(known: tuple[str, ...]) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        if value not in known:
            raise InvalidRecord(
                name, f"{_shown(value)} is not one", remedy=f"known: {', '.join(known)}"
            )
        return str(value)

    return check


def _lines(name: str, value: Any) -> tuple[str, ...]:
    """Each value once, in the order given."""
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise InvalidRecord(name, f"must be a list of texts, not {_type(value)}")
    if len(value) > MOST_VALUES:
        raise InvalidRecord(name, f"has {len(value):,} values; at most {MOST_VALUES} fit")
    return tuple(dict.fromkeys(check_id(name, item) for item in value))


def _integer(least: int, most: int) -> Callable[[str, Any], int]:
    def check(name: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise InvalidRecord(name, f"must be a whole number from {least} to {most:,}")
        return value

    return check


def _number(least: float, most: float) -> Callable[[str, Any], float]:
    def check(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InvalidRecord(name, f"must be a number, not {_type(value)}")
        if not least <= value <= most:  # also what is not a number, or too large for a float
            raise InvalidRecord(name, f"must be from {least} to {most}")
        return float(value)

    return check


def _optional(check: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    return lambda name, value: None if value is None else check(name, value)


def _span(name: str, value: Any) -> tuple[int, int]:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise InvalidRecord(name, "must be two line numbers")
    first, last = (_integer(1, 2**31)(name, number) for number in value)
    if last < first:
        raise InvalidRecord(name, "ends before it begins")
    return first, last


def _extra(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidRecord(name, f"must be an object, not {_type(value)}")
    if not value:
        return {}
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError):
        raise InvalidRecord(name, "cannot be written as JSON") from None
    if len(text) > LIMITS["extra"]:
        raise InvalidRecord(name, f"is larger than {LIMITS['extra']:,} characters of JSON")
    if deeper(value, DEEPEST):
        raise InvalidRecord(name, f"is nested more than {DEEPEST} levels deep")
    # Through JSON and back, so that it is the same after an export and an import.
    return dict(json.loads(text))


def deeper(value: Any, most: int) -> bool:
    """Whether lists and objects stand in each other more than `most` times."""
    if not isinstance(value, (Mapping, list, tuple)):
        return False
    inner = value.values() if isinstance(value, Mapping) else value
    return most == 0 or any(deeper(each, most - 1) for each in inner)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _type(value: Any) -> str:
    return {"NoneType": "null", "dict": "an object", "list": "a list", "bool": "true or false"}.get(
        type(value).__name__, f"a {type(value).__name__}"
    )


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "kind": _one_of(KINDS),
    "id": lambda name, value: check_id(name, value) if value else "",
    "title": check_line,
    "aliases": _lines,
    "body": check_text,
    "context": check_text,
    "tags": _lines,
    "domain": check_line,
    "severity": _one_of(("", *SEVERITIES)),
    "importance": _integer(1, 5),
    "mentions": _integer(0, 2**53),
    "doc_type": check_line,
    "memory_type": check_line,
    "author": check_line,
    "status": check_line,
    "due": _optional(check_date),
    "scope": check_scope,
    "source": check_line,
    "lines": _optional(_span),
    "created_at": _optional(check_date),
    "updated_at": _optional(check_date),
    "valid_from": _optional(check_date),
    "valid_until": _optional(check_date),
    "half_life": _optional(_number(1e-6, 1e9)),
    "extra": _extra,
    "version": _integer(1, 2**53),
    "deleted_at": _optional(check_date),
}
assert _CHECKS.keys() == {field.name for field in fields(Record)}

_EDGE_NAMES = {"from": "from_id", "to": "to_id"}


def _relation(name: str, value: Any) -> str:
    text = check_line(name, value)
    if len(text) > LIMITS["relation"] or not _RELATION.match(text):
        raise InvalidRecord(
            name, f"{_shown(value)} is not a relation", remedy="use lower case: derived_from"
        )
    return text


_EDGE_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "from": check_id,
    "relation": _relation,
    "to": check_id,
    "strength": _number(0, 1),
    "evidence": check_text,
    "created_at": _optional(check_date),
}
