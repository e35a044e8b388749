"""Match: whether the stems of a record fulfil an expression, and which stems it asks for."""

from collections.abc import Collection, Iterator

from pinyon.model.query import FIELDS, AllOf, AnyOf, Expression, Near, Phrase, Without
from pinyon.text.bm25 import units

Row = tuple[str, list[str]]
"""A field and its stems, in order."""


def matches(expression: Expression, lines: str, searched: Collection[str]) -> bool:
    """Only the searched fields count. What asks for nothing matches nothing."""
    rows = [
        (field, line.split())
        for field, line in zip(FIELDS, lines.split("\n"), strict=True)
        if field in searched
    ]
    return _holds(expression, rows)


def _holds(expression: Expression, rows: list[Row]) -> bool:
    match expression:
        case Phrase():
            return any(_starts(expression, row) for row in rows)
        case Near():
            return any(_near(expression, row) for row in rows)
        case AnyOf(parts):
            return any(_holds(part, rows) for part in parts)
        case AllOf(parts):
            return bool(parts) and all(_holds(part, rows) for part in parts)
        case Without(keep, drop):
            return _holds(keep, rows) and not _holds(drop, rows)


def _starts(phrase: Phrase, row: Row) -> list[int]:
    """The positions at which the phrase begins in the row."""
    field, stems = row
    size = len(phrase.stems)
    if size == 0 or phrase.field not in ("", field):
        return []
    return [at for at in range(len(stems) - size + 1) if _stands(phrase, stems[at : at + size])]


def _stands(phrase: Phrase, stems: list[str]) -> bool:
    if not phrase.prefix:
        return tuple(stems) == phrase.stems
    return tuple(stems[:-1]) == phrase.stems[:-1] and stems[-1].startswith(phrase.stems[-1])


def _near(near: Near, row: Row) -> bool:
    """As FTS5's NEAR: from the end of each phrase to the beginning of the one that begins last are
    at most `distance` words, in whatever order they stand."""
    starts = [(len(phrase.stems), _starts(phrase, row)) for phrase in near.phrases]
    return any(
        all(
            any(last - size - near.distance <= at <= last for at in found) for size, found in starts
        )
        for last in {at for _, found in starts for at in found}
    )


Asked = tuple[str, str, bool]
"""A stem, or several that are counted together, the field that it must stand in, and whether it is
a prefix."""


def asked_terms(expression: Expression) -> dict[Asked, Phrase]:
    """What is counted of an expression, each with the phrase that gives it the highest weight. What
    must not stand there adds no score."""
    terms: dict[Asked, Phrase] = {}
    for term, phrase in _terms(expression):
        if term not in terms or terms[term].weight < phrase.weight:
            terms[term] = phrase
    return terms


def _terms(expression: Expression) -> Iterator[tuple[Asked, Phrase]]:
    match expression:
        case Phrase():
            counted = units(expression)
            for at, unit in enumerate(counted, start=1):
                prefix = expression.prefix and at == len(counted)
                yield (unit, expression.field, prefix), expression
        case Near(parts) | AnyOf(parts) | AllOf(parts):
            for part in parts:
                yield from _terms(part)
        case Without(keep, _):
            yield from _terms(keep)
