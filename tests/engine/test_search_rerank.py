"""search(rerank=...): which reranker is asked, and that nothing but the user's word sends text."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import pinyon
from pinyon import reranking
from pinyon.engine import Engine
from pinyon.inference.models import known
from pinyon.model.errors import UnknownSetting
from pinyon.profiles.load import load
from tests.engine.opened import PLACES, opened
from tests.search.readers import Likes, Opening
from tests.shape.test_imports import SEARCH, modules_after

BODIES = {"one": "tea is green", "two": "tea is black", "three": "tea is oolong"}


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Likes]:
    """What can be asked: one on this machine, and the servers, whose keys are set."""
    monkeypatch.setenv("PINYON_CONFIG", str(tmp_path / "mine"))
    for server in known().rerankers.values():
        monkeypatch.setenv(server.key, "secret-key")
    found = {name: Likes("oolong", name) for name in ("late", *known().rerankers)}
    monkeypatch.setattr(reranking, "SHARED", reranking.Reranking(Opening(**found)))
    return found


@pytest.fixture(params=PLACES)
def engine(
    request: pytest.FixtureRequest, tmp_path: Path, models: dict[str, Likes]
) -> Iterator[Engine]:
    with opened(request.param, tmp_path) as engine:
        for id, body in BODIES.items():
            engine.save(pinyon.Record(id=id, title="Tea", body=body))
        yield engine


def asked(models: dict[str, Likes]) -> list[str]:
    return [name for name, model in models.items() for _ in model.asked]


def test_nothing_is_reranked_unless_it_is_asked_for(
    engine: Engine, models: dict[str, Likes]
) -> None:
    assert [hit.id for hit in engine.search("tea")] == ["one", "three", "two"]
    assert asked(models) == []


@pytest.mark.proves("S7")
def test_true_asks_the_profile_s_reranker(engine: Engine, models: dict[str, Likes]) -> None:
    answer = engine.search("tea", rerank=True)
    assert [hit.id for hit in answer] == ["three", "one", "two"]
    assert asked(models) == [load("default").rerank.model] == ["late"]
    assert models["late"].asked == [
        ("tea", [f"Tea\n{BODIES[id]}" for id in ("one", "three", "two")])
    ]
    assert answer.meta["rerank"]["model"] == "late"


@pytest.mark.proves("S7")
def test_a_name_asks_that_one_and_is_the_consent(engine: Engine, models: dict[str, Likes]) -> None:
    for name in known().rerankers:
        answer = engine.search("tea", rerank=name)
        assert (answer.meta["rerank"]["model"], answer.meta["warnings"]) == (name, [])
    engine.search("tea please", rerank="auto")
    engine.search("tea now", rerank=True, override={"rerank.model": "cohere"})
    assert sorted(asked(models)) == ["cohere", "cohere", "voyage", "voyage"]


@pytest.mark.proves("S7")
@pytest.mark.parametrize("name", ["voyage", "cohere", "auto"])
def test_what_a_store_or_a_route_names_sends_nothing(
    engine: Engine, models: dict[str, Likes], name: str
) -> None:
    before = engine.search("tea")
    engine.configure("profiles.default.rerank.model", name)
    engine.configure("profiles.default.rerank.use", "true")
    for rerank in (False, True):
        answer = engine.search("tea", rerank=rerank)
        assert answer.hits == before.hits
        (warning,) = answer.meta["warnings"]
        assert warning.startswith("not reranked: ")
        assert "pinyon config set profiles.default.rerank.model" in warning
    route = {"rerank.use": True, "rerank.model": name}
    engine.configure("profiles.default.rerank.model", "late")
    engine.search("tea", override={"understand.routes": {"keyword": route}})
    assert set(asked(models)) <= {"late"}


def test_a_profile_can_ask_for_it_always(engine: Engine, models: dict[str, Likes]) -> None:
    engine.configure("profiles.default.rerank.use", "true")
    assert [hit.id for hit in engine.search("tea")] == ["three", "one", "two"]
    engine.search("tea", override={"rerank.use": False})
    assert asked(models) == ["late"]


@pytest.mark.proves("S9")
def test_the_same_search_is_read_once_until_something_changes(
    engine: Engine, models: dict[str, Likes]
) -> None:
    def cached() -> bool:
        return bool(engine.search("tea", rerank=True).meta["rerank"]["cached"])

    assert [cached(), cached()] == [False, True]
    engine.update("two", body="tea is black, and oolong too")
    assert [cached(), cached()] == [False, True]
    assert len(models["late"].asked) == 2


def test_two_stores_do_not_share_what_was_read(models: dict[str, Likes]) -> None:
    for body in ("tea is green", "tea is black"):
        with pinyon.open(":memory:") as engine:
            engine.save(pinyon.Record(id="one", title="Tea", body=body))
            assert engine.search("tea", rerank=True).meta["rerank"]["cached"] is False


def test_a_reranker_that_nobody_knows_is_a_warning(engine: Engine) -> None:
    answer = engine.search("tea", rerank="nobody")
    assert [hit.id for hit in answer] == ["one", "three", "two"]
    assert answer.meta["warnings"] == [
        "not reranked: no reranker 'nobody' (choose another one)",
    ]


def test_what_is_no_name_is_refused(engine: Engine) -> None:
    with pytest.raises(UnknownSetting, match=r"rerank\.model must be text"):
        engine.search("tea", rerank=3)  # type: ignore[arg-type]


@pytest.mark.proves("S7")
@pytest.mark.parametrize(
    ("path", "value"),
    [("rerank.candidates", 0), ("rerank.candidates", 101), ("rerank.weight", 1.5)],
)
def test_a_profile_cannot_ask_for_more_than_there_may_be(
    engine: Engine, path: str, value: float
) -> None:
    with pytest.raises(UnknownSetting, match=path):
        engine.search("tea", override={path: value})
    assert engine.search("tea", override={"rerank.candidates": 100, "rerank.weight": 1}).hits
    assert load("base").rerank.candidates == 20


def test_a_search_that_is_not_reranked_loads_nothing_for_it(tmp_path: Path) -> None:
    loaded = modules_after(SEARCH, tmp_path)
    assert loaded & {"pinyon.reranking", "pinyon.search.rerank"} == set()
