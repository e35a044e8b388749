"""Lexical: an expression as an FTS5 query, and the cheapest plan that answers it.

FTS5 selects, by its own BM25; the selected records are then scored again from their stored stems
with the request's constants (see the contract). For a plain question the plan asks only for
records that hold one of its *essential* terms, the rare ones: a record without any of them does
not reach the first ranks, and the long posting lists of common words are then only looked up, not
walked. How many terms are essential depends on how much of the question's information they hold;
docs/why/speed.md has the measurements.
"""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from pinyon.model.query import FIELDS, AllOf, AnyOf, Expression, Lexical, Near, Phrase, Without
from pinyon.text.bm25 import idf, units

SMALLEST = 5_000
"""Below this number of documents the plain query is as fast as any plan."""

ENOUGH = 200
"""The essential terms must bring at least this many records, after the filters, or twice as many as
are asked for."""

WORTHWHILE = 0.5
"""The plan walks its essential terms twice: they must hold at most this share of all postings."""

LEFT = 0.4
"""The most of the question's information (its sum of idf) that may lie in terms that are not
essential: what holds only those can then hardly reach the first ranks."""

SELECT, SELECT_BESIDE, SELECT_OTHERWISE = 20, 60, 100
"""At least so many records are scored again: for plain words with FTS5's own constants, whose order
differs from ours only by the "+ 1" inside the idf; for such words with others beside them that
count less, or with a b that follows from the store; and for everything else. Where several stores
are asked together, each brings so many, and few of them are needed."""


def match_text(expression: Expression, fields: Mapping[str, float]) -> str:
    """The expression in FTS5's language, limited to the searched fields."""
    text = _text(expression)
    if len(fields) == len(FIELDS):
        return text
    return f"{{{' '.join(name for name in FIELDS if name in fields)}}} : ({text})"


def rank_call(fields: Mapping[str, float]) -> str:
    """FTS5's bm25() with the weight of each column."""
    weights = ", ".join(str(float(fields.get(name, 0))) for name in FIELDS)
    return f"bm25(fulltext, {weights})"


def select(request: Lexical) -> int:
    """How many records to score again for the list that is asked for."""
    if (request.k1, request.b) != (1.2, 0.75) or not _worded(request.expression):
        return max(request.limit, SELECT_OTHERWISE)
    alike = _plain(request.expression) and not request.half
    return max(request.limit, SELECT if alike else SELECT_BESIDE)


def essential(
    expression: Expression,
    df: Mapping[str, int],
    documents: int,
    passing: float,
    limit: int,
    share: float = 1.0,
) -> tuple[Expression, int]:
    """An expression that selects the same best records for less, where there is one, and the most
    records that FTS5 must look at to answer it.

    `passing` is the share of the documents that the filters let through; `share` that of this store
    in all that are asked together: it must bring only its part of the records.
    """
    if not _worded(expression):
        return expression, documents
    parts = [part for part in expression.parts if isinstance(part, Phrase)]
    terms = sorted(
        (part for part in parts if len(part.stems) == 1),
        key=lambda term: (df[term.stems[0]], term.text),
    )
    # Words side by side, which an acronym may stand for, are rare whatever their single words are.
    longer = [part for part in parts if len(part.stems) > 1]
    walked = sum(df[unit] for part in parts for unit in units(part))
    information = [idf(documents, df[term.stems[0]]) * term.weight for term in terms]
    left, most_left = sum(information), LEFT * sum(information)
    enough = max(ENOUGH, 2 * limit) * share
    rare: list[Phrase] = []
    reached = 0
    for term, inside in zip(terms, information, strict=True):
        if reached * passing >= enough and left <= most_left:
            break
        rare.append(term)
        reached += df[term.stems[0]]
        left -= inside
    common = terms[len(rare) :]
    rare += longer
    reached += sum(min(df[unit] for unit in units(part)) for part in longer)
    if documents < SMALLEST or not common or reached > WORTHWHILE * walked:
        return expression, walked
    # Each rare term stands twice in the whole, so each common one must too, or bm25() would weigh
    # them differently.
    return AllOf((AnyOf(tuple(rare)), AnyOf((*rare, *common, *common)))), reached


def _plain(expression: Expression) -> bool:
    """Single words, any of them."""
    return _worded(expression) and all(
        isinstance(part, Phrase) and len(part.stems) == 1 for part in expression.parts
    )


def _worded(expression: Expression) -> TypeGuard[AnyOf]:
    """Single words, or several side by side, any of them."""
    return isinstance(expression, AnyOf) and all(
        isinstance(part, Phrase) and part.stems and not part.prefix and not part.field
        for part in expression.parts
    )


def _text(expression: Expression) -> str:
    match expression:
        case Phrase():
            return _phrase(expression)
        case Near(phrases, distance):
            return f"NEAR({' '.join(_phrase(phrase) for phrase in phrases)}, {distance})"
        case AnyOf(parts):
            return _joined(" OR ", parts)
        case AllOf(parts):
            return _joined(" AND ", parts)
        case Without(keep, drop):
            return f"(({_text(keep)}) NOT ({_text(drop)}))"


def _joined(operator: str, parts: Sequence[Expression]) -> str:
    return f"({operator.join(_text(part) for part in parts)})"


def _phrase(phrase: Phrase) -> str:
    quoted = '"' + phrase.text.replace('"', " ") + '"'
    return f"{phrase.field + ' : ' if phrase.field else ''}{quoted}{' *' if phrase.prefix else ''}"
