"""Documents: each document of a corpus as the record that Pinyon would hold of it."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from pinyon.model.check import LIMITS, check_date, check_id, check_scope, recheck
from pinyon.model.errors import InvalidRecord
from pinyon.model.record import KINDS, Record

CONVERSATION = ("speaker", "session", "role")
"""Metadata that only the turn of a conversation has."""

SOURCE_SUFFIXES = frozenset(
    {".c", ".cc", ".cpp", ".cs", ".css", ".go", ".h", ".hpp", ".html", ".java", ".js", ".jsx"}
    | {".kt", ".lua", ".php", ".pl", ".py", ".pyi", ".r", ".rb", ".rs", ".scala", ".sh", ".sql"}
    | {".swift", ".ts", ".tsx", ".zig"}
)

DATE_FORMATS = ("%B-%d-%Y", "%B %d, %Y", "%d %B %Y")
"""How collections write dates, beside ISO 8601: March-15-2024, March 15, 2024, 15 March 2024."""

EMPTY = "empty documents"
CUT = "documents cut to the largest size of a record"
MENDED = "documents without the characters that are not text"

_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")


def read_document(given: Mapping[str, Any], scope_by: str = "") -> tuple[Record, list[str]]:
    """The record of one line of a corpus, and which of EMPTY, CUT and MENDED hold for it.

    Raises InvalidRecord for what is no document.
    """
    title, body = _text("title", given.get("title")), _text("text", given.get("text"))
    rest = metadata_of(given)
    created_at = _date(rest.get("date"))
    if created_at:
        del rest["date"]
    speaker = rest.get("speaker")
    if isinstance(speaker, str):
        del rest["speaker"]
    whole = Record(
        kind=_kind(given, title),
        id=id_of(given),
        title=_line(title),
        body=_sound(body),
        author=_line(speaker)[: LIMITS["author"]] if isinstance(speaker, str) else "",
        scope=scope_of(given, scope_by),
        created_at=created_at,
        extra=_extra(rest),
    )
    record = replace(whole, title=whole.title[: LIMITS["title"]], body=whole.body[: LIMITS["body"]])
    remarks = {
        EMPTY: not (record.title or record.body.strip()),
        CUT: (record.title, record.body) != (whole.title, whole.body),
        MENDED: whole.body != body,
    }
    return recheck(record), [remark for remark, holds in remarks.items() if holds]


def id_of(given: Mapping[str, Any]) -> str:
    """The id of a document or a query: text, or a whole number."""
    value = given.get("_id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None:
        raise InvalidRecord("_id", "is missing", remedy="give each line its own id")
    return check_id("_id", value)


def scope_of(given: Mapping[str, Any], key: str) -> str:
    """The scope that all who share `metadata[key]` have, and nobody else; empty without a key."""
    value = metadata_of(given).get(key) if key else None
    if value is None:
        return ""
    # A slash would put one value below another.
    return check_scope(f"metadata.{key}", str(value).replace("%", "%25").replace("/", "%2F"))


def metadata_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the metadata; an empty one where there is none."""
    metadata = given.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        raise InvalidRecord("metadata", "must be an object")
    return dict(metadata)


def _text(name: str, value: Any) -> str:
    if value is not None and not isinstance(value, str):
        raise InvalidRecord(name, "must be text")
    return value or ""


def _kind(given: Mapping[str, Any], title: str) -> str:
    metadata = metadata_of(given)
    if metadata.get("kind") in KINDS:
        return str(metadata["kind"])
    if any(key in metadata for key in CONVERSATION):
        return "memory"
    named = {PurePosixPath(name).suffix.lower() for name in (id_of(given), title.strip())}
    return "code" if named & SOURCE_SUFFIXES else "doc"


def _date(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return check_date("date", value)
    except InvalidRecord:
        pass
    for form in DATE_FORMATS:
        try:
            return datetime.strptime(value, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _line(text: str) -> str:
    return _CONTROLS.sub(" ", _sound(text)).strip()


def _sound(text: str) -> str:
    """Without NUL and halves of surrogate pairs."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def _extra(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What fits into a record, key by key."""
    kept: dict[str, Any] = {}
    room = LIMITS["extra"] - len("{}")
    for key, value in metadata.items():
        try:
            text = json.dumps({key: value}, ensure_ascii=False, allow_nan=False)
            text.encode()
        except ValueError:  # NaN, half a surrogate pair
            continue
        if len(text) <= room:
            kept[key] = value
            room -= len(text)
    return kept
