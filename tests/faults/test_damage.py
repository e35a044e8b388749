"""Damage: a broken file is called broken, and what is derived from records can be made again."""

import random
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.model.errors import DamagedStore, NotAStore, PinyonError
from pinyon.model.record import Record

PAGE = 4096


def filled(path: Path) -> Path:
    with pinyon.open(path) as engine:
        for at in range(60):
            engine.save(
                Record(
                    id=f"r{at}",
                    title=f"Record {at}",
                    body=f"amber number {at} " * 60,
                    tags=("wild", f"t{at}"),
                )
            )
        engine.update("r1", body="amber changed")
        engine.link("r1", "follows", "r2")
        engine.forget("r3")
    return path


def everything(engine: Engine) -> None:
    """Ask for everything that a store can be asked for; what `examine` finds counts as said."""
    engine.search("amber number 7", mode="full")
    engine.search("umber")
    engine.search("")
    list(engine.export())
    engine.stats()
    engine.values("tags")
    for finding in engine.examine():
        raise DamagedStore(finding.problem, remedy=finding.remedy)
    engine.save(Record(id="new", body="amber"), replace=True)


def outcome(path: Path) -> type[PinyonError] | None:
    """The kind of our error that using the store ends in, if any; it always has a remedy."""
    try:
        with pinyon.open(path) as engine:
            everything(engine)
    except PinyonError as error:
        return type(error) if error.remedy else PinyonError
    return None


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95])
def test_a_file_that_was_cut_off_is_called_damaged(tmp_path: Path, share: float) -> None:
    path = filled(tmp_path / "cut.pinyon")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    assert outcome(path) is DamagedStore


def test_a_file_whose_beginning_is_garbage_is_no_store(tmp_path: Path) -> None:
    path = filled(tmp_path / "garbage.pinyon")
    path.write_bytes(random.Random(1).randbytes(PAGE) + path.read_bytes()[PAGE:])
    assert outcome(path) is NotAStore


@pytest.mark.parametrize("seed", range(12))
def test_garbage_in_the_middle_never_ends_in_an_error_that_is_not_ours(
    tmp_path: Path, seed: int
) -> None:
    path = filled(tmp_path / "garbage.pinyon")
    content = bytearray(path.read_bytes())
    chance = random.Random(seed)
    for _ in range(3):
        page = chance.randrange(1, len(content) // PAGE) * PAGE
        content[page : page + PAGE] = chance.randbytes(PAGE)
    path.write_bytes(content)
    assert outcome(path) is DamagedStore


def plant(path: Path, statement: str) -> None:
    database = apsw.Connection(str(path))
    database.execute(statement)
    database.close()


DAMAGE = {
    "stems gone": "DELETE FROM stems WHERE row = 5",
    "stems of another record": "UPDATE stems SET id = 'elsewhere' WHERE row = 5",
    "stems of another text": "UPDATE stems SET lines = replace(lines, ' amber ', ' ember ')",
    "tags gone": "DELETE FROM tag WHERE row = 5",
    "tags that no record has": "INSERT INTO tag VALUES ('ghost', 5)",
    "words gone": "DELETE FROM fulltext WHERE rowid = 5",
    "words that no record has": "INSERT INTO fulltext (rowid, body) VALUES (9999, 'ghost')",
    "words of another record": "DELETE FROM fulltext WHERE rowid = 5;"
    " INSERT INTO fulltext (rowid, id, body) VALUES (5, 'r4', 'ghost')",
    "words of a forgotten record": "INSERT INTO fulltext (rowid, body) VALUES (4, 'amber')",
    "all words gone": "INSERT INTO fulltext (fulltext) VALUES ('delete-all')",
    "text without a record": "INSERT INTO content SELECT 9999, title, aliases, body, context, tags,"
    " source, first_line, last_line, extra FROM content WHERE row = 5",
    "stems without a record": "INSERT INTO stems SELECT 9999, id, lines FROM stems WHERE row = 5",
    "edges to nowhere": "INSERT INTO edge VALUES ('r1', 'eats', 'ghost', 1, '', NULL)",
    "edges from nowhere": "INSERT INTO edge VALUES ('ghost', 'eats', 'r1', 1, '', NULL)",
    "versions of nothing": "UPDATE version SET id = 'ghost' WHERE id = 'r1'",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_planted_damage_is_found_and_repaired(tmp_path: Path, damage: str) -> None:
    path = filled(tmp_path / "hurt.pinyon")
    with pinyon.open(path) as engine:
        assert engine.examine() == []
        before = engine.get("r1", "r2", "r4", "r59")
    plant(path, damage)
    with pinyon.open(path) as engine:
        found = engine.examine()
        assert found
        assert all("doctor --rebuild" in finding.remedy for finding in found)
        engine.rebuild()
        assert engine.examine() == []
        assert engine.get("r1", "r2", "r4", "r59") == before
        assert [hit.id for hit in engine.search('title:"record 4"')] == ["r4"]
        assert engine.stats().documents == 59


def test_a_text_that_is_gone_is_found_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = filled(tmp_path / "hurt.pinyon")
    plant(path, "DELETE FROM content WHERE row = 5")
    with pinyon.open(path) as engine:
        assert any("records without text: 1" in found.problem for found in engine.examine())
        engine.rebuild()
        assert engine.examine() == []
        assert engine.stats().documents == 58


@pytest.mark.parametrize("place", ["memory", "sqlite"])
def test_a_rebuild_of_a_sound_store_changes_no_answer(tmp_path: Path, place: str) -> None:
    with pinyon.open(":memory:" if place == "memory" else tmp_path / "sound.pinyon") as engine:
        for at in range(20):
            engine.save(Record(id=f"r{at}", body=f"amber number {at}", tags=(f"t{at}",)))
        engine.forget("r3")
        before = asked(engine)
        engine.rebuild()
        assert asked(engine) == before


def asked(engine: Engine) -> list[object]:
    questions: list[Callable[[], object]] = [
        lambda: [(hit.id, hit.score) for hit in engine.search("amber number 7")],
        lambda: engine.values("tags"),
        lambda: list(engine.export()),
        lambda: engine.stats().tokens,
    ]
    return [question() for question in questions]
