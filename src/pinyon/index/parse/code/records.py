"""Records: each symbol of a file as a record, and what stands outside of them as one more."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from pinyon.index.parse.code.found import SPOKEN, Found, Symbol
from pinyon.index.parse.code.languages import Language
from pinyon.index.parse.origin import Origin, line
from pinyon.model.check import LIMITS
from pinyon.model.record import Record

FEW_LINES = 3
"""So many lines outside of symbols, without imports, are no record of their own."""

LONGEST_CONTEXT = 200
"""It goes with every passage, so it must leave room for the text."""

_LONGEST_SIGNATURE = 120
_KEPT_SIGNATURE = 2_000
_BRACKETS = {"(": ")", "[": "]"}
_MARKS = re.compile(r"""^\s*(?:/\*+!?|\*+/?|//[/!]*|#+|[rRuUbBfF]{0,2}(?:"{3}|'{3}|"|'))\s?""")
_TAGS = re.compile(r"</?\w[^<>]*>")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")
_ONLY_BRACKETS = re.compile(r"^[ \t]*[{}()\[\];,]+[ \t]*$\n?", re.MULTILINE)
_INSIDE_BRACKETS = re.compile(r"([(\[]) |,? ([)\]])")
_SETTING = re.compile(r"#!?\[|#!/")


class Named(NamedTuple):
    """A symbol with its id and its signature."""

    id: str
    symbol: Symbol
    signature: str
    title: str


class Lines:
    """Offsets in bytes as numbers of lines, from 1."""

    def __init__(self, source: bytes) -> None:
        self._starts = [0, *(each.end() for each in re.finditer(b"\n", source))]

    def at(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self.at(start), self.at(max(start, end - 1))


def name_symbols(
    source: bytes, found: Found, language: Language, origin: Origin
) -> tuple[Named, ...]:
    """In the order of the symbols. What has the name of another one gets ~2, ~3 and so on."""
    taken: dict[str, int] = {}
    named = []
    room = LIMITS["id"] - len(origin.id) - len("#~999999")
    for symbol in found.symbols:
        bare = ".".join(symbol.names)[: max(1, room)].strip() or "symbol"
        name = bare
        while name in taken:
            taken[bare] += 1
            name = f"{bare}~{taken[bare]}"
        taken[name] = 1
        title = _title(symbol, language)
        named.append(Named(f"{origin.id}#{name}", symbol, _signature(source, symbol), title))
    return tuple(named)


def records_of(
    source: bytes,
    found: Found,
    named: Sequence[Named],
    language: Language,
    origin: Origin,
    lines: Lines,
) -> Iterator[Record]:
    """In the order of the text; what stands outside of all symbols comes first."""
    inside: dict[int, list[Named]] = {}
    for each in named:
        inside.setdefault(each.symbol.parent, []).append(each)
    docs = [_first_line(_said(source, found, n, each)) for n, each in enumerate(named)]
    outside = _outside(source, found, named, language, origin, lines)
    if outside:
        yield outside
    for number, each in enumerate(named):
        symbol = each.symbol
        parent = named[symbol.parent] if symbol.parent >= 0 else None
        about = docs[number]
        if not about and parent:
            about = f"in {parent.title}"
            if docs[symbol.parent]:
                about += f": {docs[symbol.parent]}"
        elif not about and symbol.namespace:
            about = f"in {language.inner.join(symbol.namespace)}"
        yield Record(
            kind="code",
            id=each.id,
            title=each.title,
            body=_text(source, symbol, inside.get(number, ())),
            context=_context(each.signature, about),
            scope=origin.scope,
            source=origin.id,
            lines=lines.span(symbol.start, symbol.end),
            updated_at=origin.modified_at,
            extra={
                "language": language.name,
                "symbol": SPOKEN.get(symbol.kind, symbol.kind),
                "signature": each.signature[:_KEPT_SIGNATURE],
            },
        )


def _title(symbol: Symbol, language: Language) -> str:
    """As programmers write it: Engine.search, Shop::Cart#add."""
    before = {"method": language.member, "singleton": "."}.get(symbol.kind, language.inner)
    outer = language.inner.join(symbol.names[:-1])
    return line(f"{outer}{before}{symbol.name}" if outer else symbol.name, "title")


def _signature(source: bytes, symbol: Symbol) -> str:
    written = source[symbol.head : max(symbol.head, symbol.body)].decode()
    words = " ".join(_bare(written).split())
    if "\n" in written:
        words = _INSIDE_BRACKETS.sub(r"\1\2", words)
    return words.rstrip(";{ ").removesuffix("=>").rstrip(":= ")


def _bare(written: str) -> str:
    """Without the annotations and attributes at its beginning."""
    at = 0
    text = written.lstrip()
    while text.startswith(("@", "[", "#[")) and not text.startswith("@interface"):
        name = re.match(r"@[\w.]*|#?(?=\[)", text)
        at = name.end() if name else 1
        if text[at : at + 1] in _BRACKETS:
            at = _closed(text, at)
        if at >= len(text):
            return written
        text = text[at:].lstrip()
    return text


def _closed(text: str, at: int) -> int:
    """Where the bracket at this place is closed."""
    opening, depth = text[at], 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == _BRACKETS[opening])
        if depth == 0:
            return place + 1
    return len(text)


def _said(source: bytes, found: Found, number: int, each: Named) -> str:
    span = found.docs.get(number) or each.symbol.comment
    return source[span[0] : span[1]].decode() if span else ""


def _first_line(doc: str) -> str:
    """Of a comment or a docstring, without the marks that make it one."""
    for written in doc.split("\n"):
        if _SETTING.match(written.strip()):
            continue
        plain = _TAGS.sub("", _MARKS.sub("", written)).strip()
        plain = plain.removesuffix("*/").rstrip("\"' ").strip()
        if plain:
            return plain
    return ""


def _context(signature: str, about: str) -> str:
    short = _cut(signature, _LONGEST_SIGNATURE)
    return line(f"{short} | {about}" if about else short, "context")[:LONGEST_CONTEXT].strip()


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _text(source: bytes, symbol: Symbol, members: Sequence[Named]) -> str:
    """The whole of it; of what has members, their signatures only."""
    pieces = []
    apart = []
    at = symbol.start
    for each in members:
        if at <= each.symbol.start and each.symbol.end <= symbol.end:
            pieces += [source[at : each.symbol.start].decode(), each.signature]
            at = each.symbol.end
        elif not symbol.start <= each.symbol.start < symbol.end:
            apart.append(each.signature)
    pieces.append(source[at : symbol.end].decode())
    return "\n".join(["".join(pieces), *apart])


def _outside(
    source: bytes,
    found: Found,
    named: Sequence[Named],
    language: Language,
    origin: Origin,
    lines: Lines,
) -> Record | None:
    """Imports, constants, what runs: one record with the file's own id, unless there is little."""
    taken = sorted([(each.symbol.start, each.symbol.end) for each in named] + found.headers)
    pieces: list[tuple[int, int]] = []
    at = 0
    for start, end in [*taken, (len(source), len(source))]:
        if source[at:start].strip(b" \t\n{}()[];,"):
            pieces.append((at, start))
        at = max(at, end)
    text = "\n".join(source[start:end].decode() for start, end in pieces)
    text = _BLANK_LINES.sub("\n\n", _ONLY_BRACKETS.sub("", text) if taken else text).strip("\n")
    imports = {
        number
        for start, end in found.quiet
        for number in range(lines.at(start), lines.at(max(start, end - 1)) + 1)
    }
    written = sum(1 for each in text.split("\n") if each.strip())
    if not written or (named and written - len(imports) <= FEW_LINES):
        return None
    first, last = pieces[0][0], pieces[-1][1]
    first += len(source[first:last]) - len(source[first:last].lstrip())
    last -= len(source[first:last]) - len(source[first:last].rstrip())
    said = found.docs.get(-1)
    return Record(
        kind="code",
        id=origin.id,
        title=line(PurePosixPath(origin.path).name, "title"),
        body=text,
        context=line(_first_line(source[said[0] : said[1]].decode()), "context")[:LONGEST_CONTEXT]
        if said
        else "",
        scope=origin.scope,
        source=origin.id,
        lines=lines.span(first, last),
        updated_at=origin.modified_at,
        extra={"language": language.name, "symbol": "file"},
    )
