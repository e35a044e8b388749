"""Filters: whether a record is among those that are asked about."""

from datetime import datetime

from pinyon.model.query import Filters
from pinyon.model.record import Record


def passes(record: Record, filters: Filters) -> bool:
    """Dates are those of the record's making."""
    made = record.created_at
    return (
        (not filters.kinds or record.kind in filters.kinds)
        and record.kind not in filters.without
        and set(filters.tags) <= set(record.tags)
        and (not filters.domains or record.domain in filters.domains)
        and (not filters.severities or record.severity in filters.severities)
        and (not filters.authors or record.author in filters.authors)
        and (not filters.scopes or any(_inside(record.scope, each) for each in filters.scopes))
        and (filters.since is None or (made is not None and made >= filters.since))
        and (filters.until is None or (made is not None and made < filters.until))
        and (filters.at is None or _valid(record, filters.at))
    )


def _inside(scope: str, outer: str) -> bool:
    return f"{scope}/".startswith(f"{outer}/")


def _valid(record: Record, at: datetime) -> bool:
    begun = record.valid_from is None or record.valid_from <= at
    return begun and (record.valid_until is None or record.valid_until > at)
