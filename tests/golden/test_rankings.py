"""Golden rankings: a small corpus of ours, questions in tiers with a floor under each, and for each
profile what comes first."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.model.ask import Ask
from pinyon.model.record import KINDS, SEVERITIES
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from tests.search.meanings import bag, embedded

HERE = Path(__file__).parent
GOLDEN = tomllib.loads((HERE / "queries.toml").read_text("utf-8"))
FLOORS = GOLDEN["floors"]
FIRST = GOLDEN["first"]
BY_MEANING = GOLDEN["first_by_meaning"]
TIERS = ("easy", "medium", "hard")
TODAY = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    path = tmp_path_factory.mktemp("golden") / "golden.pinyon"
    with pinyon.open(path, background=False, clock=lambda: TODAY) as engine:
        fill(engine)
        yield engine


@pytest.fixture(scope="module")
def meant() -> Iterator[Store]:
    """The same corpus, with vectors."""
    store = MemoryStore()
    with Engine(store, clock=lambda: TODAY) as engine:
        fill(engine)
        embedded(store)
        yield store


def fill(engine: Engine) -> None:
    with (HERE / "corpus.jsonl").open("rb") as corpus:
        engine.import_jsonl(corpus, name="corpus.jsonl")


def ranks(engine: Engine, profile: str, tier: str) -> dict[str, int]:
    """For each question of the tier the rank of the first right answer; 99 where there is none."""
    found = {}
    for question, best in GOLDEN[tier].items():
        answer = engine.search(question, profile=profile, limit=10, track=False)
        ids = [hit.id for hit in answer]
        found[question] = min((ids.index(id) + 1 for id in best if id in ids), default=99)
    return found


def shown(first: Mapping[str, Sequence[str]]) -> str:
    """A line a question, so that a failing test shows the lines that changed."""
    return "\n".join(f"{question}: {', '.join(ids)}" for question, ids in first.items())


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("profile", FLOORS)
def test_each_tier_stays_above_its_floor(engine: Engine, profile: str, tier: str) -> None:
    found = ranks(engine, profile, tier)
    late = {question: rank for question, rank in found.items() if rank > 1}
    shares = {f"at_{k}": sum(rank <= k for rank in found.values()) / len(found) for k in (1, 3)}
    floor = FLOORS[profile][tier]
    assert all(shares[name] >= floor[name] for name in floor), (shares, late)


@pytest.mark.parametrize("profile", FIRST)
def test_what_comes_first_is_what_a_person_expects(engine: Engine, profile: str) -> None:
    found = {}
    for question, first in FIRST[profile].items():
        answer = engine.search(question, profile=profile, limit=10, track=False)
        found[question] = [hit.id for hit in answer][: len(first)]
    assert shown(found) == shown(FIRST[profile])


@pytest.mark.parametrize("profile", BY_MEANING)
def test_with_vectors_too_what_comes_first_is_expected(meant: Store, profile: str) -> None:
    found = {}
    for question, first in BY_MEANING[profile].items():
        with meant.snapshot() as view:
            answer = search(view, Ask(question, TODAY), load(profile), meaning=bag)
        assert "vector" in answer.meta["channels"]
        found[question] = [hit.id for hit in answer][: len(first)]
    assert shown(found) == shown(BY_MEANING[profile])


@pytest.mark.parametrize("profile", ["keyword", *FIRST])
def test_the_same_question_has_the_same_answer_every_time(engine: Engine, profile: str) -> None:
    for tier in TIERS:
        for question in GOLDEN[tier]:
            first, second = (
                engine.search(question, profile=profile, track=False) for _ in range(2)
            )
            assert first.hits == second.hits


def test_the_corpus_has_every_kind_and_every_answer_is_in_it(engine: Engine) -> None:
    assert engine.values("kind").keys() == set(KINDS)
    lists = [GOLDEN[tier] for tier in TIERS] + [*FIRST.values(), *BY_MEANING.values()]
    wanted = {id for questions in lists for best in questions.values() for id in best}
    assert {record.id for record in engine.get(*wanted)} == wanted


def test_the_corpus_has_everything_that_ranking_looks_at(engine: Engine) -> None:
    lines = map(json.loads, (HERE / "corpus.jsonl").read_text("utf-8").splitlines())
    records = engine.get(*(line["id"] for line in lines if "id" in line))
    assert 60 <= len(records) <= 70
    assert {record.severity for record in records} == {"", *SEVERITIES}
    assert {record.memory_type for record in records} - {""} <= load("base").rank.half_lives.keys()
    assert {"spec", "decision_record", "plan", "checklist"} <= {each.doc_type for each in records}
    assert {record.importance for record in records} == {2, 3, 4, 5}
    for what in ("tags", "domain", "mentions", "valid_until", "aliases", "context", "scope"):
        assert any(getattr(record, what) for record in records), what
    assert any(engine.related(record.id) for record in records)
