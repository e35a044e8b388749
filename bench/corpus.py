"""Corpus: any number of records that read like documentation, the same ones in every run.

Fragments of the standard library's docstrings are spliced to bodies of 60 to 120 words. Docstrings
alone have too few words: invented ones are strewn in by Zipf's law (the k-th of them appears 1/k as
often as the first), so that the vocabulary keeps growing with the corpus, as real ones do.
"""

import ast
import math
import random
import re
import sysconfig
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from pinyon.model.record import Record

VERSION = 1
"""Grows with every change here that changes a record: stores made before are then made anew."""

INVENTED_SHARE = 0.02
"""Of the words of a body: one or two a record."""

INVENTED_WORDS = 10_000_000
SCOPES, PARENTS = 100, 4
"""A scope keeps 1 % of the records, its parent 25 %."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
_SYLLABLES = tuple(a + b for a in "bdfgjklmnprstvz" for b in ("a", "el", "in", "o", "ur"))
_BEGIN = datetime(2020, 1, 1, tzinfo=UTC)


def records(count: int, *, seed: str = "indexed") -> Iterator[Record]:
    """One at a time: a million of them need no more memory than one."""
    chance = random.Random(seed)
    for number in range(count):
        body = _words(chance, chance.randint(60, 120))
        yield Record(
            kind="note",
            id=f"note{_spelt(number)}",
            title=" ".join(_words(chance, chance.randint(4, 9))),
            body=" ".join(body),
            scope=scope(number),
            created_at=_BEGIN + timedelta(minutes=number),
            updated_at=_BEGIN + timedelta(minutes=number),
        )


def held_back(count: int) -> Iterator[Record]:
    """Records that no store has, to take questions from."""
    return records(count, seed="held back")


def scope(number: int) -> str:
    """Where the record of that number lies: its parent, then its own hundredth."""
    return f"part{number % PARENTS}/shelf{number % SCOPES}"


def _words(chance: random.Random, count: int) -> list[str]:
    sentences = _sentences()
    words: list[str] = []
    while len(words) < count:
        sentence = chance.choice(sentences)
        start = chance.randrange(max(len(sentence) - 5, 1))
        words += sentence[start : start + chance.randint(5, 12)]
        if chance.random() < INVENTED_SHARE * 8.5:  # the mean length of a fragment
            words.append(_invented(chance))
    return words[:count]


def _invented(chance: random.Random) -> str:
    """Equal chances for equal ratios of ranks: the k-th word has a chance of 1/k."""
    return _spelt(int(math.exp(chance.random() * math.log(INVENTED_WORDS))))


def _spelt(number: int) -> str:
    """A number as a word of at least two syllables."""
    word = _SYLLABLES[number % len(_SYLLABLES)]
    number //= len(_SYLLABLES)
    while True:
        word = _SYLLABLES[number % len(_SYLLABLES)] + word
        number //= len(_SYLLABLES)
        if not number:
            return word


@cache
def _sentences() -> list[list[str]]:
    """Of all docstrings of the standard library, in the order of its files."""
    root = Path(sysconfig.get_paths()["stdlib"])
    sentences: list[list[str]] = []
    for path in sorted(root.rglob("*.py")):
        if {"site-packages", "dist-packages", "test", "tests", "lib2to3"} & set(path.parts):
            continue
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except (SyntaxError, UnicodeDecodeError, OSError):
            continue
        for docstring in _docstrings(tree):
            split = (sentence.split() for sentence in _SENTENCE_END.split(docstring))
            sentences += [words for words in split if len(words) >= 5]
    return sentences


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring:
                yield docstring
