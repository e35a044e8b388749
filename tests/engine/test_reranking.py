"""Rerankers of a process: opened once, asked with consent only, kept in mind, and let rest when
they are slow."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from pinyon import settings
from pinyon.inference.contract import BrokenModel, ModelError, NoModel
from pinyon.inference.models import known
from pinyon.model.profile import Profile, RerankSection
from pinyon.reranking import (
    KEPT,
    KEPT_S,
    LAST,
    LEAST,
    LONGEST_PAUSE_S,
    PAUSE_S,
    Guard,
    Recent,
    Reranking,
    agree,
    key_of,
)
from tests.search.readers import BROKEN, Answers, Late, Likes, Opening, Time

TEXTS = {"a": "red red", "b": "red", "c": "blue"}
SLOW_MS = 500.0


@pytest.fixture(autouse=True)
def _own_consent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINYON_CONFIG", str(tmp_path / "mine"))
    monkeypatch.setenv("PINYON_CACHE", str(tmp_path / "cache"))
    for server in known().rerankers.values():
        monkeypatch.delenv(server.key, raising=False)


def profile(model: str = "mine", slow_ms: float = SLOW_MS) -> Profile:
    return Profile("p", rerank=RerankSection(use=True, model=model, slow_ms=slow_ms))


# which one, and whether it may be asked


def test_a_reranker_is_opened_once_however_often_it_is_asked() -> None:
    opening = Opening(mine=Likes("red"))
    reranking = Reranking(opening)
    for question in ("one", "two"):
        reading = reranking.read(question, TEXTS, profile(), 1)
        assert (reading.scores, reading.model) == ([2.0, 1.0, 0.0], "likes")
    assert opening.opened == ["mine"]


@pytest.mark.proves("S7")
@pytest.mark.parametrize("name", known().rerankers)
def test_neither_a_profile_nor_a_key_sends_text_to_a_server(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for server in known().rerankers.values():
        monkeypatch.setenv(server.key, "secret-key")
    model = Likes("red")
    opening = Opening(**{name: model})
    for choice in (name, "auto"):
        with pytest.raises(NoModel, match="you have not agreed to send text there") as refused:
            Reranking(opening).read("q", TEXTS, profile(choice), 1)
        assert "--reranker" in refused.value.remedy
    assert (model.asked, opening.opened) == ([], [])


@pytest.mark.proves("S7")
@pytest.mark.parametrize("name", known().rerankers)
def test_naming_a_server_in_the_call_is_consent_for_that_call_only(name: str) -> None:
    model = Likes("red")
    reranking = Reranking(Opening(**{name: model}))
    reranking.read("q", TEXTS, profile(name), 1, named=True)
    assert len(model.asked) == 1
    with pytest.raises(NoModel, match="not agreed"):
        reranking.read("q", TEXTS, profile(name), 1)
    assert len(model.asked) == 1


@pytest.mark.proves("S7")
def test_what_the_user_agreed_to_for_good_is_asked_and_nothing_else() -> None:
    model = Likes("red")
    assert agree("voyage") == known().rerankers["voyage"].url
    reranking = Reranking(Opening(voyage=model, cohere=model))
    reranking.read("q", TEXTS, profile("voyage"), 1)
    with pytest.raises(NoModel, match="cohere"):
        reranking.read("q", TEXTS, profile("cohere"), 1)
    assert len(model.asked) == 1


@pytest.mark.proves("S7")
def test_auto_takes_the_first_whose_key_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    voyage, cohere = known().rerankers.values()
    models = {each.name: Likes("red", each.name) for each in (voyage, cohere)}
    reranking = Reranking(Opening(**models))

    def taken() -> str:
        return reranking.read("q", TEXTS, profile("auto"), 1, named=True).model

    with pytest.raises(NoModel, match="auto found no reranker"):
        taken()
    monkeypatch.setenv(cohere.key, "secret-key")
    assert taken() == "cohere"
    monkeypatch.setenv(voyage.key, "secret-key")
    assert taken() == "voyage"


@pytest.mark.proves("S7")
def test_choosing_auto_agrees_to_the_server_that_it_stands_for_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    voyage, cohere = known().rerankers.values()
    assert agree("auto") == agree("late") == agree("") == ""
    monkeypatch.setenv(cohere.key, "secret-key")
    assert agree("auto") == cohere.url
    assert (settings.allowed(cohere.url), settings.allowed(voyage.url)) == (True, False)


def test_a_profile_without_a_model_says_so() -> None:
    with pytest.raises(NoModel, match="names no reranker"):
        Reranking(Opening()).read("q", TEXTS, profile(""), 1)


# what it said a moment ago


@pytest.mark.proves("S9")
def test_the_same_question_about_the_same_texts_is_asked_once_in_five_minutes() -> None:
    time = Time()
    model = Likes("red", time=time)
    reranking = Reranking(Opening(mine=model), time)
    first = reranking.read("q", TEXTS, profile(), 1)
    time.now += KEPT_S - 1
    again = reranking.read("q", TEXTS, profile(), 1)
    assert (first.cached, again.cached, again.scores) == (False, True, first.scores)
    time.now += 1
    assert reranking.read("q", TEXTS, profile(), 1).cached is False
    assert (len(model.asked), KEPT_S) == (2, 300)


@pytest.mark.proves("S9")
def test_another_question_record_text_order_model_or_revision_is_another_reading() -> None:
    one = key_of("q", TEXTS, "m", 1)
    others = [
        key_of("p", TEXTS, "m", 1),
        key_of("q", {**TEXTS, "c": "green"}, "m", 1),
        key_of("q", {"a": "red red", "b": "red", "d": "blue"}, "m", 1),
        key_of("q", dict(reversed(TEXTS.items())), "m", 1),
        key_of("q", TEXTS, "n", 1),
        key_of("q", TEXTS, "m", 2),
    ]
    assert len({one, *others}) == 7
    assert key_of("q", dict(TEXTS), "m", 1) == one
    assert len(one) * 8 == 256


@pytest.mark.proves("S9")
@settings_of(deadline=None)
@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 6))
def test_the_oldest_leave_first(puts: list[int], most: int) -> None:
    recent = Recent(Time(), most)
    order: list[int] = []
    for at in puts:
        recent.put(bytes([at]), [float(at)])
        order = [*(known for known in order if known != at), at][-most:]
        assert len(recent) == len(order)
        assert {at for at in range(10) if recent.get(bytes([at])) == [float(at)]} == set(order)


@pytest.mark.proves("S9")
def test_a_thousand_are_kept() -> None:
    recent = Recent(Time())
    for at in range(KEPT + 2):
        recent.put(str(at).encode(), [float(at)])
    assert (len(recent), KEPT) == (1_000, 1_000)
    assert [recent.get(str(at).encode()) for at in (1, 2)] == [None, [2.0]]


def test_many_threads_share_what_is_kept() -> None:
    reranking = Reranking(Opening(mine=Likes("red")))
    found: list[list[float]] = []

    def ask(at: int) -> None:
        for question in range(50):
            found.append([*reranking.read(f"{(at + question) % 7}", TEXTS, profile(), 1).scores])

    threads = [threading.Thread(target=ask, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[2.0, 1.0, 0.0]] * 400


@pytest.mark.parametrize("wrong", BROKEN)
def test_what_is_no_score_for_each_text_is_refused_and_not_kept(wrong: str) -> None:
    model = Answers(BROKEN[wrong])
    reranking = Reranking(Opening(mine=model))
    with pytest.raises(BrokenModel):
        reranking.read("q", TEXTS, profile(), 1)
    model.make = lambda count: [1.0] * count
    assert reranking.read("q", TEXTS, profile(), 1).cached is False


# when it is slow


class Slow:
    """One reranker whose time a test sets, asked a new question each time."""

    def __init__(self, make: Callable[..., Likes] = Likes) -> None:
        self.time = Time()
        self.model = make("red", time=self.time)
        self.reranking = Reranking(Opening(mine=self.model), self.time)
        self.read(0)  # loads it

    def read(self, ms: float, slow_ms: float = SLOW_MS) -> bool:
        """Whether it was asked; the warning is kept."""
        self.model.ms = ms
        asked = len(self.model.asked)
        self.said = ""
        try:
            self.reranking.read(f"question {asked}", TEXTS, profile(slow_ms=slow_ms), 1)
        except ModelError as error:
            self.said = str(error)
        return len(self.model.asked) > asked


@pytest.mark.proves("S10")
def test_a_model_whose_p95_is_too_slow_is_left_out_with_the_way_back() -> None:
    slow = Slow()
    assert all(slow.read(SLOW_MS + 100) for _ in range(LEAST))
    assert not slow.read(0)
    assert slow.said == (
        "likes is too slow: 600 ms, and rerank.slow_ms is 500 (it is tried again in 60 s; raise"
        " rerank.slow_ms, lower rerank.candidates or choose another rerank.model)"
    )


@pytest.mark.proves("S10")
def test_five_of_a_hundred_may_be_slow_and_a_sixth_may_not() -> None:
    slow = Slow()
    for _ in range(LAST - 5):
        slow.read(100)
    assert all(slow.read(SLOW_MS + 1) for _ in range(6))
    assert not slow.read(100)
    assert LAST == 100


@pytest.mark.proves("S10")
def test_only_the_last_hundred_count() -> None:
    slow = Slow()
    for _ in range(LAST):
        slow.read(1)
    for _ in range(5):
        slow.read(SLOW_MS + 1)
    for _ in range(LAST):
        slow.read(1)
    assert all(slow.read(SLOW_MS + 1) for _ in range(5))
    assert slow.read(1)


@pytest.mark.proves("S10")
def test_after_a_pause_one_fast_trial_brings_it_back() -> None:
    slow = Slow()
    for _ in range(LEAST):
        slow.read(SLOW_MS + 100)
    slow.time.now += PAUSE_S - 1
    assert not slow.read(10)
    slow.time.now += 1
    assert slow.read(10)
    assert all(slow.read(10) for _ in range(LEAST + 1))


@pytest.mark.proves("S10")
def test_a_slow_trial_doubles_the_pause_up_to_ten_minutes() -> None:
    slow = Slow()
    for _ in range(LEAST):
        slow.read(SLOW_MS + 100)
    pauses = [PAUSE_S, 2 * PAUSE_S, 4 * PAUSE_S, 8 * PAUSE_S, LONGEST_PAUSE_S, LONGEST_PAUSE_S]
    for pause in pauses:
        slow.time.now += pause - 0.5
        assert not slow.read(10)
        slow.time.now += 0.5
        assert slow.read(SLOW_MS + 100)
    assert LONGEST_PAUSE_S == 600


@pytest.mark.proves("S10")
def test_one_search_at_a_time_tries_it_again() -> None:
    time = Time()
    guard = Guard("mine", time)
    for _ in range(LEAST + 1):
        with guard.watching(SLOW_MS):
            time.now += 1
    time.now += PAUSE_S
    with guard.watching(SLOW_MS):
        with pytest.raises(ModelError, match="tried again just now"), guard.watching(SLOW_MS):
            pass
        time.now += 0.1
    with guard.watching(SLOW_MS):
        pass


def test_raising_what_counts_as_slow_brings_it_back_at_once() -> None:
    slow = Slow()
    for _ in range(LEAST):
        slow.read(SLOW_MS + 100)
    assert not slow.read(10)
    assert slow.read(10, slow_ms=1_000)


def test_loading_a_model_does_not_count() -> None:
    time = Time()
    model = Likes("red", time=time)
    reranking = Reranking(Opening(mine=model), time)
    for at, ms in enumerate([9_000.0, *[10.0] * 3 * LEAST]):
        model.ms = ms
        reranking.read(f"question {at}", TEXTS, profile(), 1)
    assert len(model.asked) == 3 * LEAST + 1


def test_preparing_new_texts_does_not_count() -> None:
    slow = Slow()
    slow.model.new_ms = 9_000
    assert all(slow.read(10) for _ in range(3 * LEAST))


def test_what_is_kept_in_mind_does_not_count() -> None:
    time = Time()
    model = Likes("red", time=time)
    reranking = Reranking(Opening(mine=model), time)
    reranking.read("loads it", TEXTS, profile(), 1)
    model.ms = SLOW_MS + 1
    for _ in range(3 * LEAST):
        reranking.read("q", TEXTS, profile(), 1)
    assert len(model.asked) == 2
    assert reranking.read("p", TEXTS, profile(), 1).cached is False


@pytest.mark.parametrize(("ms", "rests"), [(SLOW_MS * 10, True), (1.0, False)])
def test_a_failure_counts_where_somebody_waited_for_it(ms: float, rests: bool) -> None:
    slow = Slow(Late)
    for _ in range(LEAST):
        slow.read(ms)
    assert slow.read(1) is not rests


def test_a_trial_that_fails_is_not_the_way_back() -> None:
    slow = Slow(Late)
    for _ in range(LEAST):
        slow.read(SLOW_MS * 10)
    slow.time.now += PAUSE_S
    assert slow.read(1)
    assert not slow.read(1)
    assert "tried again in 120 s" in slow.said


def test_each_model_rests_by_itself() -> None:
    time = Time()
    slow, fast = Likes("red", "slow", time=time), Likes("red", "fast", time=time)
    reranking = Reranking(Opening(slow=slow, fast=fast), time)
    slow.ms = SLOW_MS + 100
    for at in range(LEAST + 1):
        reranking.read(f"question {at}", TEXTS, profile("slow"), 1)
    with pytest.raises(ModelError, match="slow is too slow"):
        reranking.read("q", TEXTS, profile("slow"), 1)
    assert reranking.read("q", TEXTS, profile("fast"), 1).model == "fast"
