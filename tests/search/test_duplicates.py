"""Duplicates: records that say the same are found, and a save does with them what it is told."""

import threading
from datetime import timedelta

import pytest

from pinyon.engine import Engine
from pinyon.model.errors import DuplicateText, InvalidInput, UnknownRecord, UnknownSetting
from pinyon.model.record import Record
from pinyon.search.duplicates import Duplicate
from tests.store.world import NOW

DAY = timedelta(days=1)
TEA = "Anna prefers green tea without sugar."
TEA_AGAIN = "Anna prefers green tea, without any sugar"
COFFEE = "Anna prefers black coffee without sugar."


@pytest.mark.proves("X14")
def test_the_same_words_are_a_duplicate_and_similar_ones_are_none(engine: Engine) -> None:
    engine.save(Record(id="tea", body=TEA))
    engine.save(Record(id="coffee", body=COFFEE))
    assert engine.duplicates(Record(body=TEA_AGAIN)) == [Duplicate("tea", 1.0)]
    assert engine.duplicates("tea") == []
    assert engine.duplicates(Record(body="Nothing like it")) == []
    assert engine.duplicates(Record()) == []


@pytest.mark.proves("X14")
def test_similarity_is_the_share_of_words_and_the_most_alike_come_first(engine: Engine) -> None:
    engine.save(Record(id="b", body="amber bronze copper"))
    engine.save(Record(id="a", body="amber bronze copper"))
    engine.save(Record(id="c", body="amber bronze copper diamond"))
    asked = Record(body="amber bronze copper")
    assert engine.duplicates(asked, least=3 / 4) == [
        Duplicate("a", 1.0),
        Duplicate("b", 1.0),
        Duplicate("c", 3 / 4),
    ]
    assert [one.id for one in engine.duplicates(asked, least=0.8)] == ["a", "b"]


@pytest.mark.proves("X14")
def test_a_long_text_is_found_among_many_that_share_half_of_it(engine: Engine) -> None:
    words = [f"word{'x' * (at > 99)}{chr(97 + at // 26)}{chr(97 + at % 26)}k" for at in range(200)]
    for at in range(20):
        engine.save(Record(id=f"other-{at}", body=" ".join(words[:100]) + f" lonely{at}"))
    engine.save(Record(id="whole", body=" ".join(words)))
    part = Record(body=" ".join([*words[:160], *words[170:]]))
    assert engine.duplicates(part) == [Duplicate("whole", 190 / 200)]


@pytest.mark.proves("X14")
def test_another_number_is_a_disagreement_not_a_duplicate(engine: Engine) -> None:
    engine.save(Record(id="port", body="The API listens on port 80 of every internal host"))
    asked = Record(body="The API listens on port 8080 of every internal host")
    assert engine.duplicates(asked, least=0.7) == []
    (other,) = engine.duplicates(asked, least=0.7, disagreeing=True)
    assert (other.id, other.disagreement) == ("port", "8080 against 80")


@pytest.mark.parametrize("parts", [{"kind": "note"}, {"scope": "team"}, {"valid_until": NOW}])
def test_another_kind_or_scope_or_what_has_expired_is_no_duplicate(
    engine: Engine, parts: dict[str, str]
) -> None:
    engine.save(Record(id="tea", body=TEA, **parts))  # type: ignore[arg-type]
    assert engine.duplicates(Record(body=TEA)) == []


def test_what_was_superseded_or_forgotten_is_no_duplicate(engine: Engine) -> None:
    for id in ("old", "gone"):
        engine.save(Record(id=id, body=TEA))
    engine.forget("gone")
    engine.save(Record(id="new", body="something else"))
    engine.link("new", "supersedes", "old")
    assert engine.duplicates(Record(body=TEA)) == []


