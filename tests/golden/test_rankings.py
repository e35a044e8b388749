"""Golden rankings: a small corpus of ours, questions in tiers, and a floor under each tier."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.model.record import KINDS

HERE = Path(__file__).parent
GOLDEN = tomllib.loads((HERE / "queries.toml").read_text("utf-8"))
FLOORS = GOLDEN["floors"]
TIERS = ("easy", "medium", "hard")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with pinyon.open(tmp_path_factory.mktemp("golden") / "golden.pinyon") as engine:
        with (HERE / "corpus.jsonl").open("rb") as corpus:
            engine.import_jsonl(corpus, name="corpus.jsonl")
        yield engine


def ranks(engine: Engine, profile: str, tier: str) -> dict[str, int]:
    """For each question of the tier the rank of the first right answer; 99 where there is none."""
    found = {}
    for question, best in GOLDEN[tier].items():
        ids = [hit.id for hit in engine.search(question, profile=profile, limit=10)]
        found[question] = min((ids.index(id) + 1 for id in best if id in ids), default=99)
    return found


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("profile", FLOORS)
def test_each_tier_stays_above_its_floor(engine: Engine, profile: str, tier: str) -> None:
    found = ranks(engine, profile, tier)
    late = {question: rank for question, rank in found.items() if rank > 1}
    shares = {f"at_{k}": sum(rank <= k for rank in found.values()) / len(found) for k in (1, 3)}
    floor = FLOORS[profile][tier]
    assert all(shares[name] >= floor[name] for name in floor), (shares, late)


@pytest.mark.parametrize("profile", FLOORS)
def test_the_same_question_has_the_same_answer_every_time(engine: Engine, profile: str) -> None:
    for tier in TIERS:
        for question in GOLDEN[tier]:
            first, second = (engine.search(question, profile=profile) for _ in range(2))
            assert first.hits == second.hits


def test_the_corpus_has_every_kind_and_every_answer_is_in_it(engine: Engine) -> None:
    assert engine.values("kind").keys() == set(KINDS)
    wanted = {id for tier in TIERS for best in GOLDEN[tier].values() for id in best}
    assert {record.id for record in engine.get(*wanted)} == wanted
