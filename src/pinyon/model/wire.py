"""Wire: records, edges and versions as JSON objects, and back. Empty fields are left out."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from pinyon.model.check import check_date, check_line, check_record
from pinyon.model.errors import InvalidRecord
from pinyon.model.record import Edge, Record, Version

_FIELDS = [(field.name, getattr(Record(), field.name)) for field in fields(Record)]
_ALWAYS = ("kind", "id")


def record_to_json(record: Record) -> dict[str, Any]:
    """The fields that differ from an empty record's, in the order of the class."""
    shown = {}
    for name, default in _FIELDS:
        value = getattr(record, name)
        if value != default or name in _ALWAYS:
            shown[name] = _plain(value)
    return shown


def edge_to_json(edge: Edge) -> dict[str, Any]:
    """All fields of the edge; `evidence` and `created_at` only where there is one."""
    shown: dict[str, Any] = {
        "from": edge.from_id,
        "relation": edge.relation,
        "to": edge.to_id,
        "strength": edge.strength,
    }
    if edge.evidence:
        shown["evidence"] = edge.evidence
    if edge.created_at:
        shown["created_at"] = date_to_text(edge.created_at)
    return shown


def version_to_json(version: Version) -> dict[str, Any]:
    """What was changed, when, and the record as it was before."""
    return {
        "change": version.change,
        "changed_at": date_to_text(version.changed_at),
        "record": record_to_json(version.record),
    }


def version_from_json(given: Mapping[str, Any]) -> Version:
    """Raises InvalidRecord for anything that `version_to_json` would not write."""
    if given.keys() != {"change", "changed_at", "record"}:
        raise InvalidRecord("version", "must have change, changed_at and record, nothing else")
    if not isinstance(given["record"], Mapping):
        raise InvalidRecord("record", "must be an object")
    record = check_record(given["record"])
    if not record.id:
        raise InvalidRecord("record", "has no id")
    return Version(
        record, check_line("change", given["change"]), check_date("changed_at", given["changed_at"])
    )


def date_to_text(date: datetime) -> str:
    """ISO 8601 in UTC; parts of a second only where there are any."""
    return date.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return date_to_text(value)
    return list(value) if isinstance(value, tuple) else value
