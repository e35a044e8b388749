"""Pressing: what matters without a question: important records, and tasks that are not done.

Both look at every row of `record`, which holds no text: some ten milliseconds a hundred thousand.
"""

from typing import TYPE_CHECKING, Any

from pinyon.model.query import STEP, TASK, UNDATED, Important, Match, Open, RankedList
from pinyon.store.sqlite.filters import condition

if TYPE_CHECKING:
    from pinyon.store.sqlite.view import SqliteView


def important(view: "SqliteView", request: Important) -> RankedList:
    return _listed(view, request, "important", _URGENCY, "importance >= ?", [request.least])


def tasks(view: "SqliteView", request: Open) -> RankedList:
    done = ", ".join("?" * len(request.done))
    values = [TASK, *request.done]
    return _listed(view, request, "open", _DUE, f"kind = ? AND status NOT IN ({done})", values)


_URGENCY = f"importance * {STEP} + updated_at / 1e6"
_DUE = f"CASE WHEN due IS NULL THEN {UNDATED} + updated_at / 1e6 ELSE -(due / 1e6) END"


def _listed(
    view: "SqliteView",
    request: Important | Open,
    channel: str,
    score: str,
    wanted: str,
    values: list[Any],
) -> RankedList:
    where, more = condition(view.timely(request.filters))
    found = view.rows(
        f"SELECT id, {score} AS score FROM record"
        f" WHERE deleted_at IS NULL AND {wanted} {where and 'AND'} {where}"
        " ORDER BY score DESC, id LIMIT ?",
        (*values, *more, request.limit),
    )
    return RankedList(channel, tuple(Match(id, score, 0.0) for id, score in found))
