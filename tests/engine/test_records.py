"""Records through the engine: saved, read, changed, tagged, forgotten, brought back."""

import threading
from datetime import timedelta
from typing import Any

import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.model.errors import DuplicateRecord, InvalidRecord, PinyonError, UnknownRecord
from pinyon.model.record import Record
from tests.store.world import NOW

MINUTE = timedelta(minutes=1)


def found(engine: Engine, query: str) -> list[str]:
    return [hit.id for hit in engine.search(query)]


def test_a_saved_record_is_read_back_with_its_dates(engine: Engine) -> None:
    assert engine.save(Record(id="fox", title="Fox", tags=("wild",))) == "fox"
    assert engine.get("fox") == [
        Record(id="fox", title="Fox", tags=("wild",), created_at=NOW, updated_at=NOW)
    ]


def test_dates_that_are_given_are_kept(engine: Engine) -> None:
    made, changed = NOW - 9 * MINUTE, NOW - 3 * MINUTE
    engine.save(Record(id="fox", created_at=made, updated_at=changed))
    (kept,) = engine.get("fox")
    assert (kept.created_at, kept.updated_at) == (made, changed)


@pytest.mark.parametrize(
    ("record", "id"),
    [
        (Record(title="How we retry, and why"), "how-we-retry-and-why"),
        (Record(title="  Über_uns: 東京!  "), "über-uns-東京"),
        (Record(body="No title here"), "no-title-here"),
        (Record(kind="task", title="?!"), "task"),
        (Record(title="one two three four five six seven eight nine"), "one-two-three-four-five"),
    ],
)
def test_an_id_is_made_from_the_title(engine: Engine, record: Record, id: str) -> None:
    made = engine.save(record)
    assert made.startswith(id)
    assert len(made) <= 60
    assert engine.get(made)[0].id == made


def test_records_of_the_same_title_get_ids_of_their_own(engine: Engine) -> None:
    ids = [engine.save(Record(title="Same title", body=str(at))) for at in range(5)]
    assert ids[0] == "same-title"
    assert len(set(ids)) == 5
    assert [record.body for record in engine.get(*ids)] == list("01234")


def test_an_id_is_not_taken_from_a_record_that_was_forgotten(engine: Engine) -> None:
    first = engine.save(Record(title="Same title"))
    engine.forget(first)
    assert engine.save(Record(title="Same title")) != first


def test_an_id_that_is_taken_is_refused_unless_it_shall_be_replaced(engine: Engine) -> None:
    engine.save(Record(id="fox", body="brown"))
    with pytest.raises(DuplicateRecord) as refused:
        engine.save(Record(id="fox", body="grey"))
    assert (refused.value.id, engine.get("fox")[0].body) == ("fox", "brown")
    engine.save(Record(id="fox", body="grey"), replace=True)
    (replaced,) = engine.get("fox")
    assert (replaced.body, replaced.version, replaced.created_at) == ("grey", 2, NOW)


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"kind": "fruit"}, "kind"),
        ({"title": 7}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"title": "x" * 1_001}, "title"),
        ({"body": "NUL \x00"}, "body"),
        ({"body": "half \ud800"}, "body"),
        ({"body": "x" * 5_000_001}, "body"),
        ({"tags": "wild"}, "tags"),
        ({"tags": ("",)}, "tags"),
        ({"tags": tuple(map(str, range(201)))}, "tags"),
        ({"importance": 6}, "importance"),
        ({"importance": True}, "importance"),
        ({"half_life": float("nan")}, "half_life"),
        ({"half_life": 10**400}, "half_life"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"valid_from": NOW, "valid_until": NOW - MINUTE}, "valid_until"),
        ({"lines": (5, 4)}, "lines"),
        ({"extra": {"a": object()}}, "extra"),
        ({"scope": "a//b"}, "scope"),
        ({"id": " fox"}, "id"),
    ],
)
def test_a_record_that_cannot_be_stored_is_refused_by_its_field(
    engine: Engine, parts: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidRecord) as refused:
        engine.save(Record(**{"id": "fox", **parts}))
    assert refused.value.field == field
    assert len(str(refused.value)) < 300
    assert engine.stats().revision == 0


def test_an_update_changes_what_it_names_and_the_date_of_the_change(engine: Engine) -> None:
    engine.save(Record(id="fox", title="Fox", body="brown", tags=("wild",)))
    changed = engine.update("fox", body="grey", importance=5)
    assert changed == Record(
        id="fox",
        title="Fox",
        body="grey",
        tags=("wild",),
        importance=5,
        created_at=NOW,
        updated_at=NOW + MINUTE,
        version=2,
    )
    assert engine.get("fox") == [changed]
    assert (found(engine, "grey"), found(engine, "brown")) == (["fox"], [])


def test_an_update_that_changes_nothing_leaves_no_version(engine: Engine) -> None:
    engine.save(Record(id="fox", body="brown"))
    before = engine.get("fox")
    assert [engine.update("fox", body="brown")] == before
    assert engine.history("fox") == []


