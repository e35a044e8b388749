"""Guess: an unknown word and the rest of its question in, the word out that was meant, if any.

A wrong guess is worse than none. A candidate must be one or two letters away and be written so in
some record. Of several, those that have all the right letters are taken before others; then one
must suit the rest of the question clearly better, or be far more usual, or nothing is guessed.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.query import FIELDS, AllOf, Expression, Lexical, Phrase
from pinyon.search.understand.near import Near, alike, near
from pinyon.store.questions import Beginning, Vocabulary, Written
from pinyon.text.stems import stems
from pinyon.text.stop_lists import stop_list
from pinyon.text.written import folded

if TYPE_CHECKING:
    from pinyon.store.contract import View

MIDDLING, LONG = 6, 7
"""Letters from which on one may be another, and from which on two may be wrong. Shorter words are
too near to each other: "stop" is not "step"."""

COMPARED = 5
"""How many candidates are looked at closely, the most usual first."""

SUITS, USUAL, RARE = 0.15, 5, 25
"""By how much the best candidate must suit the question better than the next one, as a share of its
information, or how many times as many records must hold it. One that is so many times rarer than
another is not looked at."""

STOP = "prose"
"""The list of words that carry nothing in a question."""

MANY = 1_000_000
"""As usual as such a word is taken to be."""

LIGHT = 0.01
"""A weight so low that the share of a match is that of the other words."""

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
EVERYWHERE = dict.fromkeys(FIELDS, 1.0)


class Guess(NamedTuple):
    """What was meant, as it is written in some record, its stem, and how many records hold it."""

    form: str
    stem: str
    records: int

    @property
    def empty(self) -> bool:
        """Whether it carries nothing in a question, as "which"."""
        return self.records == MANY


def guess(view: "View", typed: str, rest: Expression | None, *, name: bool) -> Guess | None:
    """`rest` are other words of the question that some record holds. A `name` that none holds is
    hardly a slip: it must be nearer than other words."""
    word = folded(typed.lower())
    most = (2 if len(word) >= LONG else 1) - name
    known = view.survey(Beginning(word[0])) if most else {}
    for slips, find in enumerate(_WAYS[:most], 1):
        if written := _written(view, word, find(view, word, known)):
            return _best(view, written, rest, sure=slips == 1)
    return None


_Counts = dict[Near, int]
"""Candidates, each with about how many records hold it."""


def _one_slip(view: "View", word: str, known: Mapping[str, int]) -> _Counts:
    """One letter is wrong; the first one only where no other is."""
    stop = [one for one in stop_list(STOP) if one[0] in word[:2] and len(one) > 2]
    counts = {one: known[one.stem] for one in near(word, known, 1) if one.form not in stop}
    for one in alike(word, stop, 1):
        # A shorter one was hardly meant: "note" is not "not".
        if len(one.form) >= len(word) or _right_letters(word, one.form):
            counts[one] = MANY
    allowed = {one: count for one, count in counts.items() if not _other_word(word, one.form)}
    return allowed or _begun_wrong(view, word)


def _begun_wrong(view: "View", word: str) -> _Counts:
    """The first two letters in the wrong order; in a longer word, the first one missing or too
    many. All of it is made and looked up: the list of words has one first letter."""
    made = [word[1] + word[0] + word[2:]]
    if len(word) >= MIDDLING:
        made += [word[1:], *(letter + word for letter in ALPHABET)]
    own = stems(" ".join(made))
    held = view.survey(Vocabulary(tuple(own)))
    pairs = zip(made, own, strict=False)
    return {Near(stem, form, 1): held[stem] for form, stem in pairs if held[stem]}


def _two_slips(view: "View", word: str, known: Mapping[str, int]) -> _Counts:
    return {one: known[one.stem] for one in near(word, known, 2)}


_WAYS: tuple[Callable[["View", str, Mapping[str, int]], _Counts], ...] = (_one_slip, _two_slips)
"""By how many letters may be wrong."""


def _other_word(word: str, form: str) -> bool:
    """Whether one of a few letters is another: most such words are not meant."""
    return len(word) < MIDDLING and len(word) == len(form) and sorted(word) != sorted(form)


def _written(view: "View", word: str, counts: _Counts) -> list[Guess]:
    """The candidates that are written in some record as near as they seemed: those that have all
    the right letters, else all. None that is far less usual than another."""
    right = {one: _right_letters(word, one.form) for one in counts}
    usual = sorted(counts, key=lambda one: (not right[one], -counts[one], one.stem))[:COMPARED]
    kept: list[Guess] = []
    for one in usual:
        first = kept[0] if kept else None
        if first and (
            counts[one] * RARE <= first.records or _right_letters(word, first.form) > right[one]
        ):
            break
        if counts[one] == MANY:
            form, records = one.form, MANY
        else:
            [records] = view.survey(Vocabulary((one.stem,))).values()
            form = _form(view, word, one)
        if form and not _other_word(word, form):
            kept.append(Guess(form, one.stem, records))
    return kept


def _form(view: "View", word: str, one: Near) -> str:
    """The nearest of the ways in which it is written; empty where that is further than it was."""
    forms = view.survey(Written((one.stem,))).get(one.stem, ())
    return next((found.form for found in alike(word, forms, one.distance)), "")


def _best(
    view: "View", written: Sequence[Guess], rest: Expression | None, *, sure: bool
) -> Guess | None:
    """The one that stands out, if one does. What is not sure must suit the rest of the question."""
    if rest is None or (sure and len(written) == 1):
        suits = dict.fromkeys(written, 0.0)
    else:
        suits = dict(zip(written, _agreement(view, written, rest), strict=True))
    best, *others = sorted(written, key=lambda one: (-suits[one], -one.records, one.stem))
    if not sure and rest and not suits[best]:
        return None
    for one in others:
        if suits[best] - suits[one] < SUITS and best.records < USUAL * one.records:
            return None
    return best


def _agreement(view: "View", written: Sequence[Guess], rest: Expression) -> list[float]:
    """The share of the rest that a record holds together with each of them."""
    asked = [AllOf((Phrase(one.form, (one.stem,), weight=LIGHT), rest)) for one in written]
    found = view.retrieve([Lexical(each, EVERYWHERE, limit=1) for each in asked])
    return [max((match.share for match in each.matches), default=0.0) for each in found]


def _right_letters(word: str, form: str) -> bool:
    """Whether they differ only in the order of letters, or in how often one is repeated."""
    return sorted(word) == sorted(form) or _once(word) == _once(form)


def _once(word: str) -> str:
    return "".join(letter for letter, _ in groupby(word))
