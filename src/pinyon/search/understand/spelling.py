"""Spelling: words that no record holds are read as words of the index that are spelt nearly alike.

Only plain words are looked at: no names of code, no abbreviations, nothing with digits, nothing in
quotes. A question with operators means what it says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from pinyon.model.query import AnyOf, Change, Phrase, Query
from pinyon.store.questions import Vocabulary
from pinyon.text.stems import stems

if TYPE_CHECKING:
    from pinyon.search.understand.guess import Guess
    from pinyon.store.contract import View

SHORTEST, LONGEST = 4, 40
"""Letters of a word that is looked at: in a shorter one every letter counts, and a longer one is
no word."""

MOST_WORDS = 8
"""Unknown words of one question that are looked at."""

OTHERS = 4
"""How many known words of the question the guesses are to suit: the rarest."""

BEFORE = frozenset({"re", "un", "de", "non", "pre", "sub", "dis", "mis", "over", "multi"})
"""What stands before a word that there is and makes another one."""

LEAST_FIRST, LEAST_SECOND = 3, 4
"""Letters of the two words that one word may be made of."""

AS_TYPED = 0.1
"""The weight of a word as it was typed, beside what it is read as."""


def respelt(view: "View", query: Query) -> Query:
    """The same question; what its unknown words are read as stands in their place in `plain`, what
    was typed behind it with less weight, and both in `changes`."""
    if query.asked is not None or query.plain is None:
        return query
    terms = [part for part in query.plain.parts if isinstance(part, Phrase)]
    held = view.survey(Vocabulary(tuple(term.stems[0] for term in terms)))
    unknown = [term for term in terms if not held[term.stems[0]] and _likely(term)]
    if unknown:
        unknown = _not_made_of_others(view, unknown)
    if not unknown:
        return query
    # Imported here: most questions are spelt right, and need none of it.
    from pinyon.search.understand.guess import guess

    names = _plain_words(query.text)
    known = [term for term in terms if held[term.stems[0]]]
    rarest = sorted(known, key=lambda term: (held[term.stems[0]], term.text))[:OTHERS]
    rest = AnyOf(tuple(rarest)) if rarest else None
    meant = {
        term: guess(view, term.text, rest, name=names[term.text])
        for term in [term for term in unknown if term.text in names][:MOST_WORDS]
    }
    return _changed(query, terms, {term: one for term, one in meant.items() if one})


def _likely(term: Phrase) -> bool:
    return SHORTEST <= len(term.text) <= LONGEST and term.text.isalpha() and len(term.stems) == 1


def _not_made_of_others(view: "View", unknown: Sequence[Phrase]) -> list[Phrase]:
    """Without those that are right, only new: "foreach", "nonetype", "reimport"."""
    halves = {term: list(_halves(term.text.lower())) for term in unknown}
    words = {word for pairs in halves.values() for pair in pairs for word in pair} - BEFORE
    stem_of = {word: "".join(stems(word)) for word in words}
    held = view.survey(Vocabulary(tuple(sorted(set(stem_of.values())))))
    known = BEFORE | {word for word, stem in stem_of.items() if held[stem]}
    return [
        term
        for term in unknown
        if not any(first in known and second in known for first, second in halves[term])
    ]


def _halves(word: str) -> Iterator[tuple[str, str]]:
    for at in range(2, len(word) - LEAST_SECOND + 1):
        if at >= LEAST_FIRST or word[:at] in BEFORE:
            yield word[:at], word[at:]


def _plain_words(text: str) -> dict[str, bool]:
    """The plain words as they are typed, and whether each looks like a name: with a capital, but
    not the first."""
    plain: dict[str, bool] = {}
    for number, piece in enumerate(_quoted().sub(" ", text).split()):
        for word in _words_of(piece):
            if word[1:] == word[1:].lower():
                plain.setdefault(word, number > 0 and word[0].isupper())
    return plain


def _words_of(piece: str) -> Iterator[str]:
    """Of "floating-point?" there are two; "floating.point", "sha-1a2b", "a/b" and "chomp()" are
    names."""
    parts = [part for part in _around().sub("", piece).split("-") if part]
    if _called().search(piece):
        return
    if all(part.isalpha() or part.isdecimal() for part in parts):
        yield from filter(str.isalpha, parts)


def _changed(query: Query, terms: Sequence[Phrase], meant: "Mapping[Phrase, Guess]") -> Query:
    if not meant:
        return query
    asked: dict[tuple[str, ...], Phrase] = {}
    for term in terms:
        one = meant.get(term)
        if one is None:
            asked.setdefault(term.stems, term)
        elif not one.empty:
            asked.setdefault((one.stem,), Phrase(one.form, (one.stem,)))
    typed = [replace(term, weight=AS_TYPED) for term in meant]
    changes = [Change(term.text, one.form, "spelling") for term, one in meant.items()]
    return query._replace(
        plain=AnyOf((*asked.values(), *typed)), changes=(*query.changes, *changes)
    )


@cache
def _quoted() -> re.Pattern[str]:
    return re.compile(r'"[^"]*"|“[^“”]*”|`[^`]*`')


@cache
def _called() -> re.Pattern[str]:
    """A name of code: "chomp()"."""
    return re.compile(r"\w\(")


@cache
def _around() -> re.Pattern[str]:
    """Marks before and behind a word, and a genitive."""
    return re.compile(r"^[^\w]+|['’][^\W\d_]{1,2}[^\w]*$|(?<=\w)[^\w]*$")
