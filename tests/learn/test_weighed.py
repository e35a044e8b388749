"""Weighed: the score of every hit is its numbers times the weights, whichever way a profile ranks,
and other weights change nothing else of the profile."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.learn.weighed import changes, parts, weighed
from pinyon.model.profile import Profile
from pinyon.profiles.load import load
from tests.inference.tiny import write_folder

COLOURS = ("red", "green", "blue", "red green", "red blue", "green blue", "red red")


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """Notes and their links, by a model that knows three colours."""
    write_folder(tmp_path / "tiny")
    monkeypatch.setenv("PINYON_MODEL", str(tmp_path / "tiny"))
    with pinyon.open(":memory:", background=False) as engine:
        for number, colour in enumerate(COLOURS * 2):
            kind = "memory" if number % 5 == 0 else "note"
            body = f"{colour} {'and more words ' * number}"
            doc_type = "spec" if number % 3 == 0 else ""
            engine.save(
                pinyon.Record(
                    id=f"r{number}", kind=kind, body=body, doc_type=doc_type, importance=3
                )
            )
        for number in range(len(COLOURS)):
            engine.link(f"r{number}", "supports", f"r{number + 3}")
        engine.embed()
        yield engine


@pytest.mark.proves("X8", part="tuning")
@pytest.mark.parametrize("channels", [("lexical",), ("lexical", "vector"), None])
@pytest.mark.parametrize("name", ["default", "brain", "vault", "spec", "pages", "graph"])
def test_a_score_is_the_numbers_of_the_hit_times_the_weights(
    engine: Engine, name: str, channels: tuple[str, ...] | None
) -> None:
    answer = engine.search("red or green", profile=name, channels=channels, limit=50)
    own = {} if channels is None else {"retrieve.channels": list(channels)}
    profile = engine.profile(name, own)
    table = weighed(profile, vectors="vector" in answer.meta["channels"])
    numbers = {hit.id: parts(hit, profile) for hit in answer}
    ratios = [
        hit.score / sum(table.weights[each] * value for each, value in found.items())
        for hit in answer
        if (found := numbers[hit.id]) is not None and hit.score > 1e-9
    ]
    assert len(ratios) > 3
    assert ratios == pytest.approx([ratios[0]] * len(ratios))


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize("name", ["default", "brain", "vault", "spec", "pages"])
def test_other_weights_change_nothing_else(name: str, vectors: bool) -> None:
    before = load(name)
    table = weighed(before, vectors=vectors)
    other = table._replace(weights=dict.fromkeys(table.weights, 0.5))
    after = load(name, override=changes(before, other))
    assert weighed(after, vectors=vectors) == other
    assert bare(after) == bare(before)
    if before.rank.with_vectors:  # those of the other case are as they were
        assert weighed(after, vectors=not vectors) == weighed(before, vectors=not vectors)


def test_what_has_a_score_of_its_own_has_no_numbers(engine: Engine) -> None:
    profile = engine.profile("vault")
    hits = engine.search("red", profile="vault", limit=50)
    kinds = {hit.kind: parts(hit, profile) is None for hit in hits}
    assert kinds == {"memory": True, "note": False}


def bare(profile: Profile) -> Profile:
    """Without the weights."""
    rank = profile.rank._replace(weights={}, with_vectors={})
    return profile._replace(rank=rank, fuse=profile.fuse._replace(weights={}))
