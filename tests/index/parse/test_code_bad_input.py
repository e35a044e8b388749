"""Bad input: of any file, what can be read is read, and the reason for the rest is told."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.index.parse.code import code
from pinyon.index.parse.code.languages import SUFFIXES
from pinyon.index.parse.origin import Origin, Parsed
from pinyon.model.check import check_edge, recheck
from pinyon.model.wire import edge_to_json

MAY = datetime(2024, 5, 1, tzinfo=UTC)
PIECES = (
    "class A", "def f(self):", "function g() ", "fn h() -> T ", "impl A for B<C> ", "{", "}", "(",
    ")", "<", ">", "\n", "\n    ", '"', "'", "/*", "*/", "//", "#", ":", ";", ",", "::", "=", "=>",
    "@x", "import a.b", "from . import *", "use a::{b, c}", "#include <a>", "namespace N",
    "module M\n", "end\n", "struct S", "enum E", "interface I", "extends B", "export default ",
    "<?php\n", "é", "日",
)  # fmt: skip


@pytest.mark.proves("G11")
def test_a_syntax_error_costs_only_what_it_breaks() -> None:
    text = "def good():\n    return 1\n\ndef (broken:\n\nclass Fine:\n    def add(self): pass\n"
    parsed = read("a.py", text)
    assert parsed.warning == "line 4: not understood"
    assert {"good", "Fine", "Fine.add"} <= {record.title for record in parsed.records}


def test_what_is_missing_at_the_end_is_told() -> None:
    parsed = read("a.java", "class A {\n  void f() {\n    int x = 1;\n  }\n")
    assert parsed.warning.endswith(": not understood")
    assert "A.f" in {record.title for record in parsed.records}


def test_macros_are_no_reason_for_a_warning_where_symbols_were_found() -> None:
    text = "int f(void) {\n  return 1;\n}\nextern int a() THROW (x y);\nEND_DECLS\n"
    parsed = read("a.h", text)
    assert parsed.warning == ""
    assert "f" in {record.title for record in parsed.records}
    assert read("b.h", "BEGIN_DECLS ( ( {\n").warning == "line 1: not understood"


@pytest.mark.parametrize("opening", ["class A {\n", "namespace a {\n", "if (a) {\n", "f(\n", "[\n"])
def test_deep_nesting_is_read(opening: str) -> None:
    deep = "".join(f"{opening} // {n}\n" for n in range(3_000))
    for suffix in (".js", ".cs", ".cpp"):
        parsed = read(f"a{suffix}", deep)
        assert sound(parsed, deep)


def test_a_minified_file_is_windows_of_lines_cut_to_a_length() -> None:
    parsed = read("a.min.js", "var a=1;" * 10_000)
    assert [(record.id, len(record.body)) for record in parsed.records] == [
        ("shop/a.min.js", 5_000)
    ]
    assert parsed.warning == "line 1: only its first 5,000 characters are read"


def test_one_long_line_among_others_does_not_stop_the_parser() -> None:
    text = f'DATA = "{"x" * 6_000}"\n' + "".join(f"def f{n}(): pass\n" for n in range(1_000))
    assert len(read("a.py", text).records) == 1_000


@pytest.mark.parametrize("piece", ["/*\n", "/ * \n", "%w(\n"])
def test_the_same_line_again_and_again_is_not_given_to_the_parser(piece: str) -> None:
    parsed = read("a.py", piece * 3_000)
    assert {record.extra["symbol"] for record in parsed.records} == {"lines"}


def test_a_header_is_read_as_what_it_holds() -> None:
    plus = read("a.h", "namespace n {\nclass A {\n  int f() { return 1; }\n};\n}\n").records
    plain = read("a.h", "struct a {\n  int f;\n};\n").records
    assert {record.extra["language"] for record in plus} == {"cpp"}
    assert {record.extra["language"] for record in plain} == {"c"}


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(SUFFIXES)),
    st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=60).map("".join),
)
def test_any_text_becomes_records_that_can_be_kept(suffix: str, text: str) -> None:
    plain = text.replace("\x00", "").replace("\r", "\n")
    assert sound(read(f"dir/a{suffix}", plain), plain)


def sound(parsed: Parsed, text: str) -> bool:
    """Every record passes the checks and lies inside of the file, and edges end where they may."""
    last = text.count("\n") + 1
    known = {"file:shop/dir/a", *(record.id for record in parsed.records)}
    assert len(known) == len(parsed.records) + 1
    for record in parsed.records:
        recheck(record)
        assert record.lines
        assert 1 <= record.lines[0] <= record.lines[1] <= last
    for edge in parsed.edges:
        check_edge(edge_to_json(edge))
        assert edge.from_id in known or edge.from_id.startswith("file:")
        assert edge.to_id in known or edge.to_id.startswith("@")
    assert len({(e.from_id, e.relation, e.to_id) for e in parsed.edges}) == len(parsed.edges)
    return True


def read(path: str, text: str) -> Parsed:
    return code(text, Origin("shop", path, MAY))
