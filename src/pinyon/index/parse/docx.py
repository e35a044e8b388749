"""DOCX: a Word document by its headings, tables as lines of text.

Read with the standard library: the archive is unpacked up to a limit, and XML that declares a
document type (the only way to entities) is refused.
"""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import NamedTuple
from xml.parsers import expat

from pinyon.index.parse.given import clean, moment
from pinyon.index.parse.origin import FrontMatter, Origin, Parsed, line
from pinyon.index.parse.sections import Block, sections
from pinyon.index.parse.word import Body, Properties, Relations, Styles
from pinyon.model.errors import InvalidInput

MOST_XML = 64_000_000
"""The most bytes of one part of a document, unpacked: some thousand pages."""

MOST_DEPTH = 500
"""Tables in tables in tables: Word itself stops long before."""

_MOST_PARTS = 20_000
_PART = b"PK\x01\x02"
_OLD = b"\xd0\xcf\x11\xe0"
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,  # encrypted, or packed in a way that is not known
    ValueError,
)
"""What zipfile raises for a broken archive."""


class Part(NamedTuple):
    """The name of a part, and what reads it."""

    name: str
    reader: Body | Properties | Relations | Styles


def docx(content: str | bytes, origin: Origin) -> Parsed:
    """One record a heading. Raises InvalidInput for what is no such document."""
    data = content.encode() if isinstance(content, str) else content
    if data.startswith(_OLD):
        raise InvalidInput("encrypted, or a document of old Word", remedy="save it as plain DOCX")
    if data.count(_PART) > _MOST_PARTS:
        raise InvalidInput(f"an archive of more than {_MOST_PARTS:,} parts")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _document(archive, origin)
    except _DAMAGED as problem:
        raise InvalidInput(f"not a DOCX document: {problem}") from None


def _document(archive: zipfile.ZipFile, origin: Origin) -> Parsed:
    relations, styles, properties = Relations(), Styles(), Properties()
    names = set(archive.namelist())
    _read(archive, Part("_rels/.rels", relations), names)
    main = relations.main if relations.main in names else "word/document.xml"
    if main not in names:
        raise InvalidInput("not a DOCX document: it has no text part")
    _read(archive, Part(f"{main.rpartition('/')[0]}/styles.xml", styles), names)
    _read(archive, Part("docProps/core.xml", properties), names)
    body = Body(styles.levels())
    _read(archive, Part(main, body), names)
    return sections(_blocks(body), origin, _front(properties.said, body.title))


def _read(archive: zipfile.ZipFile, part: Part, names: set[str]) -> None:
    """Feed a part to its reader; one that is missing says nothing."""
    if part.name not in names:
        return
    with archive.open(part.name) as opened:
        data = opened.read(MOST_XML + 1)
    if len(data) > MOST_XML:
        raise InvalidInput(f"{part.name} has more than {MOST_XML:,} bytes, unpacked")
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MOST_DEPTH:
            raise InvalidInput(f"{part.name} is nested too deeply")
        part.reader.begin(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        part.reader.end(name)

    def refuse(*declared: object) -> None:
        raise InvalidInput(f"{part.name} declares a document type, which no document needs")

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = part.reader.text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as problem:
        raise InvalidInput(f"not a DOCX document: {part.name}: {problem}") from None


def _blocks(body: Body) -> list[Block]:
    """A title, which stands above every heading, moves the headings one level down."""
    below = int(any(block.level == body.TITLE for block in body.blocks))
    return [
        block._replace(level=1 if block.level == body.TITLE else block.level + below)
        if block.level
        else block
        for block in body.blocks
    ]


def _front(said: Mapping[str, str], title: str) -> FrontMatter:
    shared = {
        "author": line(said.get("creator", ""), "author"),
        "created_at": moment(said.get("created", "")),
    }
    named = line(clean(said.get("title", "")), "title") or title
    description = line(said.get("description", ""), "context")
    return FrontMatter(
        given=bool(description),
        title=named,
        description=description,
        shared={name: value for name, value in shared.items() if value},
    )
