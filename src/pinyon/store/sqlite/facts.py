"""Facts: what ranking needs of some records."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pinyon.model.facts import NONE, Facts
from pinyon.store.sqlite import rows
from pinyon.text.fields import count_stems, needles, places

if TYPE_CHECKING:
    from pinyon.store.sqlite.view import SqliteView

# As the fields of Facts are, in their final form: every search pays for what is done to a row.
_COLUMNS = (
    "record.id, kind, ifnull(domain, ''), ifnull(severity, ''), importance, mentions, doc_type,"
    " memory_type, ifnull(author, ''), ifnull(scope, ''), created_at, updated_at, valid_from,"
    " valid_until, half_life, ifnull(strength, 1.0), used_at, ifnull(count, 0)"
)
_ASKED = "json_each(?) CROSS JOIN record ON record.id = value"
_FACTS = f"SELECT {_COLUMNS} FROM {_ASKED} LEFT JOIN use USING (row) WHERE deleted_at IS NULL"
_LINES = f"SELECT record.id, lines FROM {_ASKED} CROSS JOIN stems USING (row)"
_TAGS = f"SELECT record.id, name FROM {_ASKED} CROSS JOIN tag USING (row) ORDER BY name"


def facts(
    view: "SqliteView", ids: Sequence[str], stems: Sequence[str], fields: Sequence[str]
) -> dict[str, Facts]:
    """See the contract."""
    asked = (rows.to_ids(ids),)
    tags: dict[str, tuple[str, ...]] = {}
    for id, name in view.rows(_TAGS, asked):
        tags[id] = (*tags.get(id, ()), name)
    terms = {}
    if stems and fields:
        counted, within = needles(stems), places(fields)
        terms = {id: count_stems(lines, counted, within) for id, lines in view.rows(_LINES, asked)}
    return {
        row[0]: Facts._make((*row, tags.get(row[0], ()), terms.get(row[0], NONE), "", 1.0))
        for row in view.rows(_FACTS, asked)
    }
