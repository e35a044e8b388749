"""Markdown, as in Obsidian: sections with wiki links, embeds, block ids, tags and check boxes.

How sections become records stands in divide.py; this finds the headings, and what else stands in
the paragraphs. Nothing inside of code is a link, a tag or a task.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pinyon.index.parse.divide import Heading, Marks, divide
from pinyon.index.parse.links import Places, Slugs, blocks, label, links, prose, tags
from pinyon.index.parse.origin import FrontMatter, Origin, Parsed, line
from pinyon.index.parse.tasks import task

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["Heading", "Slugs", "markdown"]

_LONGEST_HEADING = 2_000
"""The parser of inline markup is quadratic in some texts; a title has room for half of this."""


class Paragraph(NamedTuple):
    """A stretch of running text, without quotation marks and indents before its lines. `item`: it
    is the first of an item of a list."""

    text: str
    first: int
    after: int
    item: bool


class Outline(NamedTuple):
    """`references` are the targets of the labels that are defined, by label in lower case."""

    headings: list[Heading]
    paragraphs: list[Paragraph]
    references: Mapping[str, str]


def markdown(text: str, origin: Origin) -> Parsed:
    """One record a section. Front matter that cannot be read is text like any other."""
    front, lines, warning = without_front_matter(text)
    outline = understood("\n".join(lines))
    found = divide(lines, outline.headings, _marks(outline, origin), origin, front)
    warnings = (each for each in (warning, found.warning) if each)
    return replace(found, warning="; ".join(warnings)) if warning else found


def without_front_matter(text: str) -> tuple[FrontMatter, list[str], str]:
    """What it says, the lines of the text, and a warning when it cannot be read. Blank lines stand
    in its place: what follows keeps its line numbers."""
    lines = text.split("\n")
    if not text.startswith("---"):
        return FrontMatter(), lines, ""
    from pinyon.index.parse.front_matter import front_matter

    front, warning = front_matter(text)
    lines[: front.lines] = [""] * front.lines
    return front, lines, warning


def understood(text: str) -> Outline:
    """The headings of the document itself, none from inside a quotation or a list, and all running
    text, theirs included; none from inside of code."""
    reader = _reader()
    defined: dict[str, Any] = {}
    tokens = reader.parse(text, defined)
    headings, paragraphs = [], []
    for number, token in enumerate(tokens):
        if token.type != "inline" or not token.map:
            continue
        first, after = token.map
        opening = tokens[number - 1]
        item = opening.type == "paragraph_open" and tokens[number - 2].type == "list_item_open"
        paragraphs.append(Paragraph(token.content, first, after, item))
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            # Its own lines, not those of its text: an underline belongs to it.
            inline: list[Token] = []
            reader.inline.parse(token.content[:_LONGEST_HEADING], reader, defined, inline)
            title = line("".join(_plain_text(inline)), "title")
            headings.append(Heading(int(opening.tag[1:]), title, *opening.map))
    references = defined.get("references", {})
    targets = {label(name): str(defined["href"]) for name, defined in references.items()}
    return Outline(headings, paragraphs, targets)


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


def _marks(outline: Outline, origin: Origin) -> Marks:
    marks = Marks()
    places = Places(origin)
    for text, first, after, item in outline.paragraphs:
        visible = prose(text)
        marks.links += links(visible, first, outline.references)
        marks.tags += ((first, tag) for tag in tags(visible))
        for number, id in blocks(visible, first):
            marks.names += ((number, name) for name in places.own(f"#^{id.lower()}"))
        found = task(text, visible, first, after) if item else None
        if found:
            marks.tasks.append(found)
    return marks
