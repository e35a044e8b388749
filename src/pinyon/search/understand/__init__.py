"""Understand: a string in, a query out: every way in which it can be asked of the store.

text -> route, operators, words -> spelling -> acronyms -> wish -> time
"""

import re
from datetime import datetime
from typing import TYPE_CHECKING

from pinyon.model.profile import UnderstandSection
from pinyon.model.query import AnyOf, Phrase, Query
from pinyon.search.understand.operators import parse
from pinyon.search.understand.routes import route_of
from pinyon.text.prepare import prepare
from pinyon.text.stems import words
from pinyon.text.stop_lists import stop_list

if TYPE_CHECKING:
    from pinyon.store.contract import View

LONGEST = 10_000
"""The characters of a question that are read; a longer one is not a question."""

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def understand(view: "View", text: str, how: UnderstandSection, now: datetime) -> Query:
    """Any string is a question. What is found out about it beyond its words is imported where it
    is asked for: a search by plain words pays for nothing else."""
    clean = _UNPRINTABLE.sub(" ", text[:LONGEST]).strip()
    asked = parse(clean) if how.operators else None
    terms = _terms(clean, how)
    query = Query(
        text=clean,
        asked=asked,
        plain=AnyOf(terms) if terms else None,
        pieces=tuple(dict.fromkeys(clean.split()))[: how.terms],
        cut=len(text) > LONGEST,
        route=route_of(clean, asked),
    )
    if how.fix and terms:
        from pinyon.search.understand.spelling import respelt

        query = respelt(view, query)
    if how.expand and terms:
        from pinyon.search.understand.acronyms import unfolded

        query = unfolded(view, query)
    if how.intents or how.intent:
        from pinyon.search.understand.intents import intents_of

        query = query._replace(intents=intents_of(query, how.intent))
    if how.time != "off":
        from pinyon.search.understand.times import period_of

        query = query._replace(period=period_of(clean, now))
    return query


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