@pytest.mark.parametrize(
    "changes", [{"id": "x"}, {"version": 9}, {"deleted_at": NOW}, {"colour": 1}, {"kind": "x"}]
)
def test_an_update_that_cannot_be_is_refused(engine: Engine, changes: dict[str, Any]) -> None:
    engine.save(Record(id="fox"))
    with pytest.raises(InvalidRecord) as refused:
        engine.update("fox", **changes)
    assert [refused.value.field] == list(changes)
    assert engine.get("fox")[0].version == 1


@pytest.mark.proves("P5")
def test_tags_added_removed_and_renamed_are_found_at_once(engine: Engine) -> None:
    engine.save(Record(id="fox", tags=("wild",)))
    engine.save(Record(id="hen", tags=("tame", "bird")))
    assert engine.tag("fox", add=["red", "wild"], remove=[]).tags == ("wild", "red")
    assert found(engine, "red") == ["fox"]
    assert engine.tag("fox", remove=["wild"]).tags == ("red",)
    assert found(engine, "wild") == []
    assert engine.rename_tag("red", "bird") == 1
    assert (found(engine, "red"), found(engine, "bird")) == ([], ["fox", "hen"])
    assert engine.values("tags") == {"bird": 2, "tame": 1}
    assert engine.rename_tag("nobody has it", "x") == 0


@pytest.mark.proves("P5")
def test_a_forgotten_record_is_not_found_until_it_is_saved_again(engine: Engine) -> None:
    engine.save(Record(id="fox", body="brown"))
    engine.forget("fox")
    assert found(engine, "brown") == []
    with pytest.raises(UnknownRecord):
        engine.get("fox")
    engine.save(Record(id="fox", body="grey"))
    assert found(engine, "grey fox") == ["fox"]
    assert engine.get("fox")[0].version == 3


@pytest.mark.proves("S14", part="history")
def test_history_tells_every_state_a_record_was_in(engine: Engine) -> None:
    engine.save(Record(id="fox", body="brown"))
    engine.update("fox", body="grey")
    engine.forget("fox")
    engine.save(Record(id="fox", body="white"))
    told = [(version.record.body, version.change) for version in engine.history("fox")]
    assert told == [("brown", "updated"), ("grey", "forgotten"), ("grey", "restored")]
    dates = [version.changed_at for version in engine.history("fox")]
    assert dates == sorted(set(dates))


@pytest.mark.proves("S14", part="history")
def test_a_forgotten_record_still_has_its_history_and_a_purged_one_has_none(
    engine: Engine,
) -> None:
    engine.save(Record(id="fox"))
    engine.forget("fox")
    assert len(engine.history("fox")) == 1
    engine.forget("fox", purge=True)
    with pytest.raises(UnknownRecord):
        engine.history("fox")


def test_unknown_ids_are_named_and_nothing_is_done(engine: Engine) -> None:
    engine.save(Record(id="fox"))
    for call in (engine.get, engine.forget):
        with pytest.raises(UnknownRecord) as refused:
            call("fox", "ghost")
        assert refused.value.ids == ("ghost",)
    for act in (engine.history, engine.related, engine.update, engine.tag):
        with pytest.raises(UnknownRecord):
            act("ghost")
    assert [record.id for record in engine.get("fox")] == ["fox"]


def test_changes_made_at_once_are_all_kept(engine: Engine) -> None:
    engine.save(Record(id="fox"))
    problems: list[PinyonError] = []

    def change(name: int) -> None:
        try:
            for at in range(4):
                engine.tag("fox", add=[f"{name}-{at}"])
        except PinyonError as problem:
            problems.append(problem)

    _at_once(change, 8)
    assert problems == []
    assert set(engine.get("fox")[0].tags) == {f"{n}-{at}" for n in range(8) for at in range(4)}
    assert len(engine.history("fox")) == 8 * 4


def test_saves_that_replace_at_once_all_succeed(engine: Engine) -> None:
    problems: list[PinyonError] = []

    def save(name: int) -> None:
        try:
            engine.save(Record(id="fox", body=f"version of {name}"), replace=True)
        except PinyonError as problem:
            problems.append(problem)

    _at_once(save, 8)
    assert problems == []
    assert engine.get("fox")[0].version == 8


def test_of_saves_of_one_id_at_once_exactly_one_succeeds(engine: Engine) -> None:
    saved: list[int] = []

    def save(name: int) -> None:
        try:
            engine.save(Record(id="fox", body=f"{name}"))
        except DuplicateRecord:
            return
        saved.append(name)

    _at_once(save, 8)
    assert [record.body for record in engine.get("fox")] == [str(name) for name in saved]


def _at_once(act: Any, threads: int) -> None:
    together = threading.Barrier(threads)

    def run(name: int) -> None:
        together.wait()
        act(name)

    running = [threading.Thread(target=run, args=(name,)) for name in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


def test_the_package_offers_what_its_first_example_uses(tmp_path: Any) -> None:
    with pinyon.open(tmp_path / "notes.pinyon") as engine:
        engine.save(pinyon.Record(kind="memory", title="Retries", body="Three, with backoff."))
        (hit,) = engine.search("how often do we retry")
    assert (hit.id, hit.snippet) == ("retries", "<mark>Retries</mark>")
