"""Substring: the last resort, a scan over the stored text, letter by letter, for a moment only."""

import time
from collections.abc import Callable, Iterator
from heapq import nsmallest
from typing import Any, NamedTuple

import apsw

from pinyon.model.query import Match, Substring
from pinyon.store.sqlite.filters import condition

MOST_S = 0.3
"""How long it looks: from the newest records back, and what it has by then is the answer."""

CUT = f"searched letter by letter for {MOST_S:g} s only: older records may be missing"
"""For the reader of the answer."""

STEPS = 1_000
"""Steps of SQLite between two looks at the clock: some records, each with one long text at most."""

_HOLDS = "pinyon_holds({0}, ?)"
_HOLDS_ASCII = "{0} LIKE ? ESCAPE char(92)"
_COLUMNS = {
    "id": "id",
    "title": "title",
    "body": "body",
    "context": "context",
    "path": "source",
}
_LISTS = ("aliases", "tags")


class Scan(NamedTuple):
    """What was found, and whether time ran out before the end."""

    matches: tuple[Match, ...]
    cut: bool


def scan(
    db: apsw.Connection, request: Substring, *, timer: Callable[[], float] = time.monotonic
) -> Scan:
    """The best of the records that hold the words, as far as they were reached in MOST_S."""
    late: list[apsw.InterruptError] = []
    until = timer() + MOST_S
    db.set_progress_handler(lambda: timer() > until, STEPS)
    try:
        best = nsmallest(
            request.limit, _found(db, request, late), key=lambda one: (-one[1], one[0])
        )
    finally:
        db.set_progress_handler(None)
    return Scan(tuple(Match(id, score, 1.0) for id, score in best), bool(late))


def _found(
    db: apsw.Connection, request: Substring, late: list[apsw.InterruptError]
) -> Iterator[tuple[str, float]]:
    statement, values = _query(request)
    try:
        yield from db.execute(statement, values)
    except apsw.InterruptError as error:  # what was found before it stays
        late.append(error)


def _query(request: Substring) -> tuple[str, list[Any]]:
    """The statement that answers the request, and its values."""
    conditions, values = ["deleted_at IS NULL"], []
    for word in request.words:
        held = [_held(name, word) for name in request.fields]
        conditions.append(f"({' OR '.join(text for text, _ in held)})")
        values += [value for _, value in held]
    narrowed, filter_values = condition(request.filters)
    if narrowed:
        conditions.append(narrowed)
        values += filter_values
    scores, score_values = [], []
    for name, weight in request.fields.items():
        held = [_held(name, word) for word in request.words]
        scores.append(f"{float(weight)} * ({' OR '.join(text for text, _ in held)})")
        score_values += [value for _, value in held]
    statement = (
        f"SELECT id, {' + '.join(scores)} AS score FROM record JOIN content USING (row)"
        f" WHERE {' AND '.join(conditions)} ORDER BY record.row DESC"
    )
    return statement, [*score_values, *values]


def holds(*given: Any) -> bool:
    """An SQL function, for words that LIKE cannot fold: it knows the case of ASCII alone."""
    text, folded = given
    return folded in text.casefold()


def _held(field: str, word: str) -> tuple[str, str]:
    test, value = _HOLDS, word.casefold()
    if word.isascii():
        escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        test, value = _HOLDS_ASCII, f"%{escaped}%"
    if field in _LISTS:
        each = f"SELECT 1 FROM json_each({field}) WHERE {test.format('value')}"
        return f"({field} <> '[]' AND EXISTS ({each}))", value
    return test.format(_COLUMNS[field]), value
