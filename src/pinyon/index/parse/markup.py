"""Markup: HTML as a flat run of tags and texts, read as leniently as a browser reads it.

No tree is built, so depth costs nothing. The parser of the standard library needs quadratic time
for some broken pages (60 kB of "<a " take most of a minute); here each character is looked at a
bounded number of times.
"""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import NamedTuple

_TAG = re.compile(r"</?([a-zA-Z][^\s/>]*)")
_BLANK = re.compile(r"[\s/]*")
_ATTRIBUTE = re.compile(r"""(=?[^\s/>=]+|=)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""")
_HUGE = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")
"""Numbers of no character, which Python may refuse to read at all."""

_DROPPED = frozenset({"script", "style", "iframe", "noembed", "noframes"})
_TEXT_ONLY = frozenset({"title", "textarea", "xmp"})
_CLOSING = {name: re.compile(rf"</{name}(?=[\s/>])", re.I) for name in _DROPPED | _TEXT_ONLY}


class Token(NamedTuple):
    """A text, or a tag where it has a `name` (in lower case). It stands at `at`, up to `end`."""

    at: int
    end: int
    text: str = ""
    name: str = ""
    closing: bool = False
    attributes: Mapping[str, str] = {}


def tokens(page: str, *, xml: bool = False) -> Iterator[Token]:
    """All tags and texts but comments and what is inside of scripts and styles. In XML a tag that
    closes itself (`<script/>`) has a closing one behind it."""
    at = 0
    never_closed: set[str] = set()
    while at < len(page):
        mark = page.find("<", at)
        if mark != at:
            end = mark if mark >= 0 else len(page)
            yield Token(at, end, characters(page[at:end]))
            at = end
            continue
        found = _TAG.match(page, at)
        if not found:
            token = _other(page, at)
            if token.text:
                yield token
            at = token.end
            continue
        tag = _tag(page, found)
        yield tag
        at = tag.end
        if not tag.name or tag.closing:
            continue
        if xml and page.endswith("/>", 0, at):
            yield tag._replace(closing=True)
        elif tag.name in _CLOSING and tag.name not in never_closed:
            closing = _CLOSING[tag.name].search(page, at)
            if closing and tag.name in _TEXT_ONLY:
                yield Token(at, closing.start(), characters(page[at : closing.start()]))
            elif not closing and tag.name in _TEXT_ONLY:
                never_closed.add(tag.name)  # read on: better a long text than none
                continue
            at = closing.start() if closing else len(page)


def characters(text: str) -> str:
    """The text with the characters that entities stand for."""
    return unescape(_HUGE.sub("\ufffd", text)) if "&" in text else text


def _tag(page: str, found: re.Match[str]) -> Token:
    """The tag that begins here; one that never ends is text, up to the end of the page."""
    begin, at = found.start(), found.end()
    attributes: dict[str, str] = {}
    while True:
        blank = _BLANK.match(page, at)
        at = blank.end() if blank else at
        attribute = _ATTRIBUTE.match(page, at)
        if not attribute:
            break
        name, value = attribute.groups(default="")
        if value[:1] in {'"', "'"} and value[-1:] == value[:1]:
            value = value[1:-1]
        attributes.setdefault(name.lower(), characters(value))
        at = attribute.end()
    if at >= len(page):
        return Token(begin, len(page), characters(page[begin:]))
    closing = page[begin + 1] == "/"
    return Token(begin, at + 1, "", found[1].lower(), closing, attributes)


def _other(page: str, at: int) -> Token:
    """What begins with < and is no tag: nothing that is seen, or a text."""
    if page.startswith("<!--", at):
        if page.startswith(("<!-->", "<!--->"), at):
            return Token(at, page.index(">", at) + 1)
        return Token(at, _after(page, "-->", at + 4))
    if page.startswith("<![CDATA[", at):
        end = _after(page, "]]>", at)
        return Token(at, end, page[at + 9 : end].removesuffix("]]>"))
    if page.startswith(("<!", "<?", "</"), at):
        return Token(at, _after(page, ">", at))
    return Token(at, at + 1, "<")


def _after(page: str, mark: str, at: int) -> int:
    found = page.find(mark, at)
    return found + len(mark) if found >= 0 else len(page)
