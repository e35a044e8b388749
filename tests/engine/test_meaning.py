"""The engine and its models: what is saved is embedded behind the save and found by meaning."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import pinyon
from pinyon import settings
from pinyon.engine import Engine
from pinyon.inference.remember import Remembered
from pinyon.model.errors import InvalidInput, UnknownRecord
from pinyon.store.questions import VectorsOf
from pinyon.text.passages import digest
from tests.engine.opened import PLACES, opened
from tests.inference.tiny import write_folder


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The model of new stores: it knows red, green and blue; all other words are one to it."""
    folder = tmp_path / "tiny"
    write_folder(folder)
    monkeypatch.setenv("PINYON_MODEL", str(folder))
    return str(folder)


@pytest.fixture(params=PLACES)
def engine(request: pytest.FixtureRequest, tmp_path: Path, tiny: str) -> Iterator[Engine]:
    with opened(request.param, tmp_path) as engine:
        yield engine


def save(engine: Engine, id: str, text: str, kind: str = "note") -> None:
    engine.save(pinyon.Record(id=id, kind=kind, title=text))


def vectors(engine: Engine, id: str) -> list[bytes]:
    with engine._store.snapshot() as view:
        return view.survey(VectorsOf((id,), engine.models()[0].name)).get(id, [])


@pytest.mark.proves("B2")
@pytest.mark.parametrize("kind", ["memory", "entity", "note", "resource"])
def test_what_is_saved_is_embedded_behind_the_save(engine: Engine, kind: str) -> None:
    save(engine, "one", "red", kind)
    engine.embed()  # waits for its turn, behind what works already
    (model,) = engine.models()
    assert model.records == {kind: {"done": 1}}
    assert [hit.id for hit in engine.search("red", profile="vector")] == ["one"]


@pytest.mark.proves("B2")
def test_closing_gives_what_was_just_saved_a_moment(tmp_path: Path, tiny: str) -> None:
    with pinyon.open(tmp_path / "a.pinyon") as engine:
        save(engine, "one", "red")
    with pinyon.open(tmp_path / "a.pinyon", background=False) as engine:
        assert [model.vectors for model in engine.models()] == [1]


@pytest.mark.proves("B2")
def test_a_model_that_cannot_be_opened_fails_no_save(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_MODEL", "unheard of")
    save(engine, "one", "red")
    answer = engine.search("red")
    assert [hit.id for hit in answer] == ["one"]
    assert answer.meta["warnings"] == [
        "searched by words only: nothing is embedded yet (run: pinyon embed)"
    ]


@pytest.mark.proves("B3")
def test_changed_text_gets_another_vector_and_the_old_one_goes(engine: Engine) -> None:
    save(engine, "one", "red")
    engine.embed()
    before = vectors(engine, "one")
    engine.update("one", title="green")
    engine.embed()
    assert len(vectors(engine, "one")) == len(before) == 1
    assert vectors(engine, "one") != before


@pytest.mark.proves("B15")
def test_records_from_before_a_model_are_embedded_without_being_asked(
    tmp_path: Path, tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pinyon"
    monkeypatch.setenv("PINYON_MODEL", "none")
    with pinyon.open(path) as engine:
        save(engine, "one", "red")
        assert engine.search("red").meta["channels"] == ["lexical"]
        assert engine.models() == []
    monkeypatch.setenv("PINYON_MODEL", tiny)
    with pinyon.open(path) as engine:
        save(engine, "two", "green")
    with pinyon.open(path, background=False) as engine:
        assert engine.models()[0].records == {"note": {"done": 2}}


@pytest.mark.proves("V14")
def test_meaning_adds_what_words_missed(engine: Engine) -> None:
    save(engine, "fox", "a fox")
    save(engine, "red", "red red red")
    engine.embed()
    assert [hit.id for hit in engine.search("the vixen", profile="keyword")] == []
    first = engine.search("the vixen").hits[0]
    assert (first.id, first.sources) == ("fox", {"vector": 1})


@pytest.mark.proves("X6")
@pytest.mark.proves("P11")
@pytest.mark.proves("V14")
def test_search_goes_on_with_one_model_while_another_takes_over(tmp_path: Path, tiny: str) -> None:
    write_folder(tmp_path / "other", dims=6)
    with pinyon.open(tmp_path / "a.pinyon", background=False) as engine:
        save(engine, "one", "red")
        engine.embed()
        (first,) = engine.models()
        second = engine.use_model(str(tmp_path / "other"))
        assert (first.state, second.state) == ("active", "filling")
        assert (first.dims, second.dims) == (4, 6)
        answer = engine.search("red", channels=["vector"])
        assert [hit.id for hit in answer] == ["one"]
        assert answer.meta["warnings"] == []
        engine.embed()
        assert [(each.name, each.state) for each in engine.models()] == [
            (second.name, "active"),
            (first.name, "idle"),
        ]
        assert [hit.id for hit in engine.search("red", channels=["vector"])] == ["one"]


def test_no_model_is_a_choice_and_says_nothing(engine: Engine) -> None:
    save(engine, "one", "red")
    engine.use_model("none")
    answer = engine.search("red")
    assert answer.meta["channels"] == ["lexical"]
    assert answer.meta["warnings"] == []


def test_a_purged_text_leaves_no_vector_behind_anywhere(engine: Engine) -> None:
    save(engine, "one", "red green")
    engine.embed()
    engine.update("one", title="green blue")
    engine.embed()
    name = engine.models()[0].name
    texts = [digest("red green"), digest("green blue")]
    remembered = Remembered(settings.cache_folder() / "vectors.db")
    assert sorted(remembered.get(name, texts)) == sorted(texts)
    engine.forget("one", purge=True)
    assert remembered.get(name, texts) == {}
    remembered.close()


@pytest.mark.proves("X17")
def test_a_record_to_search_by_stands_instead_of_a_query(engine: Engine) -> None:
    save(engine, "one", "red")
    save(engine, "two", "red red")
    engine.embed()
    assert [hit.id for hit in engine.search(like="one")] == ["two"]
    with pytest.raises(InvalidInput, match="both a query and a record"):
        engine.search("red", like="one")
    with pytest.raises(UnknownRecord):
        engine.search(like="nobody")


def test_an_unknown_model_cannot_be_dropped(engine: Engine) -> None:
    with pytest.raises(InvalidInput, match="no model 'nobody'"):
        engine.drop_model("nobody")


@pytest.mark.proves("B15")
@pytest.mark.proves("B1")
def test_the_model_that_comes_along_and_words_together_find_other_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_MODEL", "granite")
    texts = {
        "de": "Die Rechnungen werden am Monatsende an die Buchhaltung geschickt.",
        "fr": "Le serveur de secours prend le relais quand le principal tombe.",
        "ja": "会議の議事録は毎週金曜日に共有フォルダへ保存します。",
        "en": "Backups are made every night and checked once a week.",
    }
    questions = {
        "de": "wann gehen die Rechnungen raus",
        "fr": "que se passe-t-il si le serveur tombe",
        "ja": "議事録はどこに保存しますか",
        "en": "how often do we copy our data",
    }
    with pinyon.open(tmp_path / "a.pinyon", background=False) as engine:
        for id, text in texts.items():
            engine.save(pinyon.Record(id=id, kind="note", title=id, body=text))
        assert engine.embed().done == len(texts)
        for id, question in questions.items():
            assert engine.search(question).hits[0].id == id
