"""Markdown: every heading opens a section, and every section is a record.

The first record has the file's own id: it is the section of the heading that the file begins with
where that is of the first level, else what stands before the first heading. What the front matter
says of the document goes there; what it says of everything in it goes to every section.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pinyon.index.parse.origin import FrontMatter, Origin, Parsed, line
from pinyon.model.check import LIMITS, MOST_VALUES
from pinyon.model.record import Record

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_LONGEST_HEADING = 2_000
"""The parser of inline markup is quadratic in some texts; a title has room for half of this."""


@dataclass(frozen=True, slots=True)
class Heading:
    """It takes the lines from `first` up to, not including, `after`; both count from 0."""

    level: int
    title: str
    first: int
    after: int


def markdown(text: str, origin: Origin) -> Parsed:
    """One record a section. Front matter that cannot be read is text like any other."""
    front, warning = _front_matter(text)
    lines = text.split("\n")
    # Blank lines in its place: what follows keeps its line numbers.
    lines[: front.lines] = [""] * front.lines
    headings = _headings("\n".join(lines))
    top = _at_top(lines, headings)
    document = _document(lines, headings, top, origin, front)
    records = list(_sections(lines, headings, top, document))
    if document.body or front.given or (top and top.title):
        records.insert(0, document)
    return Parsed(tuple(replace(record, **front.shared) for record in records), warning)


def _front_matter(text: str) -> tuple[FrontMatter, str]:
    if not text.startswith("---"):
        return FrontMatter(), ""
    from pinyon.index.parse.front_matter import front_matter

    return front_matter(text)


def _headings(text: str) -> list[Heading]:
    """Headings of the document itself: none from inside a quotation, a list or a block of code."""
    reader = _reader()
    references: dict[str, Any] = {}
    tokens = reader.parse(text, references)
    found = []
    for token, content in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            written = content.content[:_LONGEST_HEADING]
            inline: list[Token] = []
            reader.inline.parse(written, reader, references, inline)
            title = line("".join(_plain_text(inline)), "title")
            found.append(Heading(int(token.tag[1:]), title, *token.map))
    return found


@cache
def _reader() -> "MarkdownIt":
    # Imported here: it takes as long as a whole search, and only an index run needs it.
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark")
    # Blocks only: the markup inside paragraphs, most of the work, changes no section.
    reader.core.ruler.enableOnly(["normalize", "block"])
    return reader


def _plain_text(tokens: Sequence["Token"]) -> Iterator[str]:
    for token in tokens:
        if token.type in {"text", "text_special", "code_inline"}:
            yield token.content
        elif token.type == "image":
            yield from _plain_text(token.children or [])
        elif token.type in {"softbreak", "hardbreak"}:
            yield " "


def _document(
    lines: list[str],
    headings: list[Heading],
    top: Heading | None,
    origin: Origin,
    front: FrontMatter,
) -> Record:
    """The first record: it has the file's own id, and no section above it."""
    below = headings[1:] if top else headings
    begin = top.after if top else front.lines
    body, (first, last) = _text(lines, begin, below[0].first if below else len(lines))
    if top:
        span = (top.first + 1, max(last, top.after))
    else:
        span = (first + 1, last) if body else (1, max(1, front.lines))
    named = next((heading.title for heading in headings if heading.level == 1), "")
    title = front.title or named or origin.words
    heading = line(top.title, "aliases") if top and top.title != title else ""
    aliases = dict.fromkeys(name for name in (heading, *front.aliases) if name)
    return Record(
        kind="doc",
        id=origin.id,
        title=title,
        aliases=tuple(aliases)[:MOST_VALUES],
        body=body,
        context=front.description,
        scope=origin.scope,
        source=origin.id,
        lines=span,
        updated_at=origin.modified_at,
        extra={"front_matter": front.rest} if front.rest else {},
    )


def _sections(
    lines: list[str], headings: list[Heading], top: Heading | None, document: Record
) -> Iterator[Record]:
    """A record for each heading, except the one that is the document itself, and those that neither
    have a title nor stand over any text."""
    slugs = Slugs(LIMITS["id"] - len(document.id) - 1)
    above: list[Heading] = []
    ends = [*(heading.first for heading in headings[1:]), len(lines)]
    for heading, end in zip(headings, ends, strict=False):  # an end too many where no heading is
        slug = slugs.take(heading.title)
        if heading is top:
            continue
        while above and above[-1].level >= heading.level:
            above.pop()
        trail = [document.title, *(each.title for each in above)]
        names = [name for name in dict.fromkeys(trail) if name and name != heading.title]
        body, (_, last) = _text(lines, heading.after, end)
        above.append(heading)
        if not heading.title and not body:
            continue
        yield Record(
            kind="doc",
            id=f"{document.id}#{slug}",
            title=heading.title or document.title,
            body=body,
            context=" > ".join(names)[: LIMITS["context"]],
            scope=document.scope,
            source=document.source,
            lines=(heading.first + 1, max(last, heading.after)),
            updated_at=document.updated_at,
        )


def _at_top(lines: list[str], headings: list[Heading]) -> Heading | None:
    """The heading of the first level that nothing stands before."""
    if not headings or headings[0].level != 1:
        return None
    before = lines[: headings[0].first]
    return None if any(each.strip() for each in before) else headings[0]


def _text(lines: list[str], first: int, after: int) -> tuple[str, tuple[int, int]]:
    """The lines as they are written, without blank ones at both ends, and where they lie."""
    while first < after and not lines[after - 1].strip():
        after -= 1
    while first < after and not lines[first].strip():
        first += 1
    return "\n".join(lines[first:after]), (first, after)


class Slugs:
    """Names for headings as GitHub makes them: a repeated one gets -1, -2 and so on."""

    def __init__(self, most: int) -> None:
        self._most = most - len("-999999")
        self._taken: dict[str, int] = {}

    def take(self, title: str) -> str:
        bare = _NOT_IN_SLUG.sub("", title.lower()).replace(" ", "-")[: self._most] or "section"
        slug = bare
        while slug in self._taken:
            self._taken[bare] += 1
            slug = f"{bare}-{self._taken[bare]}"
        self._taken[slug] = 0
        return slug
