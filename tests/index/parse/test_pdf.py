"""PDF: one record a page, and what is said of files that cannot be read."""

import sys
import zlib
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse import pdf as module
from pinyon.index.parse.origin import NAMES, Origin
from pinyon.index.parse.pdf import NEEDED, pdf
from pinyon.model.check import recheck
from pinyon.model.errors import InvalidInput
from pinyon.model.record import Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("papers", "2024/annual_report.pdf", MAY)


def drawn(*lines: str) -> bytes:
    """What draws the lines on a page, from top to bottom."""
    shown = "".join(f"({line}) Tj 0 -20 Td " for line in lines)
    return f"BT /F1 12 Tf 72 720 Td {shown}ET".encode("latin-1")


def document(pages: Sequence[bytes], about: str = "", packed: bool = False) -> bytes:
    """A PDF file by hand; `about` is the inside of its dictionary of information."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>"
        % (len(pages), b" ".join(b"%d 0 R" % (5 + 2 * n) for n in range(len(pages)))),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< {about} >>".encode("latin-1"),
    ]
    for number, content in enumerate(pages):
        stream = zlib.compress(content, 9) if packed else content
        way = b" /Filter /FlateDecode" if packed else b""
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % (6 + 2 * number)
        )
        objects.append(b"<< /Length %d%s >>\nstream\n%s\nendstream" % (len(stream), way, stream))
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, each in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>" % count
    start = b"startxref\n%d\n%%%%EOF\n" % len(out)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % count
    return bytes(out + head + table + trailer + b"\n" + start)


@pytest.mark.proves("X19")
def test_each_page_of_a_pdf_is_a_record() -> None:
    about = "/Title (Annual report) /Author (Ada) /CreationDate (D:20240203040506+01'00')"
    pages = [drawn("Revenue grew", "by a third."), drawn(), drawn("Risks")]

    def page(number: int, body: str) -> Record:
        return Record(
            kind="doc",
            id=f"papers/2024/annual_report.pdf#page-{number}",
            title=f"Annual report (page {number})",
            body=body,
            author="Ada",
            scope="papers/2024",
            source="papers/2024/annual_report.pdf",
            created_at=datetime(2024, 2, 3, 3, 5, 6, tzinfo=UTC),
            updated_at=MAY,
            extra={"page": number},
        )

    parsed = pdf(document(pages, about), FILE)
    assert parsed.records == (page(1, "Revenue grew\nby a third."), page(3, "Risks"))
    assert (parsed.warning, parsed.outline) == ("", "Annual report")
    named = {edge.to_id: edge.from_id for edge in parsed.edges if edge.relation == NAMES}
    assert named["@path:papers/2024/annual_report"] == f"{FILE.id}#page-1"
    assert named["@path:papers/2024/annual_report#page3"] == f"{FILE.id}#page-3"


def test_a_pdf_without_a_title_is_called_after_its_file() -> None:
    about = "/Title (untitled) /CreationDate (D:99999999999999)"
    record = pdf(document([drawn("x")], about), FILE).records[0]
    assert (record.title, record.created_at) == ("annual report (page 1)", None)


def test_without_the_library_the_reason_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(InvalidInput, match="needs: pip install 'pinyon") as raised:
        pdf(document([drawn("x")]), FILE)
    assert str(raised.value) == NEEDED


def test_a_scanned_document_says_that_it_has_no_text() -> None:
    parsed = pdf(document([b"", b"q Q"]), FILE)
    assert (parsed.records, parsed.warning) == ((), "has no text: scanned, or only images")


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7\n", b"not a pdf at all", b"\x00" * 5000])
def test_what_is_no_pdf_is_refused_with_the_reason(content: bytes) -> None:
    with pytest.raises(InvalidInput, match="not a PDF document that can be read"):
        pdf(content, FILE)


def test_an_encrypted_document_is_refused_with_the_reason() -> None:
    from io import BytesIO

    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(document([drawn("secret")]))))
    writer.encrypt("password", algorithm="RC4-128")
    locked = BytesIO()
    writer.write(locked)
    with pytest.raises(InvalidInput, match="encrypted"):
        pdf(locked.getvalue(), FILE)


def test_a_broken_page_does_not_hide_the_others() -> None:
    broken = document([drawn("one"), drawn("two")]).replace(b"/Contents 6 0 R", b"/Contents (no)  ")
    parsed = pdf(broken, FILE)
    assert [record.body for record in parsed.records][-1:] == ["two"]


def test_a_page_that_unpacks_to_too_much_is_left_out() -> None:
    bomb = b" " * 17_000_000 + drawn("boom")
    parsed = pdf(document([bomb, drawn("fine")], packed=True), FILE)
    assert [record.id for record in parsed.records] == [f"{FILE.id}#page-2"]
    assert parsed.warning.startswith("page 1: cannot be read: ")


def test_only_so_many_pages_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 2)
    parsed = pdf(document([drawn("one"), drawn("two"), drawn("three")]), FILE)
    assert [record.body for record in parsed.records] == ["one", "two"]
    assert parsed.warning == "has 3 pages; only the first 2 are read"


def test_a_file_that_draws_too_much_is_read_up_to_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_OPERATORS", 1_000)
    parsed = pdf(document([drawn("one"), b"0 0 m " * 2_000, drawn("three")]), FILE)
    assert [record.body for record in parsed.records] == ["one"]
    assert parsed.warning == "read up to page 1: the rest takes too long"


def test_a_file_that_takes_too_long_is_read_up_to_a_page() -> None:
    ticks = count(step=10)  # every look at the clock finds it ten seconds later
    pages = [drawn("one"), drawn("two"), drawn("three")]
    parsed = pdf(document(pages), FILE, clock=lambda: float(next(ticks)))
    assert parsed.records[0].body == "one"
    assert parsed.warning == f"read up to page {len(parsed.records)}: the rest takes too long"


def test_lists_in_lists_without_end_are_left_out() -> None:
    parsed = pdf(document([b"[" * 50_000, drawn("fine")]), FILE)
    assert [record.body for record in parsed.records] == ["fine"]
    assert parsed.warning.startswith("page 1: cannot be read: ")


WHOLE = document([drawn("one"), drawn("two")], "/Title (x)")


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.integers(0, len(WHOLE) - 1), st.integers(0, 255), max_size=8))
def test_a_damaged_document_is_read_or_refused(damage: dict[int, int]) -> None:
    content = bytearray(WHOLE)
    for place, byte in damage.items():
        content[place] = byte
    with suppress(InvalidInput):
        parsed = pdf(bytes(content), FILE)
        assert [recheck(record) for record in parsed.records] == list(parsed.records)
