"""Feedback through the engine: it is kept, learnt from, seen in the next answer, and reversible."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import pinyon
from pinyon.engine import Engine
from pinyon.model.errors import UnknownProfile, UnknownRecord, UnknownSetting
from pinyon.store.questions import VERDICTS, Feedback, Feedbacks
from tests.engine.opened import PLACES, Clock, opened
from tests.store.world import NOW, save

TOPICS = [f"zu{first}{second}" for first in "bdfgk" for second in "bdfgklmn"]
ASKED, LAST, ONE = TOPICS[:30], TOPICS[-1], TOPICS[7]


@pytest.fixture(params=PLACES)
def engine(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    monkeypatch.setenv("PINYON_MODEL", "none")
    with opened(request.param, tmp_path, Clock()) as engine:
        yield engine


def given(engine: Engine, profile: str = "default") -> list[Feedback]:
    with engine._store.snapshot() as view:
        return view.survey(Feedbacks(profile))


def setting(engine: Engine, name: str = "learned.default") -> str | None:
    with engine._store.snapshot() as view:
        return view.settings().get(name)


def save_topics(engine: Engine) -> None:
    """Forty topics with five notes each. The shorter a note, the better it matches its topic; the
    longer, the more important it is."""
    save(
        engine._store,
        *(
            pinyon.Record(
                id=f"{topic}-{size}",
                kind="note",
                body=f"{topic} " + "more words of no weight " * size,
                importance=size,
                created_at=NOW,
                updated_at=NOW,
            )
            for topic in TOPICS
            for size in range(1, 6)
        ),
    )


def judge(engine: Engine, topics: Sequence[str], verdict: str = "accepted") -> None:
    for topic in topics:
        engine.feedback(f"{topic}-5", verdict, query=topic)


@pytest.mark.proves("V12")
def test_from_thirty_verdicts_on_the_weights_of_vault_follow_at_once(engine: Engine) -> None:
    for number in range(30):
        engine.save(pinyon.Record(id=f"entry-{number}", kind="entry", title=f"entry {number}"))
    for number in range(29):
        engine.feedback(f"entry-{number}", "accepted", profile="vault")
    assert setting(engine, "learned.vault") is None
    engine.feedback("entry-29", "modified", profile="vault")
    kept = json.loads(setting(engine, "learned.vault") or "")
    rate = (29 + 0.5) / 30
    semantic = 0.40 + (2 * rate - 1) * 0.15
    assert kept["rate"] == pytest.approx(rate)
    assert kept["override"]["rank.weights"]["semantic"] == pytest.approx(semantic)
    shown = engine.search("entry", profile="vault").meta["weights"]
    assert shown["semantic"] == pytest.approx(semantic)
    engine.feedback("entry-29", "dismissed", profile="vault")
    kept = json.loads(setting(engine, "learned.vault") or "")
    assert (kept["count"], kept["rate"]) == (30, pytest.approx(29 / 30))


@pytest.mark.proves("V12")
def test_with_fewer_than_thirty_left_the_weights_are_the_shipped_ones_again(engine: Engine) -> None:
    for number in range(31):
        engine.save(pinyon.Record(id=f"entry-{number}", kind="entry", title=f"entry {number}"))
        engine.feedback(f"entry-{number}", "accepted", profile="vault")
    engine.forget("entry-0", "entry-1", "entry-2", purge=True)
    engine.feedback("entry-3", "accepted", profile="vault")
    assert setting(engine, "learned.vault") is None


@pytest.mark.proves("X2")
def test_what_people_prefer_comes_first_in_the_next_answer_and_reset_undoes_it(
    engine: Engine,
) -> None:
    save_topics(engine)
    before = engine.search(LAST)
    assert [hit.id for hit in before][:2] == [f"{LAST}-1", f"{LAST}-2"]
    judge(engine, ASKED)
    weights = json.loads(setting(engine) or "{}")["override"]["rank.weights"]
    assert max(weights, key=weights.get) == "importance"
    after = engine.search(LAST)
    assert after[0].id == f"{LAST}-5"
    assert "importance" in after[0].signals
    assert engine.unlearn()
    again = engine.search(LAST)
    assert [(hit.id, hit.score) for hit in again] == [(hit.id, hit.score) for hit in before]


@pytest.mark.proves("X2")
def test_blind_verdicts_on_real_answers_change_nothing(engine: Engine) -> None:
    save_topics(engine)
    draw = random.Random(7598)
    for topic in TOPICS:
        size, verdict = draw.randint(1, 5), draw.choice(VERDICTS)
        engine.feedback(f"{topic}-{size}", verdict, query=topic)
    assert (engine.learn().questions, setting(engine)) == (len(TOPICS), None)


def test_after_a_reset_only_later_feedback_counts(engine: Engine) -> None:
    save_topics(engine)
    judge(engine, ASKED)
    assert engine.unlearn()
    assert not engine.unlearn()
    assert (engine.learn().count, len(given(engine))) == (0, 30)
    judge(engine, ASKED[:5])
    assert engine.learn().count == 5


def test_feedback_keeps_the_signals_of_the_hit_and_of_those_passed_over(engine: Engine) -> None:
    save_topics(engine)
    engine.feedback(f"{ONE}-3", "accepted", query=f"  {ONE} ")
    (kept,) = given(engine)
    assert (kept.query, kept.id, kept.verdict) == (ONE, f"{ONE}-3", "accepted")
    assert kept.signals["importance"] == 3 / 5
    assert [passed["importance"] for passed in kept.passed] == [1 / 5, 2 / 5, 4 / 5, 5 / 5]


def test_a_record_beyond_the_first_ten_is_looked_for_deeper(engine: Engine) -> None:
    for size in range(1, 31):
        engine.save(pinyon.Record(id=f"note-{size:02}", kind="note", body="jay " + "word " * size))
    engine.feedback("note-25", "accepted", query="jay")
    (kept,) = given(engine)
    assert kept.signals
    assert len(kept.passed) == 10


def test_a_record_that_the_question_does_not_find_is_only_counted(engine: Engine) -> None:
    save_topics(engine)
    engine.feedback(f"{ONE}-3", "accepted", query=TOPICS[8])
    (kept,) = given(engine)
    assert (kept.signals, kept.passed) == ({}, ())


def test_a_later_verdict_replaces_the_earlier_one(engine: Engine) -> None:
    save_topics(engine)
    for verdict in ("accepted", "dismissed", "modified"):
        engine.feedback(f"{ONE}-3", verdict, query=ONE)
    assert [kept.verdict for kept in given(engine)] == ["modified"]


def test_feedback_changes_no_content(engine: Engine) -> None:
    save_topics(engine)
    before = engine.stats().revision
    engine.feedback(f"{ONE}-3", "accepted", query=ONE)
    assert engine.stats().revision == before


def test_what_was_purged_takes_its_feedback_along(engine: Engine) -> None:
    save_topics(engine)
    judge(engine, ASKED)
    engine.forget(*(f"{topic}-5" for topic in ASKED), purge=True)
    learned = engine.learn()
    assert (learned.adopted, learned.count) == (False, 0)
    assert setting(engine) is None


def test_bad_feedback_is_refused_with_the_remedy(engine: Engine) -> None:
    save_topics(engine)
    with pytest.raises(UnknownSetting, match="accepted, modified, dismissed"):
        engine.feedback(f"{ONE}-3", "great")
    with pytest.raises(UnknownRecord):
        engine.feedback("nowhere", "accepted")
    for call in (engine.learn, engine.unlearn):
        with pytest.raises(UnknownProfile):
            call("nothing")
    with pytest.raises(UnknownProfile):
        engine.feedback(f"{ONE}-3", "accepted", profile="nothing")
    assert given(engine) == []


def test_what_is_configured_stands_over_what_was_learnt(engine: Engine) -> None:
    save_topics(engine)
    judge(engine, ASKED)
    engine.configure("profiles.default.rank.weights.importance", "0")
    assert engine.search(LAST)[0].id == f"{LAST}-1"
