"""Alike: how much two texts say the same, and in what they disagree while they do.

Compared are the sets of their telling stems. Measured on ten pairs of rephrased and ten of merely
similar sentences: the share of stems tells them apart (all but one rephrased from .83 on, similar
ones up to .60), weights by rarity add nothing, and pairs of neighbouring stems fail, because who
rephrases moves words.
"""

import re
from collections.abc import Iterable, Set
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pinyon.model.record import Record
from pinyon.text.kinds import given
from pinyon.text.prepare import prepare
from pinyon.text.stems import stems
from pinyon.text.stop_lists import stop_list

LONGEST = 20_000
"""Characters of a body that are searched for disagreements."""

MOST_OF = 0.5
"""The share of other words from which on a differing number is a disagreement."""

NEARLY_ALL = 0.8
"""The same for a negation: a further sentence may well hold one."""


def telling(stems: Iterable[str]) -> frozenset[str]:
    """The stems that say something; all of them where none does."""
    every = frozenset(stems)
    return every - _stop_stems() or every


def likeness(one: Set[str], other: Set[str]) -> float:
    """The share of stems that both have, of those that any of them has: in [0, 1]."""
    either = len(one | other)
    return len(one & other) / either if either else 0.0


def told_by(record: Record) -> frozenset[str]:
    """The telling stems of a record's title and body, as much of it as full text holds."""
    return telling(stems(prepare(f"{record.title}\n{record.body[: given(record).body]}")))


def disagreement(one: Record, other: Record) -> str:
    """In what two records that else share their words contradict each other; empty if they do not.
    Two that are titled with different numbers or dates speak of different things."""
    if one.body and other.body and _differing(_claims(one.title), _claims(other.title)):
        return ""
    first, second = _claims(_text(one)), _claims(_text(other))
    shared = likeness(first.words, second.words)
    if shared >= MOST_OF and (why := _differing(first, second)):
        return why
    if shared >= NEARLY_ALL and abs(first.negations - second.negations) == 1:
        return "one says what the other denies"
    return ""


def _text(record: Record) -> str:
    return f"{record.title}\n{record.body[:LONGEST]}"


class _Claims(NamedTuple):
    words: frozenset[str]
    numbers: frozenset[str]
    negations: int


def _claims(text: str) -> _Claims:
    """The numbers and dates of a text, how often it denies, and its other telling stems."""
    told = _told()
    numbers = {number.replace(",", "") for number in _number().findall(text)}
    left, negations = [], 0
    for word in _word().findall(text):
        lower = word.lower().replace("’", "'")
        if word in told.dates:
            numbers.add(word)
        elif lower in told.numbers:
            numbers.add(told.numbers[lower])
        elif lower in told.negations or lower.endswith("n't"):
            negations += 1
        else:
            left.append(word)
    return _Claims(telling(stems(prepare(" ".join(left)))), frozenset(numbers), negations)


def _differing(one: _Claims, other: _Claims) -> str:
    """The numbers that stand on one side only, if there are such on both: else one says more, which
    is no contradiction."""
    sides = (one.numbers - other.numbers, other.numbers - one.numbers)
    if not all(sides):
        return ""
    return " against ".join(", ".join(sorted(side)[:3]) for side in sides)


class _Told(NamedTuple):
    negations: frozenset[str]
    dates: frozenset[str]
    numbers: dict[str, str]


@cache
def _told() -> _Told:
    import tomllib

    data = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf-8"))
    return _Told(frozenset(data["negations"]), frozenset(data["dates"]), data["numbers"])


@cache
def _stop_stems() -> frozenset[str]:
    return frozenset(stems(" ".join(sorted(stop_list("prose")))))


@cache
def _number() -> re.Pattern[str]:
    return re.compile(r"\d+(?:[.,:/-]\d+)*")


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
