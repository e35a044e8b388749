"""What each kind gives to full text and to embedding."""

import pytest

from pinyon.model.query import FIELDS
from pinyon.model.record import KINDS, Record
from pinyon.text.fields import prepared_fields
from pinyon.text.passages import passages


def body_in_full_text(record: Record) -> str:
    return prepared_fields(record)[FIELDS.index("body")]


@pytest.mark.proves("G6")
def test_code_gives_two_thousand_characters_to_full_text_and_all_of_it_to_passages() -> None:
    record = Record(kind="code", title="run", body="word " * 1_000 + "last", lines=(1, 90))
    assert body_in_full_text(record) == record.body[:2_000]
    assert passages(record)[-1].text.endswith("last")


def test_code_that_no_reader_cut_out_of_its_file_gives_all_of_it() -> None:
    record = Record(kind="code", title="run.py", body="word " * 1_000 + "last")
    assert body_in_full_text(record) == record.body


@pytest.mark.proves("G6")
@pytest.mark.parametrize("kind", KINDS)
def test_every_other_kind_gives_its_whole_body(kind: str) -> None:
    record = Record(kind=kind, title="title", body="word " * 1_000 + "last")
    assert body_in_full_text(record) == record.body


@pytest.mark.proves("G6")
def test_a_skill_is_embedded_with_its_triggers() -> None:
    record = Record(kind="skill", title="Deploy", aliases=("ship it", "release"), context="How to.")
    (passage,) = passages(record)
    assert passage.text == "Deploy\nship it, release\nHow to."


@pytest.mark.proves("G6")
@pytest.mark.parametrize("kind", ["doc", "note", "task", "entity", "file"])
def test_title_and_content_are_embedded(kind: str) -> None:
    record = Record(kind=kind, title="Deploy", aliases=("ship it",), body="On Friday.")
    assert [passage.text for passage in passages(record)] == ["Deploy\nOn Friday."]
