"""Documents: a line of a corpus becomes the record that a user would have saved."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.evaluate.documents import CUT, EMPTY, MENDED, read_document
from pinyon.model.check import LIMITS, recheck
from pinyon.model.record import Record

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_a_turn_of_a_conversation_is_a_memory_of_its_speaker() -> None:
    metadata = {"conv": "c1", "session": 2, "date": "2023-05-08T13:56:00", "speaker": "Ana\n"}
    given = {"_id": "t1", "title": None, "text": "hello", "metadata": metadata}
    assert read_document(given, "conv") == (
        Record(
            kind="memory",
            id="t1",
            body="hello",
            author="Ana",
            scope="c1",
            created_at=datetime(2023, 5, 8, 13, 56, tzinfo=UTC),
            extra={"conv": "c1", "session": 2},
        ),
        [],
    )


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ({"_id": "1"}, "doc"),
        ({"_id": "src/app.py"}, "code"),
        ({"_id": "1", "title": "lib/Main.RS"}, "code"),
        ({"_id": "README.md"}, "doc"),
        ({"_id": "a.py", "metadata": {"role": "user"}}, "memory"),
        ({"_id": "a.py", "metadata": {"kind": "note"}}, "note"),
        ({"_id": "1", "metadata": {"kind": "section"}}, "doc"),
    ],
)
def test_the_kind_comes_from_the_metadata_or_the_name(document: dict[str, Any], kind: str) -> None:
    assert read_document(document)[0].kind == kind


@pytest.mark.parametrize("date", ["March-15-2024", "March 15, 2024", "15 March 2024", "2024-03-15"])
def test_a_date_becomes_the_date_of_creation(date: str) -> None:
    record, _ = read_document({"_id": "1", "metadata": {"date": date}})
    assert (record.created_at, record.extra) == (datetime(2024, 3, 15, tzinfo=UTC), {})


def test_what_is_no_date_stays_in_the_metadata() -> None:
    record, _ = read_document({"_id": "1", "metadata": {"date": "CACM December, 1958"}})
    assert (record.created_at, record.extra) == (None, {"date": "CACM December, 1958"})


def test_only_what_exceeds_a_record_is_cut() -> None:
    title, body = "t" * (LIMITS["title"] + 1), "b" * LIMITS["body"]
    record, remarks = read_document({"_id": "1", "title": title, "text": body})
    assert (record.title, record.body) == (title[:-1], body)
    assert remarks == [CUT]


def test_a_title_is_one_line_and_a_body_keeps_its_own() -> None:
    record, remarks = read_document({"_id": 1, "title": " a\n b\x00", "text": "c\n\td\x00\ud800"})
    assert (record.id, record.title, record.body) == ("1", "a  b", "c\n\td")
    assert remarks == [MENDED]


def test_an_empty_document_is_a_record_all_the_same() -> None:
    assert read_document({"_id": "1", "title": "", "text": " \n"}) == (
        Record(kind="doc", id="1", body=" \n"),
        [EMPTY],
    )


def test_metadata_that_does_not_fit_is_dropped_key_by_key() -> None:
    metadata = {"large": "x" * LIMITS["extra"], "not a number": float("nan"), "small": [1, None]}
    assert read_document({"_id": "1", "metadata": metadata})[0].extra == {"small": [1, None]}


@given(st.text(), st.text(), st.dictionaries(st.text() | st.just("speaker"), JSON, max_size=4))
def test_any_text_and_metadata_make_a_record_that_can_be_stored(
    title: str, text: str, metadata: dict[str, Any]
) -> None:
    record, _ = read_document({"_id": "1", "title": title, "text": text, "metadata": metadata})
    assert recheck(record) == record
