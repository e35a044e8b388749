"""Alike: hits that say nearly the same in nearly the same words are one."""

from collections.abc import Sequence

from pinyon.model.record import Record
from pinyon.search.present.hits import Standing
from pinyon.text.alike import disagreement, likeness
from pinyon.text.prepare import prepare
from pinyon.text.stems import stems

BEGINNING = 2_000
"""Characters of a body that are compared."""

Words = frozenset[str]


def without_alike(
    standing: Sequence[Standing], share: float, limit: int
) -> tuple[list[Standing], int]:
    """At least `limit` where there are so many, and how many gave way to a better one: those that
    share so much of their words with it, unless the two differ in a number or contradict each
    other: then both say something."""
    kept: list[tuple[Standing, Words]] = []
    count = 0
    for at, each in enumerate(standing):
        if len(kept) == limit:
            return [one for one, _ in kept] + list(standing[at:]), count
        words = _words(each.record)
        twin = next((n for n, one in enumerate(kept) if _alike(one, (each, words), share)), None)
        if twin is None:
            kept.append((each, words))
        else:
            better, known = kept[twin]
            more = (*better.more, each.record.id, *each.more)
            kept[twin] = (better._replace(more=more), known)
            count += 1
    return [one for one, _ in kept], count


def _words(record: Record) -> Words:
    return frozenset(stems(prepare(f"{record.title}\n{record.body[:BEGINNING]}")))


def _alike(one: tuple[Standing, Words], other: tuple[Standing, Words], share: float) -> bool:
    words, others = one[1], other[1]
    least, most = sorted((len(words), len(others)))
    if not least or least < share * most:  # they cannot share so much
        return False
    if likeness(words, others) < share or any(map(_numeric, words ^ others)):
        return False
    return not disagreement(one[0].record, other[0].record)


def _numeric(word: str) -> bool:
    return any(map(str.isdigit, word))
