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

TALKS = ("conv", "conversation", "conversation_id", "thread")
SESSIONS = ("session", "session_id")
"""Metadata that says to which conversation a turn belongs, and to which session of it."""

SOURCE_SUFFIXES = frozenset(
    {".c", ".cc", ".cpp", ".cs", ".css", ".go", ".h", ".hpp", ".html", ".java", ".js", ".jsx"}
    | {".kt", ".lua", ".php", ".pl", ".py", ".pyi", ".r", ".rb", ".rs", ".scala", ".sh", ".sql"}
    | {".swift", ".ts", ".tsx", ".zig"}
)

FILE_SUFFIXES = SOURCE_SUFFIXES | {".markdown", ".md", ".mdx", ".rst", ".txt"}

DATE_FORMATS = ("%B-%d-%Y", "%B %d, %Y", "%d %B %Y")
"""How collections write dates, beside ISO 8601: March-15-2024, March 15, 2024, 15 March 2024."""

EMPTY = "empty documents"
CUT = "documents cut to the largest size of a record"
MENDED = "documents without the characters that are not text"

_DEFINITION = re.compile(
    r"""\s*(@[\w.]+(\((?:[^()\n]++|\([^()\n]*+\))*+\))?\s+)*+  # decorators
    (
        (async\s+)?def\s+\w+\s*\(            # Python, Ruby
      | class\s+\w+\s*[(:{]
      | (export\s+)?(async\s+)?function\b.*\(
      | (pub\s+)?(async\s+)?fn\s+\w+\s*[<(]   # Rust
      | func\s+(\([^)]*\)\s*)?\w+\s*\(       # Go
      | (public|private|protected|static)\s++[\w<>\[\], ]+\(
    )""",
    re.VERBOSE,
)
"""How a text begins that is a piece of code."""

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
    speaker, writer = _named(rest, "speaker"), _named(rest, "author")
    words = _named(rest, "keywords")
    whole = Record(
        kind=_kind(given, title),
        id=id_of(given),
        title=_line(title),
        body=_sound(body),
        # A speaker stands in what is said; who wrote a text does not, and is asked for too.
        author=(speaker or writer)[: LIMITS["author"]],
        context="; ".join(filter(None, (writer, words)))[: LIMITS["context"]],
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


def is_file(id: Any) -> bool:
    """Whether a document is a whole file: its id is a path to code or prose. A path in the title
    alone is mostly that of a piece of a file."""
    return isinstance(id, str) and PurePosixPath(id).suffix.lower() in FILE_SUFFIXES


def talk_of(given: Mapping[str, Any], key: str = "") -> tuple[str, str] | None:
    """The conversation and the session that a turn belongs to; None for what is no turn of a known
    one. Where the metadata names no conversation, `metadata[key]` does, or the id up to its last
    slash."""
    metadata = metadata_of(given)
    if not any(name in metadata for name in CONVERSATION):
        return None
    named = (metadata.get(name) for name in (*TALKS, key))
    talk = next((str(name) for name in named if name is not None), "")
    talk = talk or id_of(given).rpartition("/")[0]
    session = next((str(metadata[name]) for name in SESSIONS if name in metadata), "")
    return (talk, session) if talk or session else None


def category_of(given: Mapping[str, Any]) -> str:
    """The kind of question that a query is said to be; empty where nothing is said."""
    metadata = metadata_of(given)
    named = (metadata.get(key) for key in ("category_name", "category"))
    found = next((each for each in named if each is not None), "")
    return _line(str(found)) if isinstance(found, (str, int)) else ""


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


def _named(metadata: dict[str, Any], key: str) -> str:
    """One line of the metadata, which is then taken out of it; empty where there is none."""
    if not isinstance(metadata.get(key), str):
        return ""
    return _line(metadata.pop(key))


def _kind(given: Mapping[str, Any], title: str) -> str:
    metadata = metadata_of(given)
    if metadata.get("kind") in KINDS:
        return str(metadata["kind"])
    if any(key in metadata for key in CONVERSATION):
        return "memory"
    named = {PurePosixPath(name).suffix.lower() for name in (id_of(given), title.strip())}
    written = _DEFINITION.match(str(given.get("text") or ""))
    return "code" if named & SOURCE_SUFFIXES or written else "doc"


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
