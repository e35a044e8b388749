"""Web: an HTML page by its headings, without what only moves or decorates it.

Scripts, styles and navigation are left out, and all that is outside of <main> where there is one.
Links to files of the same folder become edges.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from pinyon.index.parse.given import clean, moment
from pinyon.index.parse.links import MOST_LINKS, Link, Places
from pinyon.index.parse.markup import Token, tokens
from pinyon.index.parse.origin import FrontMatter, Origin, Parsed, line
from pinyon.index.parse.sections import Block, sections

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LINES = frozenset({"br", "dd", "dt", "li", "option", "tr"})
_PARAGRAPHS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "details",
        "dialog",
        "div",
        "dl",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hr",
        "legend",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "ul",
        "xmp",
    }
)
_ENDS_HEADING = frozenset(
    {"p", "pre", "ul", "ol", "dl", "table", "blockquote", "section", "article", "main", "body"}
)
_BLOCKS = _LINES | _PARAGRAPHS
_SKIPPED = frozenset({"button", "nav", "noscript", "select", "svg", "template"})
_BARS = frozenset({"aside", "div", "header", "ol", "section", "table", "ul"})
"""What is navigation where its role says so."""

_VOID = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    }
)
_META = {
    "description": "context",
    "og:description": "context",
    "author": "author",
    "dc.creator": "author",
    "date": "created_at",
    "dc.date": "created_at",
    "article:published_time": "created_at",
}
_ABOUT = frozenset({"base", "meta", "title"})
_PERMALINKS = frozenset({"¶", "§", "#", "🔗"})
"""What stands beside a heading as a link for those who want its address."""

_BLANKS = re.compile(r"\s+")
_MOST_TAGS = 20


def web(content: str | bytes, origin: Origin) -> Parsed:
    """One record a heading. A page of nothing that can be read has none."""
    page = clean(content if isinstance(content, str) else content.decode("utf-8", "replace"))
    reading = _Page(page, origin)
    for token in _shown(page, origin):
        reading.take(token)
    return sections(reading.finished(), origin, reading.front())


def _shown(page: str, origin: Origin) -> Iterator[Token]:
    """The tokens without navigation and the like. An element that is never closed is not skipped:
    the rest of the page would be lost."""
    xml = page.lstrip()[:5] == "<?xml" or origin.path.lower().endswith(".xhtml")
    found = _main(list(tokens(page, xml=xml)))
    kept: set[str] = set()
    at = 0
    while at < len(found):
        token = found[at]
        at += 1
        if not _skipped(token) or token.name in kept:
            yield token
            continue
        after = _closed(found, at, token.name)
        if after:
            at = after
        else:
            kept.add(token.name)


def _main(found: list[Token]) -> list[Token]:
    """What the page says of itself, and the inside of its first <main>; all of it where there is
    none with any text."""
    begin = next((n for n, each in enumerate(found) if each.name == "main"), len(found))
    end = _closed(found, begin + 1, "main")
    inside = found[begin:end]
    if not any(token.text.strip() for token in inside):
        return found
    head = [
        token
        for number, token in enumerate(found[:begin])
        if token.name in _ABOUT or (number and found[number - 1].name == "title")
    ]
    return head + inside


def _skipped(token: Token) -> bool:
    if token.closing:
        return False
    if token.name in _BARS:
        return token.attributes.get("role", "").lower() == "navigation"
    return token.name in _SKIPPED


def _closed(found: list[Token], at: int, name: str) -> int:
    """The place after the tag that closes an element of this name; 0 where none does."""
    depth = 1
    for number in range(at, len(found)):
        if found[number].name == name:
            depth += -1 if found[number].closing else 1
            if not depth:
                return number + 1
    return 0


class _Page:
    """Takes tokens, one after the other, and makes blocks of them."""

    def __init__(self, page: str, origin: Origin) -> None:
        self._places = Places(origin)
        self._line_ends = list(accumulate(len(each) + 1 for each in page.split("\n")))
        self._blocks: list[Block] = []
        self._said: dict[str, str] = {}
        self._keywords = ""
        self._inline: list[str] = []
        self._span = (-1, -1)
        self._links: list[str] = []
        self._followed = 0
        self._gap = ""
        self._mark = ""
        self._preformatted = False
        self._level = 0
        self._anchor = ""
        self._in_title = False
        self._in_link = False
        self._elsewhere = False

    def take(self, token: Token) -> None:
        if not token.name:
            self._text(token)
            return
        if token.name in _VOID and token.closing:
            return
        if not token.closing:
            self._open(token)
        self._boundary(token)
        if token.name == "title":
            self._in_title = not token.closing
        if token.name in _HEADINGS and not token.closing:
            self._level = _HEADINGS[token.name]
        if token.name == "a":
            self._in_link = not token.closing
        if token.name == "pre":
            self._preformatted = not token.closing
        if token.name == "li" and not token.closing:
            self._mark = "- "

    def finished(self) -> list[Block]:
        self._flush("\n\n")
        return self._blocks

    def front(self) -> FrontMatter:
        tags = [line(each, "tags") for each in self._keywords.split(",")]
        shared = {
            "author": line(self._said.get("author", ""), "author"),
            "created_at": moment(self._said.get("created_at", "")),
            "tags": tuple(dict.fromkeys(tag for tag in tags if tag))[:_MOST_TAGS],
        }
        title = line(self._said.get("title", ""), "title")
        description = line(self._said.get("context", ""), "context")
        return FrontMatter(
            given=bool(description or (title and self._blocks)),
            title=title,
            description=description,
            shared={name: value for name, value in shared.items() if value},
        )

    def _text(self, token: Token) -> None:
        if self._in_title:
            self._said.setdefault("title", token.text)
            self._in_title = False
        elif self._in_link and token.text.strip() in _PERMALINKS:
            return
        elif token.text and (self._preformatted or self._inline or not token.text.isspace()):
            self._inline.append(token.text)
            if not token.text.isspace():
                lead = len(token.text) - len(token.text.lstrip())
                begin = min(token.at + lead, token.end)
                self._span = (begin if self._span[0] < 0 else self._span[0], token.end)

    def _open(self, token: Token) -> None:
        given = token.attributes
        self._anchor = (
            given.get("id") or (given.get("name") if token.name == "a" else "") or (self._anchor)
        )
        if token.name == "meta":
            name = (given.get("name") or given.get("property") or "").lower()
            if name in _META:
                self._said.setdefault(_META[name], given.get("content", ""))
            elif name == "keywords":
                self._keywords = self._keywords or given.get("content", "")
        elif token.name == "base":
            self._elsewhere = "href" in given
        elif token.name == "a" and "href" in given and not self._elsewhere:
            if self._followed < MOST_LINKS:
                self._followed += 1
                self._links += _target(given["href"], self._places)
        elif token.name == "img" and given.get("alt", "").strip():
            self._inline.append(given["alt"])
            self._span = (token.at if self._span[0] < 0 else self._span[0], token.end)
        elif token.name in {"td", "th"} and self._inline:
            self._inline.append(" | ")

    def _boundary(self, token: Token) -> None:
        """What a tag does to the text that was gathered before it."""
        name = token.name
        if name in _HEADINGS or name in {"pre", "xmp"}:
            self._flush("\n\n")
        elif self._level and name in _BLOCKS:
            ends = (
                not token.closing and name in _ENDS_HEADING and bool("".join(self._inline).strip())
            )
            if ends:
                self._flush("\n\n")
            else:
                self._inline.append(" ")
        elif self._preformatted and name in _BLOCKS:
            if name == "br" or (self._inline and not self._inline[-1].endswith("\n")):
                self._inline.append("\n")
        elif name in _PARAGRAPHS:
            self._flush("\n\n")
        elif name in _LINES:
            self._flush("\n")

    def _flush(self, gap: str) -> None:
        """End the block that was begun, if there is anything in it. The longer gap wins."""
        whole = "".join(self._inline)
        kept = whole.strip("\n").rstrip() if self._preformatted else _BLANKS.sub(" ", whole).strip()
        if kept.strip():
            begin, end = self._span
            first, last = (bisect_right(self._line_ends, at) + 1 for at in (begin, end - 1))
            if self._level:
                title = line(kept, "title")
                anchor = line(self._anchor, "id")
                block = Block(title, self._level, "", first, last, tuple(self._links), anchor)
            else:
                text = self._mark + kept
                block = Block(text, 0, self._gap or "\n", first, last, tuple(self._links))
            self._blocks.append(block)
            self._gap = self._mark = self._anchor = ""
            self._links = []
        self._inline, self._span, self._level = [], (-1, -1), 0
        self._gap = max(self._gap, gap)


def _target(href: str, places: Places) -> list[str]:
    """The placeholder of the file that is meant, if it can lie in the same folder."""
    path = href.strip().partition("#")[0].partition("?")[0]
    if not path or path.startswith("/"):
        return []
    whole = f"{path}index.html" if path.endswith("/") else path
    found = places.meant(Link(line=0, relation="links", form="path", target=whole))
    return [each for each in found if each not in places.own()]
