"""Plain text: where a long text is cut, and that nothing of it is lost."""

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse import parse, reader
from pinyon.index.parse.origin import Origin, Parsed
from pinyon.index.parse.plain import MOST_CHARACTERS, plain
from pinyon.model.record import Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("notes", "old_log.txt", MAY)


def test_a_text_that_fits_is_one_record() -> None:
    record = Record(
        kind="doc",
        id="notes/old_log.txt",
        title="old log",
        body="one\n\n  two",
        scope="notes",
        source="notes/old_log.txt",
        lines=(2, 4),
        updated_at=MAY,
    )
    assert plain("\none\n\n  two\n\n", FILE) == Parsed((record,))


def test_a_long_text_is_cut_between_paragraphs() -> None:
    paragraph = "x" * 2500
    parsed = plain("\n\n".join([paragraph] * 5), FILE)
    assert [(record.id, record.title, record.lines) for record in parsed.records] == [
        ("notes/old_log.txt", "old log", (1, 3)),
        ("notes/old_log.txt#2", "old log (2)", (5, 7)),
        ("notes/old_log.txt#3", "old log (3)", (9, 9)),
    ]


def test_a_paragraph_that_is_too_long_is_cut_between_lines() -> None:
    parsed = plain("\n".join(["x" * 999] * 10), FILE)
    assert [record.lines for record in parsed.records] == [(1, 6), (7, 10)]


def test_a_blank_text_has_no_record() -> None:
    assert plain("\n \n", FILE) == Parsed(())


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(["", " ", "word", "x" * 1500, "y" * 7000]), max_size=40))
def test_no_line_is_lost_and_no_page_is_too_long(lines: list[str]) -> None:
    parsed = plain("\n".join(lines), FILE)
    kept = [line for record in parsed.records for line in record.body.split("\n")]
    assert [line for line in kept if line.strip()] == [line for line in lines if line.strip()]
    for record in parsed.records:
        assert len(record.body) <= MOST_CHARACTERS or "\n" not in record.body
        assert record.lines
        assert record.body == "\n".join(lines[record.lines[0] - 1 : record.lines[1]])


def test_names_without_a_suffix_are_read_where_custom_says_so() -> None:
    names = ["README", "license", "TODO", "a.MD", "b.rst", "Makefile", "a.wav", "notes.zip", "x"]
    assert [name for name in names if reader(name)] == [
        "README",
        "license",
        "TODO",
        "a.MD",
        "b.rst",
    ]
    assert parse("text", Origin("notes", "README", MAY)).records[0].title == "README"
