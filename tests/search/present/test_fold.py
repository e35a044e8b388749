"""A file and what came out of it are one answer; and the kinds that a profile asks for."""

import pytest

from pinyon.engine import Engine
from pinyon.model.hit import Candidate
from pinyon.model.record import Record
from pinyon.search.present.fold import fold

RECORDS = {
    record.id: record
    for record in (
        Record(id="file:a.md", kind="file", source="a.md"),
        Record(id="a.md", kind="doc", source="a.md"),
        Record(id="a.md#more", kind="doc", source="a.md"),
        Record(id="file:b.png", kind="file", source="b.png"),
        Record(id="note", kind="note"),
        Record(id="photo", kind="file"),
    )
}


def folded(*ids: str) -> list[str]:
    there = {id: RECORDS[id] for id in ids if id in RECORDS}
    return [each.id for each in fold([Candidate(id, 1.0, 1.0, {}, {}) for id in ids], there)]


@pytest.mark.proves("G8")
def test_a_file_gives_way_to_its_own_parts_wherever_they_stand() -> None:
    assert folded("file:a.md", "note", "a.md") == ["note", "a.md"]
    assert folded("a.md#more", "a.md", "file:a.md") == ["a.md#more", "a.md"]


@pytest.mark.proves("G8")
def test_a_file_that_is_alone_stays() -> None:
    for ids in (["file:a.md", "file:b.png", "note"], ["photo", "note"]):
        assert folded(*ids) == ids


def test_what_has_no_record_any_more_is_left_out() -> None:
    assert folded("gone", "note") == ["note"]


@pytest.mark.proves("G8")
def test_kinds_that_a_profile_names_are_asked_unless_the_caller_names_others(
    engine: Engine,
) -> None:
    engine.save(Record(id="doc", kind="doc", body="amber"))
    engine.save(Record(id="file", kind="file", body="amber"))
    left = {"retrieve.without": ["file"]}
    assert [hit.id for hit in engine.search("amber", override=left)] == ["doc"]
    assert [hit.id for hit in engine.search("amber", kinds=["file"], override=left)] == ["file"]
    assert [hit.id for hit in engine.search("amber", profile="files")] == ["file"]
    assert [hit.id for hit in engine.search("amber", profile="files", kinds=["doc"])] == ["doc"]
    everything = engine.search("amber")
    assert sorted(hit.id for hit in everything) == ["doc", "file"]
