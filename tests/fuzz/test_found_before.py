"""What the attacks found, each kept as it was found: it broke, or took minutes, once."""

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

import pinyon
from pinyon.index.parse import code as code_module
from pinyon.index.parse import parse
from pinyon.index.parse.code import code
from pinyon.index.parse.front_matter import front_matter
from pinyon.index.parse.origin import Origin, Parsed
from pinyon.model.check import DEEPEST, check_record
from pinyon.model.errors import InvalidRecord, UnknownSetting
from pinyon.profiles.load import load
from pinyon.search.given import given_date
from tests.fuzz.law import in_time
from tests.index.parse import test_docx

MAY = datetime(2024, 5, 1, tzinfo=UTC)


def read(path: str, content: str | bytes) -> Parsed:
    with in_time():
        return parse(content, Origin("shop", path, MAY))


@pytest.mark.parametrize(
    "block", ['a: "\\UFFFFFFFF"', f"%YAML {'1' * 5_000}.1\n--- a", f"%YAML 1.{'1' * 5_000}"]
)
def test_numbers_that_python_refuses_are_text_in_front_matter(block: str) -> None:
    found, warning = front_matter(f"---\n{block}\n---\ntext\n")
    assert not found.given
    assert warning == "front matter: a number that nothing has; taken as text"


def test_front_matter_that_is_nested_deeper_than_a_record_holds_is_left_out() -> None:
    found, warning = front_matter(f"---\na: {'[' * 150}{']' * 150}\n---\n")
    assert found.rest == {}
    assert warning == "front matter: too large to keep the keys that are not known"


def test_a_record_is_not_nested_deeper_than_it_can_be_read_again() -> None:
    def nested(levels: int) -> dict[str, object]:
        return {"a": nested(levels - 1)} if levels > 1 else {}

    assert check_record({"extra": nested(DEEPEST)}).extra == nested(DEEPEST)
    with pytest.raises(InvalidRecord, match="levels deep"):
        check_record({"extra": nested(DEEPEST + 1)})


@pytest.mark.parametrize("text", [f"a = {'1' * 5_000}", f"a = {'[' * 5_000}", "a = '\ud800'"])
def test_a_profile_that_python_refuses_to_read_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(UnknownSetting, match="is not TOML"):
        load("mine", lambda: (tmp_path,))


def test_the_last_day_of_the_calendar_has_an_end() -> None:
    assert given_date("as_of", "9999-12-31", whole_day=True) == datetime.max.replace(tzinfo=UTC)
    with pinyon.open(":memory:") as engine:
        assert list(engine.search("a", as_of="9999-12-31")) == []


def test_a_header_of_blank_lines_is_read_in_no_time() -> None:
    assert read("a.h", "\n" * 1_000_000 + "int x;\n").records


@pytest.mark.parametrize(
    ("suffix", "opening", "closing"),
    [(".cpp", "namespace a%d {", "}"), (".java", "class A%d {", "}"), (".rb", "module M%d", "end")],
)
def test_types_in_types_without_end_are_text(suffix: str, opening: str, closing: str) -> None:
    lines = [opening % n for n in range(8_000)] + [closing] * 8_000
    assert len(read(f"a{suffix}", "\n".join(lines)).records) <= 51


def test_code_that_takes_too_long_to_parse_is_read_as_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(code_module, "LONGEST_S", 0.05)
    broken = "\n".join(f"<a{n} b=" for n in range(6_000))
    parsed = code(broken, Origin("shop", "a.rb", MAY))
    assert parsed.warning == "takes too long to parse; read as lines"
    assert {record.extra["symbol"] for record in parsed.records} == {"lines"}


def test_a_property_of_many_megabytes_does_not_stop_a_document() -> None:
    packed = io.BytesIO(test_docx.document(test_docx.p("text"), core=_huge(40_000_000)))
    with zipfile.ZipFile(packed) as archive:
        assert len(packed.getvalue()) < 200_000 < archive.getinfo("docProps/core.xml").file_size
    parsed = read("a.docx", packed.getvalue())
    assert [record.body for record in parsed.records[1:]] == ["text"]


def _huge(size: int) -> str:
    return test_docx.CORE.replace("The plan", "x" * size)


@pytest.mark.parametrize("value", ["1979-05-27", "1979-05-27T07:32:00Z", "{a = 07:32:00}"])
def test_a_date_in_the_place_of_a_number_is_refused_as_a_setting(value: str) -> None:
    with pinyon.open(":memory:") as engine, pytest.raises(UnknownSetting):
        engine.configure("profiles.default.rank.weights.lexical", value)
