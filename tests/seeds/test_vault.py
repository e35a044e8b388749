"""The vault, end to end: six signals, memories beside, and a guard for small stores."""

import math
from datetime import timedelta

import pytest

from pinyon.engine import Engine
from pinyon.model.ask import Ask
from pinyon.model.record import Record
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.store.contract import Store
from tests.search.meanings import bag, embedded
from tests.store.world import NOW, record
from tests.surfaces.cli.shell import Shell

YEAR = timedelta(days=365)


def idf(documents: int, df: int) -> float:
    return math.log((documents + 1) / (df + 1)) + 1


def entries(count: int) -> list[Record]:
    return [Record(id=f"e{n:03}", kind="entry", title=f"Amber {n}") for n in range(count)]


@pytest.mark.proves("V8")
@pytest.mark.proves("V11")
def test_the_score_is_the_weighted_sum_of_the_six_signals(engine: Engine) -> None:
    amber = Record(
        id="amber",
        kind="entry",
        title="amber",
        body="resin",
        tags=("stones", "sea"),
        domain="geology",
        severity="warning",
        updated_at=NOW - YEAR,
        created_at=NOW - YEAR,
    )
    engine.save(amber)
    engine.save(Record(id="other", kind="entry", title="oak", created_at=NOW))
    (hit,) = engine.search("amber stones of geology", profile="vault")
    # Title, body and tags have the words amber, resin, stones and sea, once each in one of two
    # records; of the question's, geology stands in neither.
    known, unknown = idf(2, 1), idf(2, 0)
    cosine = 2 * known**2 / (math.hypot(*[known] * 4) * math.hypot(known, known, unknown))
    signals = {"semantic": cosine, "severity": 0.7, "decay": 0.5, "tags": 1 / 2, "domain": 1}
    assert {name: hit.signals[name] for name in signals} == pytest.approx(signals)
    expected = 0.40 * cosine + 0.15 * 0.7 + 0.15 * 0.5 + 0.15 * 1 / 2 + 0.15 * 1
    assert hit.score == pytest.approx(expected)


@pytest.mark.proves("V8")
@pytest.mark.proves("V14")
def test_with_vectors_a_part_of_the_words_weight_is_that_of_meaning(store: Store) -> None:
    embedded(
        store,
        record("words", kind="entry", title="cat", severity="critical"),
        record("meaning", kind="entry", title="kitten", severity="critical"),
    )
    with store.snapshot() as view:
        answer = search(view, Ask("cat", NOW), load("vault"), meaning=bag)
    scores = {hit.id: hit.score for hit in answer}
    # Both are one word that means the same, new and critical; only one is the word itself.
    rest = 0.15 * 1.0 + 0.15 * 1.0
    assert scores == pytest.approx({"words": 0.25 + 0.15 + rest, "meaning": 0.15 + rest})


@pytest.mark.proves("V11")
def test_tags_and_domain_that_the_caller_gives_count_instead_of_those_in_the_question(
    engine: Engine,
) -> None:
    engine.save(Record(id="a", kind="entry", title="amber", tags=("stones",), domain="geology"))
    (named,) = engine.search("amber", profile="vault", tags=["stones"], domains=["geology"])
    (bare,) = engine.search("amber", profile="vault")
    assert [(hit.signals["tags"], hit.signals["domain"]) for hit in (named, bare)] == [
        (1, 1),
        (0, 0),
    ]
    assert named.score - bare.score == pytest.approx(0.15 + 0.15)


@pytest.mark.proves("V7")
@pytest.mark.parametrize("limit", [1, 10, 20])
def test_at_least_three_times_the_limit_and_30_are_ranked(engine: Engine, limit: int) -> None:
    for each in entries(80):
        engine.save(each)
    answer = engine.search("amber", profile="vault", limit=limit)
    assert max(3 * limit, 30) <= answer.meta["candidates"] < 80
    assert len(answer) == limit


@pytest.mark.proves("V13")
@pytest.mark.parametrize(
    ("found", "limit", "returned"),
    [
        (49, 24, 49),  # the limit would drop more than half
        (49, 25, 25),  # it would drop less
        (50, 10, 10),  # that is no small store any more
        (5, 10, 5),
    ],
)
def test_in_a_small_store_a_limit_that_hides_most_is_lifted(
    engine: Engine, found: int, limit: int, returned: int
) -> None:
    for each in entries(found):
        engine.save(each)
    assert len(engine.search("amber", profile="vault", limit=limit)) == returned


@pytest.mark.proves("V16")
def test_memories_stand_beside_the_entries_at_a_half(engine: Engine) -> None:
    engine.save(Record(id="session", kind="memory", title="amber, talked about"))
    engine.save(Record(id="low", kind="entry", title="an old word on amber and more"))
    engine.save(
        Record(id="high", kind="entry", title="amber", severity="critical", tags=("amber",))
    )
    answer = engine.search("amber", profile="vault")
    assert [hit.id for hit in answer] == ["high", "session", "low"]
    assert answer[1].score == 0.5


@pytest.mark.proves("V16")
def test_a_memory_that_only_meaning_finds_does_not_stand_beside(store: Store) -> None:
    embedded(
        store,
        record("entry", kind="entry", title="cat"),
        record("near", kind="memory", title="kitten"),
        record("said", kind="memory", title="the cat again"),
    )
    with store.snapshot() as view:
        answer = search(view, Ask("cat", NOW), load("vault"), meaning=bag)
    # Something is always nearest: at .5 every memory would stand above the entries.
    assert {hit.id for hit in answer} == {"entry", "said"}


@pytest.mark.proves("V16")
def test_many_memories_take_no_entrys_place_among_the_candidates(engine: Engine) -> None:
    for n in range(40):
        engine.save(Record(id=f"m{n:02}", kind="memory", title="amber amber amber"))
    engine.save(Record(id="entry", kind="entry", title="A long title that also says amber once"))
    answer = engine.search("amber", profile="vault", limit=1_000)
    assert "entry" in [hit.id for hit in answer]
    assert len(answer) == 41


def test_the_vault_is_asked_from_a_shell(shell: Shell) -> None:
    for id, severity in (("calm", "suggestion"), ("grave", "critical")):
        shell("save", "--kind", "entry", "--id", id, "--title", "Tokens", "--severity", severity)
    answer = shell.json("search", "tokens", "--profile", "vault")
    assert [hit["id"] for hit in answer["hits"]] == ["grave", "calm"]
    first, second = (hit["score"] for hit in answer["hits"])
    assert first - second == pytest.approx(0.15 * (1.0 - 0.4))
    assert "severity" in shell("search", "tokens", "--profile", "vault", "--explain").stdout
