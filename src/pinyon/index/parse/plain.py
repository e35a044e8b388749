"""Plain text: one record, or several of a few pages each that end where a paragraph ends."""

from collections.abc import Iterator
from itertools import accumulate

from pinyon.index.parse.origin import Origin, Parsed
from pinyon.model.record import Record

MOST_CHARACTERS = 6_000
"""About three pages: long enough to stay together, short enough to point at a place. A longer line
stays whole."""


def plain(text: str, origin: Origin) -> Parsed:
    """The text from beginning to end; nothing but blank lines between two records is lost."""
    lines = text.split("\n")
    return Parsed(
        tuple(
            Record(
                kind="doc",
                id=origin.id if number == 1 else f"{origin.id}#{number}",
                title=origin.words if number == 1 else f"{origin.words} ({number})",
                body="\n".join(lines[first:last]),
                scope=origin.scope,
                source=origin.id,
                lines=(first + 1, last),
                updated_at=origin.modified_at,
            )
            for number, (first, last) in enumerate(_pages(lines), start=1)
        )
    )


def _pages(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Spans of lines, as many paragraphs together as fit."""
    ends = list(accumulate((len(line) + 1 for line in lines), initial=0))
    begun: tuple[int, int] | None = None
    for first, last in _paragraphs(lines):
        if begun and ends[last] - ends[begun[0]] > MOST_CHARACTERS:
            yield begun
            begun = None
        begun = (begun[0] if begun else first, last)
    if begun:
        yield begun


def _paragraphs(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Spans of lines without a blank one; a paragraph that is too long for a record is cut."""
    first, size = -1, 0
    for number, line in enumerate(lines):
        if first >= 0 and (not line.strip() or size + len(line) > MOST_CHARACTERS):
            yield first, number
            first = -1
        if line.strip():
            if first < 0:
                first, size = number, 0
            size += len(line) + 1
    if first >= 0:
        yield first, len(lines)
