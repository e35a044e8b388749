"""Definitions: what a text itself says that an acronym stands for.

Two ways to say it are read: "reciprocal rank fusion (RRF)" and "RRF (reciprocal rank fusion)". The
initials of the words must make the acronym; small words, such as "of", may have no letter in it.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

LONGEST = 120
"""Characters that what an acronym stands for may have."""

TRIES = 5
"""Brackets of each kind that are looked at in one text."""


def definition(text: str, acronym: str, small: Collection[str]) -> str:
    """What the acronym stands for there, in lower case; empty where the text does not say it."""
    for words in _before_brackets(text, acronym):
        # The fewest words that will do: what stands before them is another matter.
        for size in range(2, len(words) + 1):
            if stands_for(acronym, words[-size:], small):
                return " ".join(words[-size:])
    for words in _in_brackets(text, acronym):
        if stands_for(acronym, words, small):
            return " ".join(words)
    return ""


def stands_for(acronym: str, words: Sequence[str], small: Collection[str]) -> bool:
    """Whether the initials of all words, or of all but the small ones, make the acronym."""
    return acronym.lower() in (
        initials(words),
        initials([word for word in words if word not in small]),
    )


def initials(words: Sequence[str]) -> str:
    """Of words in lower case; a number is its own: "best match 25" makes bm25."""
    return "".join(word if word.isdigit() else word[0] for word in words)


def _before_brackets(text: str, acronym: str) -> Iterator[list[str]]:
    """The last words before each "(RRF)" that stand in one phrase with it."""
    most = 2 * len(acronym)
    for at in _places(text, f"({acronym}"):
        end = at + len(acronym) + 1
        if text[end : end + 1] == "s":
            end += 1
        if text[end : end + 1].isalnum():
            continue
        # Emphasis and quotes around a term are no end of its phrase.
        near = text[max(at - LONGEST, 0) : at].rstrip(" \n*_`\"'”’")
        yield _words(_breaks().split(near)[-1])[-most:]


def _in_brackets(text: str, acronym: str) -> Iterator[list[str]]:
    """The words in the brackets after each "RRF"."""
    for at in _places(text, f"{acronym} ("):
        if text[at - 1 : at].isalnum() and at:
            continue
        start = at + len(acronym) + 2
        inside, closed, _ = text[start : start + LONGEST].partition(")")
        if closed:
            yield _words(_breaks().split(inside.strip(" *_`\"'“‘”’"))[0])


def _places(text: str, part: str) -> Iterator[int]:
    at = -1
    for _ in range(TRIES):
        at = text.find(part, at + 1)
        if at < 0:
            return
        yield at


def _words(text: str) -> list[str]:
    return [word.lower() for word in _word().findall(text)]


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W_]+")


@cache
def _breaks() -> re.Pattern[str]:
    """What ends a phrase; a hyphen and a single line break do not."""
    return re.compile(r"\n\s*\n|[^\w\s'’-]")
