"""reStructuredText: underlined titles open sections; :doc: and :ref: are links.

A label (`.. _setup:`) means the section that it stands before or in. Directives stay text.
"""

import re
from collections.abc import Iterator

from pinyon.index.parse.divide import Heading, Marks, divide
from pinyon.index.parse.links import Link, Places
from pinyon.index.parse.origin import FrontMatter, Origin, Parsed, line

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*\s*\Z")
_MARKUP = re.compile(r":[\w.+:-]{1,60}:(?=`)|[`*]")
_LABEL = re.compile(r"\.\. _(?:`([^`]+)`|([^:`]+)):\s*\Z")
_CODE = re.compile(r"\.\. (?:code|code-block|sourcecode|parsed-literal|literalinclude)::")
_EXPLICIT = re.compile(r"\.\. \S")
_ROLE = re.compile(
    r"``.+?``(?!`)"
    r"|:(?P<role>doc|ref):`(?P<given>[^`<>]++)(?:<(?P<inner>[^`<>]++)>)?`"
    r"|(?<!:)`[^`<>]*+<(?P<path>[^`<>\s]++)>`__?"
)
_FORMS = {"doc": "path", "ref": "label", None: "path"}


def rst(text: str, origin: Origin) -> Parsed:
    """One record a section, as in Markdown; what looks like a title inside of a block that is
    indented is text."""
    lines = text.split("\n")
    places = Places(origin)
    marks = Marks(list(_links(lines)), [(n, places.label(name)) for n, name in _labels(lines)])
    return divide(lines, list(_headings(lines)), marks, origin, FrontMatter())


def _headings(lines: list[str]) -> Iterator[Heading]:
    """Each way to mark a title is a level, in the order in which they first appear."""
    levels: dict[tuple[str, bool], int] = {}
    number = 0
    while number < len(lines):
        found = _heading(lines, number)
        if found is None:
            number += 1
            continue
        first, after, style = found
        title = line(_MARKUP.sub("", lines[after - 2]), "title")
        yield Heading(levels.setdefault(style, len(levels) + 1), title, first, after)
        number = after


def _heading(lines: list[str], number: int) -> tuple[int, int, tuple[str, bool]] | None:
    """One that begins in this line: where it begins and ends, and how it is marked."""
    mark = _adornment(lines, number)
    under_it = _adornment(lines, number + 1)
    if mark and not under_it and _adornment(lines, number + 2) == mark:
        over, title, under = (each.rstrip() for each in lines[number : number + 3])
        if title and over == under and _covers(over, title):
            return number, number + 3, (mark, True)
    title = lines[number]
    if mark or not under_it or not title.strip() or title[0].isspace() or _EXPLICIT.match(title):
        return None
    begins = number == 0 or not lines[number - 1].strip() or lines[number - 1].startswith("..")
    covered = begins and _covers(lines[number + 1].rstrip(), title)
    return (number, number + 2, (under_it, False)) if covered else None


def _adornment(lines: list[str], number: int) -> str:
    """The character that the line is a row of, if it is one."""
    match = _ADORNMENT.match(lines[number]) if number < len(lines) else None
    return match[1] if match and lines[number].rstrip() not in ("::", "..") else ""


def _covers(row: str, title: str) -> bool:
    """A short row under a longer line is punctuation; from four on it is taken for a mistake."""
    return len(row) >= min(4, len(title.strip()))


def _labels(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Each with the next line that says something: where it stands before a title, the title's."""
    waiting: list[str] = []
    for number, text in enumerate(lines):
        match = _LABEL.match(text) if text.startswith(".. _") else None
        if match:
            waiting.append(match[1] or match[2])
        elif text.strip() and waiting:
            yield from ((number, name) for name in waiting)
            waiting = []
    yield from ((len(lines) - 1, name) for name in waiting)


def _links(lines: list[str]) -> Iterator[Link]:
    for number, text in _prose(lines):
        for match in _ROLE.finditer(text) if "`" in text else ():
            target = match["inner"] or match["given"] or match["path"]
            if target:
                yield Link(number, "links", _FORMS[match["role"]], target.strip())


def _prose(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines outside of blocks of code: what is indented below a line that announces one."""
    code: int | None = None
    for number, text in enumerate(lines):
        bare = text.lstrip()
        indent = len(text) - len(bare)
        if code is not None and (not bare or indent > code):
            continue
        announced = bare.rstrip().endswith("::") and not bare.startswith("..")
        code = indent if announced or _CODE.match(bare) else None
        yield number, text
