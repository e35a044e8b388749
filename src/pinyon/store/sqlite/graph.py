"""Graph: the hops from some records, through placeholders, in one query."""

from typing import TYPE_CHECKING, Any

from pinyon.model.query import NAMES, Neighbours, Step
from pinyon.store.sqlite import rows

if TYPE_CHECKING:
    from pinyon.store.sqlite.view import SqliteView

_PLACEHOLDER = "edge.to_id >= '@' AND edge.to_id < 'A'"
_FOLLOWED = (
    "(?3 = 0 OR edge.relation NOT IN (SELECT value FROM json_each(?2)) OR ?3 >="
    " (SELECT count(*) FROM (SELECT 1 FROM edge AS other"
    " WHERE other.to_id = edge.to_id AND other.relation = edge.relation LIMIT ?3 + 1)))"
)
"""Whether an edge of a one-way relation ends where few others do; counts no further than that."""

# CROSS JOIN keeps the order of the tables: SQLite would rather begin with all records.
_FROM = "FROM asked CROSS JOIN edge"
_OUTWARD = f"{_FROM} ON edge.from_id = asked.id"
_PARTS = (
    # along an edge to a record
    f"SELECT edge.from_id, edge.to_id, edge.relation, 0, edge.strength {_OUTWARD}"
    f" WHERE {{wanted}} AND NOT ({_PLACEHOLDER}) AND {_FOLLOWED}",
    # along an edge to a placeholder, and on to what it stands for
    "SELECT edge.from_id, named.from_id, edge.relation, 0, edge.strength * named.strength"
    f" {_OUTWARD} CROSS JOIN edge AS named"
    f" ON named.to_id = edge.to_id AND named.relation = '{NAMES}'"
    f" WHERE {{wanted}} AND {_PLACEHOLDER} AND {_FOLLOWED}",
    # against an edge
    f"SELECT edge.to_id, edge.from_id, edge.relation, 1, edge.strength {_FROM}"
    " ON edge.to_id = asked.id WHERE {wanted} AND {back}",
    # to a placeholder that stands for the record, and against an edge from there
    "SELECT named.from_id, edge.from_id, edge.relation, 1, edge.strength * named.strength"
    " FROM asked CROSS JOIN edge AS named"
    f" ON named.from_id = asked.id AND named.relation = '{NAMES}'"
    f" CROSS JOIN edge ON edge.to_id = named.to_id WHERE {_PLACEHOLDER}"
    " AND {wanted} AND {back}",
)
SELDOM = ("supersedes",)
"""What every search asks for and few stores have: an index of its own says at once whether."""

_ANY = "SELECT 1 FROM edge WHERE relation = 'supersedes' LIMIT 1"
_BACK = "edge.relation NOT IN (SELECT value FROM json_each(?2))"
_WANTED = {
    False: f"edge.relation <> '{NAMES}'",
    True: f"edge.relation <> '{NAMES}' AND edge.relation IN (SELECT value FROM json_each(?4))",
}


_MADE = (
    "edge AS NOT MATERIALIZED (SELECT * FROM main.edge"
    " WHERE created_at IS NULL OR created_at <= ?{}),"
)
"""In the place of the table: its edges that were there at a moment."""


def neighbours(view: "SqliteView", question: Neighbours) -> list[Step]:
    """See the contract."""
    if question.relations == SELDOM and not view.rows(_ANY).fetchall():
        return []
    wanted = _WANTED[bool(question.relations)]
    steps = " UNION ALL ".join(part.format(wanted=wanted, back=_BACK) for part in _PARTS)
    ids, one_way = rows.to_ids(question.ids), rows.to_list(question.one_way)
    values: list[Any] = [ids, one_way, question.popular]
    if question.relations:
        values.append(rows.to_list(question.relations))
    made = ""
    if question.before is not None:
        values.append(rows.to_us(question.before))
        made = _MADE.format(len(values))
    found = view.rows(
        f"WITH {made} asked AS MATERIALIZED (SELECT id FROM record"
        " WHERE id IN (SELECT value FROM json_each(?1)) AND deleted_at IS NULL),"
        f" step (start, reached, relation, incoming, strength) AS ({steps})"
        " SELECT start, reached, relation, incoming, max(strength)"
        " FROM step CROSS JOIN record ON record.id = reached AND deleted_at IS NULL"
        " WHERE start <> reached GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4",
        values,
    )
    return [
        Step(start, end, relation, bool(incoming), strength)
        for start, end, relation, incoming, strength in found
    ]
