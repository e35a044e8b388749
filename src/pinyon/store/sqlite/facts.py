"""Facts: what ranking needs of some records, by one statement."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pinyon.model.facts import NONE, Facts
from pinyon.store.sqlite import rows
from pinyon.text.fields import places, sum_terms

if TYPE_CHECKING:
    from pinyon.store.sqlite.view import SqliteView

_COLUMNS = (
    "record.id, kind, tags, domain, severity, importance, mentions, doc_type, memory_type,"
    " author, scope, created_at, updated_at, valid_from, valid_until, half_life, strength,"
    " used_at, count"
)
_TABLES = "record JOIN content USING (row) LEFT JOIN use USING (row)"
_WHERE = "record.id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL"

# The same records are found again and again, and few have tags or dates that no other has.
_tags = lru_cache(maxsize=8_192)(rows.from_list)
_moment = lru_cache(maxsize=8_192)(rows.to_moment)


def facts(view: "SqliteView", ids: Sequence[str], terms: Sequence[str]) -> dict[str, Facts]:
    """See the contract. Every search pays for it, so it calls little, and nothing for what most
    records do not have."""
    lines, tables = (", lines", f"{_TABLES} JOIN stems USING (row)") if terms else ("", _TABLES)
    found = view.rows(f"SELECT {_COLUMNS}{lines} FROM {tables} WHERE {_WHERE}", (rows.to_ids(ids),))
    counted = places(terms)
    return {
        row[0]: Facts(
            row[0],
            row[1],
            () if row[2] == "[]" else _tags(row[2]),
            row[3] or "",
            row[4] or "",
            row[5],
            row[6],
            row[7],
            row[8],
            row[9] or "",
            row[10] or "",
            _moment(row[11]),
            _moment(row[12]),
            None if row[13] is None else _moment(row[13]),
            None if row[14] is None else _moment(row[14]),
            row[15],
            1.0 if row[16] is None else row[16],
            None if row[17] is None else _moment(row[17]),
            row[18] or 0,
            sum_terms(row[19], counted) if counted else NONE,
        )
        for row in found
    }
