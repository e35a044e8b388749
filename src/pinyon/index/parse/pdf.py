"""PDF: one record a page that has text. Needs the extra `documents`.

What a file can cost is bounded by numbers of pages, operators and bytes, so that the same file
gives the same records everywhere. A clock is asked as well, for files that were made to be slow.
"""

import io
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pinyon.index.parse.given import clean, moment, summed
from pinyon.index.parse.links import Places
from pinyon.index.parse.origin import NAMES, Origin, Parsed, line
from pinyon.model.check import LIMITS
from pinyon.model.errors import InvalidInput
from pinyon.model.record import Edge, Record

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MOST_PAGES = 5_000
MOST_OPERATORS = 5_000_000
"""Of a file: what draws its text and lines. A dense page has a few thousand of them."""

LONGEST_S = 120.0
"""Of computing, for one file: some thousand ordinary pages take less."""

MOST_CHARACTERS = 1_000_000
"""Of a page: there is no paper that holds more."""

LIMITS_OF_READING: dict[str, Any] = {
    "array_based_stream_maximum_output_length": 16_000_000,
    "lzw_maximum_output_length": 16_000_000,
    "run_length_maximum_output_length": 16_000_000,
    "zlib_maximum_output_length": 16_000_000,
    "stream_decoding_work_maximum_length": 32_000_000,
    "stream_parsing_work_maximum_count": 400_000,
    "xform_maximum_invocations_per_extraction": 500,
    "jbig2dec_binary": None,
}
"""Of one stream or page, in place of pypdf's own. No other program is called."""

_NO_TITLE = ("", "untitled", "untitled document")
NEEDED = "needs: pip install 'pinyon[documents]'"


class TooMuch(Exception):
    """A file costs more than is spent on one."""


@dataclass(slots=True)
class _Meter:
    """Counts operators; raises TooMuch when there are too many of them, or it took too long."""

    clock: Callable[[], float]
    until: float
    left: int

    def count(self, *operator: object) -> None:
        self.left -= 1
        if self.left < 0 or self.clock() > self.until:
            raise TooMuch


@dataclass(slots=True)
class _Pages:
    """The text of each page that has one, by its number, and what went wrong."""

    texts: dict[int, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def pdf(
    content: str | bytes, origin: Origin, *, clock: Callable[[], float] = time.thread_time
) -> Parsed:
    """Raises InvalidInput where the library is missing, or the file is encrypted or broken. A page
    that cannot be read is left out, with a warning; so is a file of nothing but images."""
    try:
        from pypdf import PdfReader, apply_configuration
    except ImportError:
        raise InvalidInput(NEEDED) from None
    quiet = logging.getLogger("pypdf")
    if not quiet.handlers:  # else what it has to say of each broken file goes to the terminal
        quiet.addHandler(logging.NullHandler())
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    with apply_configuration(**LIMITS_OF_READING):
        try:
            reader = PdfReader(io.BytesIO(data))
            if reader.is_encrypted and not reader.decrypt(""):
                raise InvalidInput("encrypted", remedy="save it without a password")
            total = len(reader.pages)
        except InvalidInput:
            raise
        except Exception as problem:  # foreign code on a foreign file: anything can come out of it
            raise InvalidInput(_reason(problem)) from None
        pages = _read(reader, total, _Meter(clock, clock() + LONGEST_S, MOST_OPERATORS))
        about = _about(reader)
    if not pages.texts and not pages.warnings:
        return Parsed((), "has no text: scanned, or only images")
    return _parsed(pages, origin, about)


def _reason(problem: Exception) -> str:
    from pypdf.errors import DependencyError

    if isinstance(problem, DependencyError):
        return "encrypted with AES (needs: pip install cryptography)"
    return f"not a PDF document that can be read: {_shown(problem)}"


def _read(reader: "PdfReader", total: int, meter: _Meter) -> _Pages:
    pages = _Pages()
    for number in range(1, min(total, MOST_PAGES) + 1):
        try:
            meter.count()  # a page that cannot be read takes its time, too
            text = _text(reader.pages[number - 1], meter)
        except TooMuch:
            pages.warnings.append(f"read up to page {number - 1}: the rest takes too long")
            return pages
        except Exception as problem:  # one page of foreign making must not stop the others
            pages.warnings.append(f"page {number}: cannot be read: {_shown(problem)}")
            continue
        if text:
            pages.texts[number] = text
    if total > MOST_PAGES:
        pages.warnings.append(f"has {total:,} pages; only the first {MOST_PAGES:,} are read")
    return pages


def _text(page: "PageObject", meter: _Meter) -> str:
    found = page.extract_text(visitor_operand_before=meter.count)
    kept = (each.rstrip() for each in clean(found[:MOST_CHARACTERS]).split("\n"))
    return "\n".join(kept).strip()


def _about(reader: "PdfReader") -> dict[str, Any]:
    """Title, author and date, those of them that can be read."""
    about: dict[str, Any] = {}
    for name in ("title", "author", "creation_date"):
        try:
            about[name] = getattr(reader.metadata, name, None)
        except Exception:  # whatever a broken date or a broken table of objects raises: not known
            about[name] = None
    return about


def _parsed(pages: _Pages, origin: Origin, about: dict[str, Any]) -> Parsed:
    given = line(str(about["title"] or ""), "title")[: LIMITS["title"] - 20]
    title = origin.words if given.lower() in _NO_TITLE else given
    records = tuple(
        Record(
            kind="doc",
            id=f"{origin.id}#page-{number}",
            title=f"{title} (page {number})",
            body=text,
            author=line(str(about["author"] or ""), "author"),
            scope=origin.scope,
            source=origin.id,
            created_at=moment(about["creation_date"]),
            updated_at=origin.modified_at,
            extra={"page": number},
        )
        for number, text in pages.texts.items()
    )
    edges = tuple(_edges(records, origin))
    return Parsed(records, summed(pages.warnings), edges, title if records else "")


def _edges(records: tuple[Record, ...], origin: Origin) -> Iterator[Edge]:
    """The first page answers to the path; each can be linked to as browsers do it."""
    places = Places(origin)
    for number, record in enumerate(records):
        yield Edge(origin.file_id, "contains", record.id)
        # "#page=2" of a link, as it is written in a placeholder
        names = [*([] if number else places.own()), *places.own(f"#page{record.extra['page']}")]
        yield from (Edge(record.id, NAMES, name) for name in names)


def _shown(problem: Exception) -> str:
    return line(str(problem), "title")[:200] or type(problem).__name__
