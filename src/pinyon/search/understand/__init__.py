"""Understand: a string in, a query out: every way in which it can be asked of the store."""

import re

from pinyon.model.profile import UnderstandSection
from pinyon.model.query import AnyOf, Phrase, Query
from pinyon.search.understand.operators import parse
from pinyon.text.prepare import prepare
from pinyon.text.stems import words
from pinyon.text.stop_lists import stop_list

LONGEST = 10_000
"""The characters of a question that are read; a longer one is not a question."""

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def understand(text: str, how: UnderstandSection) -> Query:
    """Any string is a question."""
    clean = _UNPRINTABLE.sub(" ", text[:LONGEST]).strip()
    terms = _terms(clean, how)
    return Query(
        text=clean,
        asked=parse(clean) if how.operators else None,
        plain=AnyOf(terms) if terms else None,
        pieces=tuple(dict.fromkeys(clean.split()))[: how.terms],
        cut=len(text) > LONGEST,
    )


def _terms(text: str, how: UnderstandSection) -> tuple[Phrase, ...]:
    """Each stem once. A question of nothing but stop words and single letters keeps them."""
    found = words(prepare(text))
    stop = stop_list(how.stop)
    kept = [
        (word, stem)
        for word, stem in found
        if len(word) >= how.shortest and word.lower() not in stop
    ]
    terms: dict[str, Phrase] = {}
    for word, stem in kept or found:
        terms.setdefault(stem, Phrase(word, (stem,)))
    return tuple(terms.values())[: how.terms]
