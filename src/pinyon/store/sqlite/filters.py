"""Filters: what narrows a request, as a condition on the rows of `record`."""

from datetime import datetime
from typing import Any

from pinyon.model.query import Filters
from pinyon.store.sqlite.rows import to_us

_ANY_OF = (
    ("kind", "kinds"),
    ("domain", "domains"),
    ("severity", "severities"),
    ("author", "authors"),
)


def condition(filters: Filters) -> tuple[str, list[Any]]:
    """A condition over the columns of `record`, with its values; empty without any filter."""
    parts: list[str] = []
    values: list[Any] = []
    for column, name in _ANY_OF:
        allowed = getattr(filters, name)
        if allowed:
            parts.append(f"{column} IN ({', '.join('?' * len(allowed))})")
            values += allowed
    if filters.without:
        parts.append(f"kind NOT IN ({', '.join('?' * len(filters.without))})")
        values += filters.without
    for tag in filters.tags:
        parts.append("row IN (SELECT row FROM tag WHERE name = ?)")
        values.append(tag)
    if filters.scopes:
        # "0" follows "/": everything that begins with the scope and a slash lies between the two.
        inside = "scope = ? OR (scope >= ? AND scope < ?)"
        parts.append(f"({' OR '.join([inside] * len(filters.scopes))})")
        values += [part for each in filters.scopes for part in (each, f"{each}/", f"{each}0")]
    if filters.since:
        parts.append("created_at >= ?")
        values.append(to_us(filters.since))
    if filters.until:
        parts.append("created_at < ?")
        values.append(to_us(filters.until))
    if filters.at:
        parts.append(f"row NOT IN ({OUTDATED})")
        values += outdated_values(filters.at)
    return " AND ".join(parts), values


OUTDATED = (
    "SELECT row FROM record WHERE valid_from > ?"
    " UNION ALL SELECT row FROM record WHERE valid_until <= ?"
)
"""What is not valid at a moment, not yet or no longer: by two small indexes, without a look at the
records that are valid for ever."""


def outdated_values(at: datetime) -> list[Any]:
    """The values of OUTDATED."""
    return [to_us(at)] * 2
