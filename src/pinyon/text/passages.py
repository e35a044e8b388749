"""Passages: the pieces of a record that are embedded, so that no text is too long for a model.

A piece ends where a sentence, a line or at least a word ends, and begins with the end of the one
before it. What the record is about, its title and its context, goes with each of them.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple

from pinyon.model.record import Record
from pinyon.text.kinds import given

SIZE = 800
"""Bytes of a piece of text: about 200 tokens."""

OVERLAP = 120
"""The most bytes at the end of a piece that the next one repeats."""

SHORT = 200
"""Characters of a context that goes with each passage; a longer one has passages of its own."""

_END = re.compile(r"""[.!?]["')\]]{0,3}\s+|[。！？]|\n+""")
_SPACE = re.compile(r"\s+")


class Passage(NamedTuple):
    """`start` and `end` are characters of the record's body; both are 0 where it is not from
    there. `text` is what a model is given."""

    start: int
    end: int
    text: str


def passages(record: Record) -> list[Passage]:
    """In the order of the text. A record without any text has none."""
    apart = len(record.context) > SHORT
    parts = {
        "title": record.title.strip(),
        "aliases": ", ".join(record.aliases)[:SHORT],
        "context": "" if apart else record.context,
    }
    head = "\n".join(filter(None, (parts[name] for name in given(record).head))).strip()
    found = [
        Passage(start, end, f"{head}\n{record.body[start:end]}".strip())
        for start, end in pieces(record.body)
    ]
    if apart:
        context = record.context
        found += [
            Passage(0, 0, f"{head}\n{context[start:end]}".strip()) for start, end in pieces(context)
        ]
    return found or ([Passage(0, 0, head)] if head else [])


def digest(text: str) -> bytes:
    """What stands for a text: two texts with the same digest are the same."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def pieces(text: str) -> list[tuple[int, int]]:
    """The spans into which a text is split, of about the same size each, none of them blank."""
    if not text.strip():
        return []
    if len(text) <= SIZE // 4 or _size(text) <= SIZE:
        return [(0, len(text))]
    plain = text.isascii()  # then a character is a byte, and nothing needs to be encoded
    units = list(_units(text, plain))
    sizes = [end - start if plain else _size(text[start:end]) for start, end in units]
    whole = sum(sizes)
    wanted = whole / -(-whole // SIZE)
    spans: list[tuple[int, int]] = []
    first = 0
    while first < len(units):
        last = _fill(sizes, first, wanted)
        spans.append((units[first][0], units[last][1]))
        if last + 1 == len(units):
            break
        first = _back(sizes, first, last)
    return [span for span in spans if text[slice(*span)].strip()]


def _fill(sizes: list[int], first: int, wanted: float) -> int:
    """The last unit of a piece that begins with `first`: where it comes nearest to its size."""
    last, size = first, sizes[first]
    while last + 1 < len(sizes) and size + sizes[last + 1] / 2 <= wanted:
        last += 1
        size += sizes[last]
    return last


def _back(sizes: list[int], first: int, last: int) -> int:
    """The first unit of the next piece: what fits into the overlap is repeated."""
    after, repeated = last + 1, 0
    while after - 1 > first and repeated + sizes[after - 1] <= OVERLAP:
        after -= 1
        repeated += sizes[after]
    return after


def _units(text: str, plain: bool) -> Iterator[tuple[int, int]]:
    """Sentences and lines; what is too long for one is cut at words, at last anywhere."""
    ends = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    for start, end in pairwise(ends):
        if end - start <= SIZE // 2 and (plain or _size(text[start:end]) <= SIZE // 2):
            if start < end:
                yield start, end
        else:
            yield from _cut(text, start, end)


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    most = SIZE // 4 if text.isascii() else SIZE // 8
    while end - start > most:
        spaces = [match.end() for match in _SPACE.finditer(text, start + most // 2, start + most)]
        middle = spaces[-1] if spaces else start + most
        yield start, middle
        start = middle
    yield start, end


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
