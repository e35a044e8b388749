"""JSON Lines: a conversation or records, one object a line; its first lines say which.

Records are written as `pinyon export` writes them. Their ids get that of the file in front, so that
two files cannot overwrite each other.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from pinyon.index.parse.conversation import SESSION, Session, first, is_turn, session_of, turns_of
from pinyon.index.parse.given import clean, from_json, summed
from pinyon.index.parse.origin import Origin, Parsed
from pinyon.model.check import LIMITS, check_edge, check_record
from pinyon.model.errors import InvalidInput, InvalidRecord
from pinyon.model.record import Edge, Record

_PROBE = 20
"""So many lines are looked at."""

_RECORD = frozenset({"title", "body", "kind"})
_TYPES = ("record", "edge", "version")


class Line(NamedTuple):
    """The object in the line of this number."""

    number: int
    given: dict[str, Any]


def jsonl(content: str | bytes, origin: Origin) -> Parsed:
    """Lines that cannot be read are left out, with a warning. So is a file of anything else."""
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    lines, warnings = _lines(text)
    if not lines:
        return Parsed((), summed(warnings))
    read = next((_READ[kind] for kind in map(_kind, lines[:_PROBE]) if kind), None)
    if read is None:
        return Parsed((), "neither turns of a conversation nor records; nothing is read")
    return read(lines, origin, warnings)


def _lines(text: str) -> tuple[list[Line], list[str]]:
    lines, warnings = [], []
    for number, each in enumerate(text.split("\n"), start=1):
        if not each.strip():
            continue
        try:
            given = from_json(each)
        except InvalidInput as problem:
            reason = problem.problem.removesuffix(" in line 1")
            warnings.append(f"line {number}: {reason}")
            continue
        if isinstance(given, dict):
            lines.append(Line(number, given))
        else:
            warnings.append(f"line {number}: not an object")
    return lines, warnings


def _kind(line: Line) -> str:
    given = line.given
    if given.get("type") in _TYPES or (_RECORD & given.keys() and not is_turn(given)):
        return "conversations" if session_of(given) else "records"
    if is_turn(given):
        return "turns"
    return "conversations" if session_of(given) else ""


def _turns(lines: list[Line], origin: Origin, warnings: list[str]) -> Parsed:
    """Turns by session, in the order in which the sessions begin."""
    ids = Counter(str(line.given["id"]) for line in lines if "id" in line.given)
    # An id names the session only where turns share it, else it is that of the turn.
    keys = (*SESSION, "id") if ids.total() > len(ids) else SESSION
    sessions: dict[str, list[tuple[int, Any]]] = {}
    for line in lines:
        key = first(line.given, keys)
        name = clean(str(key))[:200] if isinstance(key, (str, int)) else ""
        sessions.setdefault(name, []).append((line.number, line.given))
    return turns_of(
        [Session(key or origin.words, key, turns) for key, turns in sessions.items()],
        origin,
        warnings,
    )


def _conversations(lines: list[Line], origin: Origin, warnings: list[str]) -> Parsed:
    sessions = []
    for line in lines:
        session = session_of(line.given, line.number)
        if session:
            named = (
                session
                if session.key or session.title
                else session._replace(key=f"line {line.number}")
            )
            sessions.append(named)
        else:
            warnings.append(f"line {line.number}: not a conversation; left out")
    return turns_of(sessions, origin, warnings)


def _records(lines: list[Line], origin: Origin, warnings: list[str]) -> Parsed:
    """Records, and the edges between them. Versions are not read: the file has its own history."""
    records: dict[str, Record] = {}
    edges: list[tuple[int, Edge]] = []
    for number, given in lines:
        fields = {name: value for name, value in given.items() if name != "type"}
        try:
            match given.get("type", "record"):
                case "record":
                    record = _record(check_record(fields), number, origin)
                    if record.id in records:
                        warnings.append(f"line {number}: its id stands further up already")
                    elif record.deleted_at is None:
                        records[record.id] = record
                case "edge":
                    edges.append((number, _edge(check_edge(fields), origin)))
                case "version":
                    continue
                case other:
                    warnings.append(f"line {number}: unknown type {str(other)[:40]!r}")
        except InvalidRecord as problem:
            warnings.append(f"line {number}: {problem}")
    known = []
    for number, edge in edges:
        if edge.from_id in records and (edge.to_id in records or edge.to_id.startswith("@")):
            known.append(edge)
        else:
            warnings.append(f"line {number}: an edge of records that are not in the file")
    held = [Edge(origin.file_id, "contains", id) for id in records]
    outline = ", ".join(record.title for record in records.values() if record.title)[:2_000]
    return Parsed(tuple(records.values()), summed(warnings), (*held, *known), outline)


def _record(given: Record, number: int, origin: Origin) -> Record:
    id = f"{origin.id}#{given.id or f'line-{number}'}"
    scope = f"{origin.scope}/{given.scope}" if given.scope else origin.scope
    for name, value in (("id", id), ("scope", scope)):
        if len(value) > LIMITS[name]:
            raise InvalidRecord(name, f"longer than {LIMITS[name]} characters with the file's own")
    return replace(
        given,
        id=id,
        scope=scope,
        source=given.source or origin.id,
        lines=given.lines if given.source else (number, number),
        updated_at=given.updated_at or origin.modified_at,
        version=1,
    )


def _edge(given: Edge, origin: Origin) -> Edge:
    ends = (
        id if id.startswith("@") else f"{origin.id}#{id}" for id in (given.from_id, given.to_id)
    )
    from_id, to_id = ends
    return replace(given, from_id=from_id, to_id=to_id)


_READ: dict[str, Callable[[list[Line], Origin, list[str]], Parsed]] = {
    "conversations": _conversations,
    "records": _records,
    "turns": _turns,
}
