"""Near: a word and the stems of an index in, those out that it may be a misspelling of.

The index knows stems, not words, and a slip in an ending spoils the stem: "validaton" is one letter
away from "validation", but four from its stem "valid". So a word is cut wherever its rest is nearly
a usual ending; what stands before the cut is looked for among the stems, and what they make with
the ending is compared with the word.
"""

import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from pinyon.text.stems import stems as stems_of

SHORTEST_STEM = 2


class Near(NamedTuple):
    """A stem, the word of it that is spelt most like the one asked for, and by how many letters
    they differ: changed, missing, too many, or two in the wrong order."""

    stem: str
    form: str
    distance: int


def near(word: str, known: Mapping[str, int], most: int) -> list[Near]:
    """The stems of `known`, which must be ordered by length, that make a word which differs by at
    most `most` letters: the nearest first, then by letters."""
    stems = list(known)
    made: set[str] = set()
    for cut in range(len(word), SHORTEST_STEM - 1, -1):
        made.update(_made(word, cut, stems, known, most))
        if cut < len(word):  # two letters in the wrong order, one on each side of the cut
            turned = f"{word[: cut - 1]}{word[cut]}{word[cut - 1]}{word[cut + 1 :]}"
            made.update(_made(turned, cut, stems, known, most - 1))
    return _checked(word, made, known, most)


def _made(
    word: str, cut: int, stems: Sequence[str], known: Mapping[str, int], most: int
) -> Iterator[str]:
    """What stems like the word before the cut make with endings like the rest."""
    endings = _alike(word[cut:], _endings(), most)
    if endings:
        spare = most - endings[0][1]
        for head in _heads(word, cut):
            for stem, apart in _found(head, stems, known, spare):
                for ending, more in endings:
                    if apart + more > most:
                        break
                    yield from _forms(stem, ending)


def alike(word: str, words: Sequence[str], most: int) -> list[Near]:
    """Those of some words, which are their own stems, that differ by at most `most` letters."""
    return [Near(one, one, apart) for one, apart in _alike(word, words, most)]


def _alike(word: str, words: Sequence[str], most: int) -> list[tuple[str, int]]:
    found = extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=None)
    return sorted(((one, int(apart)) for one, apart, _ in found), key=lambda one: one[::-1])


def _found(
    head: str, stems: Sequence[str], known: Mapping[str, int], spare: int
) -> Iterator[tuple[str, int]]:
    if not spare:
        if head in known:
            yield head, 0
        return
    first = bisect_left(stems, len(head) - spare, key=len)
    last = bisect_right(stems, len(head) + spare, key=len)
    yield from _alike(head, stems[first:last], spare)


def _heads(word: str, cut: int) -> Iterator[str]:
    yield word[:cut]
    if cut == len(word) and word[-1] == "y":  # the stem of "library" is "librari"
        yield f"{word[:-1]}i"


def _forms(stem: str, ending: str) -> Iterator[str]:
    yield stem + ending
    if stem[-1] == "i":
        yield f"{stem[:-1]}y{ending}"
    if ending[:1] in ("e", "i"):  # stopped, stopping
        yield stem + stem[-1] + ending


def _checked(word: str, made: Iterable[str], known: Mapping[str, int], most: int) -> list[Near]:
    """The nearest word of each stem that the index would give it."""
    close = _alike(word, sorted(made), most)
    own = stems_of(" ".join(form for form, _ in close))
    best: dict[str, Near] = {}
    for (form, apart), stem in zip(close, own, strict=True):
        if stem in known and form.isalpha():
            best.setdefault(stem, Near(stem, form, apart))
    return list(best.values())


@cache
def _endings() -> tuple[str, ...]:
    table = tomllib.loads((Path(__file__).parent / "endings.toml").read_text("utf-8"))
    return tuple(dict.fromkeys(ending for row in table.values() for ending in row))
