"""Rows: records, edges and versions as the rows of the file, and back."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pinyon.model.record import Edge, Record, Version

RECORD_COLUMNS = (
    "id, kind, domain, severity, author, scope, importance, mentions, doc_type, memory_type,"
    " status, half_life, due, created_at, updated_at, valid_from, valid_until, deleted_at, version"
)
CONTENT_COLUMNS = "title, aliases, body, context, tags, source, first_line, last_line, extra"
EDGE_COLUMNS = "from_id, relation, to_id, strength, evidence, created_at"
VERSION_COLUMNS = "id, number, change, changed_at, record"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_decode = json.JSONDecoder().raw_decode  # what we wrote ourselves: half the time of loads
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def to_us(date: datetime | None) -> int | None:
    return None if date is None else (date - _EPOCH) // _MICROSECOND


def to_date(us: Any) -> datetime | None:
    return None if us is None else _EPOCH + timedelta(microseconds=us)


def to_moment(us: Any) -> datetime:
    return _EPOCH + timedelta(0, 0, us)


def to_list(values: Sequence[Any]) -> str:
    return _encode(values) if values else "[]"


def to_ids(ids: Sequence[str]) -> str:
    """For json_each: half a surrogate pair, which is no text, is escaped and matches nothing."""
    return json.dumps(ids)


def to_numbers(numbers: Iterable[int]) -> str:
    """For json_each."""
    return f"[{','.join(map(str, numbers))}]"


def from_list(text: Any) -> tuple[Any, ...]:
    return () if text == "[]" else tuple(_decode(text)[0])


def record_row(record: Record) -> tuple[Any, ...]:
    """The values of RECORD_COLUMNS."""
    return (
        record.id,
        record.kind,
        record.domain or None,
        record.severity or None,
        record.author or None,
        record.scope or None,
        record.importance,
        record.mentions,
        record.doc_type,
        record.memory_type,
        record.status,
        record.half_life,
        to_us(record.due),
        to_us(record.created_at),
        to_us(record.updated_at),
        to_us(record.valid_from),
        to_us(record.valid_until),
        to_us(record.deleted_at),
        record.version,
    )


def content_row(record: Record) -> tuple[Any, ...]:
    """The values of CONTENT_COLUMNS."""
    return (
        record.title,
        to_list(record.aliases),
        record.body,
        record.context,
        to_list(record.tags),
        record.source,
        *(record.lines or (None, None)),
        _encode(record.extra) if record.extra else "{}",
    )


def record_of(row: Sequence[Any]) -> Record:
    """From the values of RECORD_COLUMNS and CONTENT_COLUMNS."""
    return Record(
        id=row[0],
        kind=row[1],
        domain=row[2] or "",
        severity=row[3] or "",
        author=row[4] or "",
        scope=row[5] or "",
        importance=row[6],
        mentions=row[7],
        doc_type=row[8],
        memory_type=row[9],
        status=row[10],
        half_life=row[11],
        due=to_date(row[12]),
        created_at=to_date(row[13]),
        updated_at=to_date(row[14]),
        valid_from=to_date(row[15]),
        valid_until=to_date(row[16]),
        deleted_at=to_date(row[17]),
        version=row[18],
        title=row[19],
        aliases=from_list(row[20]),
        body=row[21],
        context=row[22],
        tags=from_list(row[23]),
        source=row[24],
        lines=None if row[25] is None else (row[25], row[26]),
        extra={} if row[27] == "{}" else json.loads(row[27]),
    )


def edge_row(edge: Edge) -> tuple[Any, ...]:
    """The values of EDGE_COLUMNS."""
    return (
        edge.from_id,
        edge.relation,
        edge.to_id,
        edge.strength,
        edge.evidence,
        to_us(edge.created_at),
    )


def edge_of(row: Sequence[Any]) -> Edge:
    """From the values of EDGE_COLUMNS."""
    return Edge(row[0], row[1], row[2], row[3], row[4], to_date(row[5]))


def version_row(version: Version) -> tuple[Any, ...]:
    """The values of VERSION_COLUMNS."""
    from pinyon.model.wire import record_to_json

    return (
        version.record.id,
        version.record.version,
        version.change,
        to_us(version.changed_at),
        _encode(record_to_json(version.record)),
    )


def version_of(row: Sequence[Any]) -> Version:
    """From the values of VERSION_COLUMNS. Raises ValueError for what nobody wrote like that."""
    from pinyon.model.check import check_record
    from pinyon.model.errors import InvalidRecord

    try:
        return Version(check_record(json.loads(row[4])), row[2], to_moment(row[3]))
    except InvalidRecord as error:  # nobody gave it now: the caller must not be blamed
        raise ValueError(str(error)) from error
