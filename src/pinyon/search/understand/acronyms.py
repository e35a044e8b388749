"""Acronyms: what an acronym stands for is asked as well, and the acronym of what is spelt out.

What stands for what say, in this order: the settings of the store (`acronyms.RRF`), its records
themselves ("reciprocal rank fusion (RRF)"), and acronyms.toml. Only what the store holds is added,
and never so that it counts more than what was typed.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.query import AnyOf, Change, Counted, Lexical, Phrase, Query, phrases
from pinyon.search.understand.definitions import initials
from pinyon.search.understand.known_acronyms import Acronyms, own, shipped, small_words
from pinyon.search.understand.learnt_acronyms import (
    FIELDS,
    Run,
    acronyms_in,
    expansions_in,
    side_by_side,
    whole,
)
from pinyon.store.questions import CountedFor, Vocabulary
from pinyon.text.bm25 import idf
from pinyon.text.stop_lists import stop_list

if TYPE_CHECKING:
    from pinyon.store.contract import View

WEIGHT = 0.9
"""Of all that is added for an acronym, against what was typed."""

WORDS = 32
"""Of a question that are looked at."""

SHORTEST, LONGEST = 2, 6
"""Letters of an acronym that the records are asked for, and words that one may stand for."""


class _Reading(NamedTuple):
    """What was `written`, with the stems `typed`, may be `read` so: then `added` is asked for. With
    `seen` a record holds it."""

    written: str
    read: str
    typed: tuple[str, ...]
    added: Phrase
    seen: bool


def unfolded(view: "View", query: Query) -> Query:
    """The question with what its acronyms stand for beside its plain words, and the acronyms of
    what it spells out. Quoted text, operators and identifiers are taken at their word."""
    if query.plain is None or query.asked is not None:
        return query
    words = [_plain_word(piece) for piece in query.text.split()[:WORDS]]
    mine = own(view.settings())
    asked = {stem for phrase in phrases(query.plain) for stem in phrase.stems}
    readings = [
        reading
        for reading in (*_expansions(view, words, mine), *_acronyms(view, words, mine))
        if asked.issuperset(reading.typed)
        and not asked.issuperset(reading.added.stems)
        and not set(reading.typed) & set(reading.added.stems)
    ]
    first = {one.added.stems: one for one in reversed(readings)}
    new = _held(view, [one for one in readings if first[one.added.stems] is one])
    if not new:
        return query
    counted = view.survey(CountedFor(AnyOf((*query.plain.parts, *(one.added for one in new)))))
    return query._replace(
        plain=AnyOf((*query.plain.parts, *(_weighed(one, counted) for one in new))),
        changes=(*query.changes, *(Change(one.written, one.read, "acronym") for one in new)),
    )


def _plain_word(piece: str) -> str:
    """The word without the signs around it; empty for what is no plain word, as an identifier, a
    path or something quoted. One hyphen makes no identifier."""
    word = piece.lstrip("([{").rstrip(")]},;:!?.")
    for ending in ("'s", "’s"):
        word = word.removesuffix(ending)
    return word if word.replace("-", "", 1).isalnum() else ""


def _expansions(view: "View", words: Sequence[str], mine: Acronyms) -> Iterator[_Reading]:
    """Of the acronyms among the words."""
    once = dict.fromkeys(filter(None, words))
    # Where everything is in capitals they say nothing.
    shouted = len(once) > LONGEST and all(word.isupper() for word in once)
    capitals = [
        _singular(word)
        for word in once
        if not shouted and _looks_short(word) and _singular(word).lower() not in mine.expansions
    ]
    learnt = expansions_in(view, capitals) if capitals else {}
    for word in once:
        short = _singular(word)
        expansion = mine.expansions.get(short.lower())
        if expansion is None:
            expansion = learnt.get(short) or shipped().expansions.get(short.lower())
        if expansion:
            added = side_by_side(expansion)
            yield _Reading(word, expansion, whole(short).stems, added, short in learnt)


def _looks_short(word: str) -> bool:
    """RRF, RRFs, BM25: capitals, perhaps with digits."""
    short = _singular(word)
    return SHORTEST <= len(short) <= LONGEST and short.isupper() and short.isalnum()


def _singular(word: str) -> str:
    """RRFs is the plural of RRF, but rrfs is a word like any other."""
    return word[:-1] if word[-1:] == "s" and word[:-1].isupper() else word


def _acronyms(view: "View", words: Sequence[str], mine: Acronyms) -> Iterator[_Reading]:
    """Of the runs of words that one may stand for."""
    unknown: list[Run] = []
    for run in _runs(words):
        key = initials(run)
        keys = (*mine.by_initials.get(key, ()), *shipped().by_initials.get(key, ()))
        spelt = side_by_side(" ".join(run)).stems if keys else ()
        for known in keys:
            expansion = mine.expansions.get(known, shipped().expansions.get(known, ""))
            if expansion and side_by_side(expansion).stems == spelt:
                yield _acronym(run, known.upper() if known.isalpha() else known)
                break
        else:
            if len(run) > 1:
                unknown.append(run)
    for run, acronym in acronyms_in(view, unknown).items() if unknown else ():
        if mine.expansions.get(acronym.lower()) is None:
            yield _acronym(run, acronym)


def _acronym(run: Run, acronym: str) -> _Reading:
    telling = " ".join(word for word in run if word not in small_words())
    return _Reading(" ".join(run), acronym, side_by_side(telling).stems, whole(acronym), seen=True)


def _runs(words: Sequence[str]) -> Iterator[Run]:
    """Words in a row, short runs first. Each begins and ends with a word that says something, and
    has no more than small words between."""
    silent = stop_list("prose") | small_words()
    stop = silent - small_words()
    # A hyphen joins two words of a run: retrieval-augmented generation.
    parts = [part.lower() for word in words for part in (word.split("-") if word else [""])]
    saying = [len(part) > 1 and part not in silent for part in parts]
    for size in range(1, LONGEST + 1):
        for start in range(len(parts) - size + 1):
            run = tuple(parts[start : start + size])
            if saying[start] and saying[start + size - 1] and all(run) and stop.isdisjoint(run):
                yield run


def _held(view: "View", readings: Sequence[_Reading]) -> list[_Reading]:
    """Those that the store can answer: words that stand nowhere side by side would only bring what
    holds one of them, and stop words everything."""
    if not readings:
        return []
    df = view.survey(Vocabulary(tuple({stem for one in readings for stem in one.added.stems})))
    stop = stop_list("prose")
    held = [
        one
        for one in readings
        if all(df[stem] for stem in one.added.stems) and not stop.issuperset(one.added.text.split())
    ]
    unseen = [one for one in held if not one.seen and len(one.added.stems) > 1]
    lists = view.retrieve([Lexical(one.added, FIELDS, limit=1) for one in unseen])
    missing = [one for one, found in zip(unseen, lists, strict=True) if not found.matches]
    return [one for one in held if one not in missing]


def _weighed(reading: _Reading, counted: Counted) -> Phrase:
    """What is added, with a weight by which it says a little less than what was typed."""
    phrase, (documents, _, df) = reading.added, counted
    typed = math.fsum(idf(documents, df[stem, False]) for stem in reading.typed)
    added = idf(documents, min(df[stem, False] for stem in phrase.stems))
    weight = WEIGHT * min(typed / added, 1.0)
    return Phrase(phrase.text, phrase.stems, weight=weight, instead=reading.typed)
