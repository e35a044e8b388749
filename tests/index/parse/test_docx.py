"""DOCX: sections by heading, tables as text, and documents that mean harm."""

import io
import zipfile
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse import docx as module
from pinyon.index.parse.docx import MOST_DEPTH, docx
from pinyon.index.parse.origin import NAMES, Origin
from pinyon.model.check import recheck
from pinyon.model.errors import InvalidInput
from pinyon.model.record import Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("papers", "plan.docx", MAY)
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
STYLES = (
    f'<w:styles xmlns:w="{W}">'
    '<w:style w:styleId="Kop1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Kop2"><w:name w:val="heading 2"/></w:style>'
    '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="Kop2"/></w:style>'
    '<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>'
    '<w:style w:styleId="Chapter"><w:name w:val="Chapter"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr>'
    "</w:style></w:styles>"
)
CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
    "<dc:title>The plan</dc:title><dc:creator>Ada</dc:creator>"
    "<dcterms:created>2024-02-03T04:05:06Z</dcterms:created></cp:coreProperties>"
)


def p(text: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{named}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def document(body: str, head: str = "", space: str = W, **parts: str) -> bytes:
    """A DOCX file; `parts` are core and styles."""
    names = {"core": "docProps/core.xml", "styles": "word/styles.xml"}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        whole = f'{head}<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", whole)
        for name, text in parts.items():
            archive.writestr(names[name], text)
    return packed.getvalue()


def sections(content: bytes) -> dict[str, tuple[str, str]]:
    parsed = docx(content, FILE)
    return {r.id.removeprefix(FILE.id): (r.title, r.body) for r in parsed.records}


@pytest.mark.proves("X19")
def test_each_heading_of_a_document_is_a_record() -> None:
    body = (
        p("Goals", "Kop1") + p("Grow &amp; ") + p("thrive.") + p("Budget", "Mine") + p("Ten.")
        + p("Risks", "Chapter") + p("None.", "Loop")
    )  # fmt: skip

    def section(slug: str, title: str, body: str, context: str = "") -> Record:
        return Record(
            kind="doc",
            id=f"papers/plan.docx{slug}",
            title=title,
            aliases=() if slug else ("Goals",),
            body=body,
            context=context,
            author="Ada",
            scope="papers",
            source="papers/plan.docx",
            created_at=datetime(2024, 2, 3, 4, 5, 6, tzinfo=UTC),
            updated_at=MAY,
        )

    parsed = docx(document(body, core=CORE, styles=STYLES), FILE)
    assert parsed.records == (
        section("", "The plan", "Grow &\n\nthrive."),
        section("#budget", "Budget", "Ten.", "The plan"),
        section("#risks", "Risks", "None.", "The plan"),
    )
    assert parsed.outline == "The plan"
    named = {edge.to_id: edge.from_id for edge in parsed.edges if edge.relation == NAMES}
    assert named["@path:papers/plan#budget"] == "papers/plan.docx#budget"


def test_a_title_stands_above_the_headings() -> None:
    body = p("Big plan", "Title") + p("Intro.") + p("One", "Heading1") + p("Two", "Heading2")
    parsed = docx(document(body), FILE)
    assert [(r.title, r.body, r.context) for r in parsed.records] == [
        ("Big plan", "Intro.", ""),
        ("One", "", "Big plan"),
        ("Two", "", "Big plan > One"),
    ]


def test_tables_are_lines_of_text() -> None:
    def cell(inside: str) -> str:
        return f"<w:tc>{inside}</w:tc>"

    inner = f"<w:tbl><w:tr>{cell(p('x'))}{cell(p('y'))}</w:tr></w:tbl>"
    rows = (
        f"<w:tr>{cell(p('Name'))}{cell(p('Price'))}</w:tr>"
        f"<w:tr>{cell(p('two') + p('lines', 'Heading1'))}{cell(inner)}</w:tr>"
        f"<w:tr>{cell(p(''))}</w:tr>"
    )
    found = sections(document(p("before") + f"<w:tbl>{rows}</w:tbl>" + p("after")))
    assert found == {"": ("plan", "before\n\nName | Price\ntwo lines | x | y\n\nafter")}


def test_lists_breaks_and_what_was_deleted() -> None:
    def item(text: str) -> str:
        return p(text).replace(
            "<w:p>", '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr>'
        )

    body = (
        item("one") + p("two", "ListBullet")
        + "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>"
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:r><w:instrText>PAGE</w:instrText></w:r></w:p>"
        '<mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice>' + p("box")
        + "</mc:Choice><mc:Fallback>" + p("box") + "</mc:Fallback></mc:AlternateContent>"
    )  # fmt: skip
    assert sections(document(body)) == {"": ("plan", "- one\n- two\n\na\tb\nc\n\nbox")}


def test_the_strict_variant_is_read_too() -> None:
    assert sections(document(p("One", "Heading1") + p("x"), space=STRICT)) == {"": ("One", "x")}


def test_a_document_of_nothing_has_no_record() -> None:
    assert docx(document(p("") + "<w:p/>"), FILE).records == ()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a DOCX document"),
        (b"PK\x03\x04 broken", "not a DOCX document"),
        (b"\xd0\xcf\x11\xe0 old", "encrypted, or a document of old Word"),
        (b"PK\x01\x02" * 20_001, "more than 20,000 parts"),
        (document("<w:p>"), "not a DOCX document: word/document.xml: mismatched tag"),
        (document(p("x"))[:-60], "not a DOCX document"),
    ],
)
def test_what_is_no_document_is_refused_with_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        docx(content, FILE)


def test_an_archive_without_a_text_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("readme.txt", "no document")
    with pytest.raises(InvalidInput, match="it has no text part"):
        docx(packed.getvalue(), FILE)


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE w:document [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE w:document SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE w:document [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_entities_are_refused(head: str) -> None:
    with pytest.raises(InvalidInput, match="declares a document type"):
        docx(document(p("x"), head), FILE)


def test_a_document_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_XML", 10_000)
    with pytest.raises(InvalidInput, match="more than 10,000 bytes, unpacked"):
        docx(document(p("x" * 20_000)), FILE)


def test_a_document_that_is_nested_without_end_is_refused() -> None:
    deep = "<w:tbl><w:tr><w:tc>" * MOST_DEPTH
    with pytest.raises(InvalidInput, match="nested too deeply"):
        docx(document(deep), FILE)


WHOLE = document(p("One", "Heading1") + p("x"), core=CORE, styles=STYLES)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.integers(0, len(WHOLE) - 1), st.integers(0, 255), max_size=8))
def test_a_damaged_document_is_read_or_refused(damage: dict[int, int]) -> None:
    content = bytearray(WHOLE)
    for place, byte in damage.items():
        content[place] = byte
    with suppress(InvalidInput):
        parsed = docx(bytes(content), FILE)
        assert [recheck(record) for record in parsed.records] == list(parsed.records)
