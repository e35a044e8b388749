"""Windows: where code without a grammar is cut, and that nothing of it is lost."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse.code.windows import LINES, MOST_CHARACTERS, OVERLAP, windows
from pinyon.index.parse.origin import Origin, Parsed
from pinyon.model.record import Edge, Record

MAY = datetime(2024, 5, 1, tzinfo=UTC)
FILE = Origin("shop", "bin/run.sh", MAY)


def test_a_short_file_is_one_record_that_its_file_contains() -> None:
    record = Record(
        kind="code",
        id="shop/bin/run.sh",
        title="run.sh",
        body="set -e\n\nrun",
        scope="shop/bin",
        source="shop/bin/run.sh",
        lines=(2, 4),
        updated_at=MAY,
        extra={"language": "sh", "symbol": "lines"},
    )
    edge = Edge("file:shop/bin/run.sh", "contains", "shop/bin/run.sh", evidence="bin/run.sh:2")
    assert windows("\nset -e\n\nrun\n", FILE) == Parsed((record,), edges=(edge,))


@pytest.mark.proves("G11")
def test_a_long_file_is_windows_that_overlap() -> None:
    parsed = windows("\n".join(f"echo {n}" for n in range(1, 131)), FILE)
    assert [(record.id, record.title, record.lines) for record in parsed.records] == [
        ("shop/bin/run.sh", "run.sh 1-60", (1, LINES)),
        ("shop/bin/run.sh#2", "run.sh 51-110", (LINES - OVERLAP + 1, 110)),
        ("shop/bin/run.sh#3", "run.sh 101-130", (101, 130)),
    ]


def test_a_blank_file_has_no_record() -> None:
    assert windows("\n \n", FILE) == Parsed(())


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(["", " ", "word", "x" * 1_500, "y" * 5_000]), max_size=150))
def test_no_line_is_lost_and_no_window_is_too_long(lines: list[str]) -> None:
    parsed = windows("\n".join(lines), FILE)
    kept: set[int] = set()
    for record in parsed.records:
        assert record.lines
        first, last = record.lines
        assert record.body == "\n".join(lines[first - 1 : last])
        assert len(record.body) <= MOST_CHARACTERS or first == last
        kept.update(range(first, last + 1))
    assert kept >= {number for number, line in enumerate(lines, start=1) if line.strip()}
