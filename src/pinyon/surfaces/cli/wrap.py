"""Wrap: text with marked words, broken into lines that fit a terminal."""

import unicodedata
from collections.abc import Iterator

from pinyon.surfaces.cli.output import Paint, clean


def wrap(snippet: str, width: int, paint: Paint) -> list[str]:
    """The lines of a snippet (safe HTML with <mark>), as plain text in which matches are painted.

    A word is never broken, so a line can be longer than `width`; text in a script without spaces is
    broken anywhere.
    """
    lines: list[str] = []
    line = ""
    used = 0
    for before, word in _words(snippet):
        columns = sum(_columns(text) for _, text in word)
        painted = "".join(paint("mark", text) if marked else text for marked, text in word)
        if line and used + before + columns > width:
            lines.append(line)
            line, used = "", 0
        blank = before if line else 0
        line += " " * blank + painted
        used += blank + columns
    return [*lines, line] if line else lines


ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&"}
"""What a snippet escapes, the ampersand last. The `html` module knows 2,000 more, and takes longer
to import than a search takes."""

Piece = tuple[bool, str]
"""Whether it is marked, and the text."""


def _words(snippet: str) -> Iterator[tuple[int, list[Piece]]]:
    """What must stay together, with the blanks (0 or 1) that stand before it."""
    word: list[Piece] = []
    blank = 0
    for marked, text in _pieces(snippet):
        run = ""
        for character in text:
            wide = _columns(character) == 2
            if not character.isspace() and not wide:
                run += character
                continue
            if run:
                word.append((marked, run))
                run = ""
            if word:
                yield blank, word
                word, blank = [], 0
            if wide:
                yield blank, [(marked, character)]
                blank = 0
            else:
                blank = 1
        if run:
            word.append((marked, run))
    if word:
        yield blank, word


def _pieces(snippet: str) -> Iterator[Piece]:
    for at, part in enumerate(snippet.split("<mark>")):
        marked, _, rest = part.partition("</mark>") if at else ("", "", part)
        if marked:
            yield True, _plain(marked)
        if rest:
            yield False, _plain(rest)


def _plain(markup: str) -> str:
    """The blanks at both ends count: they part this piece from its neighbours."""
    text = markup
    for entity, character in ENTITIES.items():
        text = text.replace(entity, character)
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() else ""
    return f"{before}{clean(text.strip())}{after}"


def _columns(text: str) -> int:
    """The columns that a terminal needs: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )
