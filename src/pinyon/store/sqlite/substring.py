"""Substring: the last resort, a scan over the stored text, letter by letter."""

from typing import Any

from pinyon.model.query import Substring
from pinyon.store.sqlite.filters import condition

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


def query(request: Substring) -> tuple[str, list[Any]]:
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
        f" WHERE {' AND '.join(conditions)} ORDER BY score DESC, id LIMIT ?"
    )
    return statement, [*score_values, *values, request.limit]


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