@pytest.mark.parametrize("least", [0, -1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(engine: Engine, least: float) -> None:
    with pytest.raises(InvalidInput):
        engine.duplicates(Record(body=TEA), least=least)


def test_duplicates_of_an_unknown_record_are_refused(engine: Engine) -> None:
    with pytest.raises(UnknownRecord):
        engine.duplicates("ghost")


@pytest.mark.proves("X14")
def test_a_save_keeps_duplicates_unless_told_otherwise(engine: Engine) -> None:
    engine.save(Record(id="tea", body=TEA))
    engine.save(Record(id="again", body=TEA))
    assert [record.body for record in engine.get("tea", "again")] == [TEA, TEA]


@pytest.mark.proves("X14")
def test_a_save_can_refuse_what_is_known(engine: Engine) -> None:
    engine.save(Record(id="tea", body=TEA), duplicates="refuse")
    with pytest.raises(DuplicateText) as refused:
        engine.save(Record(body=TEA_AGAIN), duplicates="refuse")
    assert refused.value.ids == ("tea",)
    assert "merge" in refused.value.remedy
    engine.save(Record(id="coffee", body=COFFEE), duplicates="refuse")
    assert engine.stats().kinds == {"memory": 2}


@pytest.mark.proves("X14")
def test_a_save_can_merge_into_the_most_alike(engine: Engine) -> None:
    engine.save(
        Record(id="tea", title="Tea", body=TEA, tags=("a", "b"), aliases=("x",), importance=2)
    )
    longer = f"{TEA} Really."
    merged = engine.save(
        Record(
            id="never-made",
            title="Tea",
            body=longer,
            tags=("b", "c"),
            aliases=("y",),
            importance=4,
            created_at=NOW - DAY,
        ),
        duplicates="merge",
    )
    assert merged == "tea"
    assert engine.get("tea") == [
        Record(
            id="tea",
            title="Tea",
            body=longer,
            tags=("a", "b", "c"),
            aliases=("x", "y"),
            importance=4,
            mentions=1,
            created_at=NOW - DAY,
            updated_at=NOW,
            version=2,
        )
    ]
    with pytest.raises(UnknownRecord):
        engine.get("never-made")


@pytest.mark.proves("X14")
def test_a_save_can_supersede_what_it_repeats(engine: Engine) -> None:
    for id in ("tea", "tea-too"):
        engine.save(Record(id=id, body=TEA))
    new = engine.save(Record(id="new", body=TEA_AGAIN), duplicates="supersede")
    assert new == "new"
    assert [hit.id for hit in engine.search("green tea")] == ["new"]
    linked = {(one.edge.relation, one.edge.to_id) for one in engine.related("new")}
    assert linked == {("supersedes", "tea"), ("supersedes", "tea-too")}


def test_a_record_that_is_written_over_is_not_compared(engine: Engine) -> None:
    engine.save(Record(id="tea", body=TEA))
    engine.save(Record(id="coffee", body=COFFEE))
    engine.save(Record(id="coffee", body=TEA), replace=True, duplicates="refuse")
    assert engine.get("coffee")[0].body == TEA


def test_an_unknown_way_with_duplicates_lists_the_known(engine: Engine) -> None:
    with pytest.raises(UnknownSetting) as refused:
        engine.save(Record(body=TEA), duplicates="drop")
    assert refused.value.known == ("keep", "refuse", "merge", "supersede")
    assert engine.stats().revision == 0


@pytest.mark.proves("X14")
def test_of_the_same_text_saved_at_once_one_is_kept_and_the_others_merge_into_it(
    engine: Engine,
) -> None:
    together = threading.Barrier(4)
    saved: list[str] = []

    def save(name: int) -> None:
        together.wait()
        saved.append(engine.save(Record(body=TEA, tags=(str(name),)), duplicates="merge"))

    threads = [threading.Thread(target=save, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (kept,) = set(saved)
    (record,) = engine.get(kept)
    assert sorted(record.tags) == list("0123")
    assert (record.mentions, len(saved)) == (3, 4)
