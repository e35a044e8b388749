"""Reranked answers: what the pipeline gives to be read again, when, and what the answer says."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from pinyon.model.ask import Ask
from pinyon.model.hit import Answer
from pinyon.model.profile import RERANK
from pinyon.profiles.load import load
from pinyon.reranking import Reranking
from pinyon.search.pipeline import Reader, search
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from tests.search.meanings import bag, embedded
from tests.search.readers import BROKEN, Answers, Late, Likes, Opening
from tests.store.world import NOW, record

PETS = {f"cat{at:02}": f"the cat {'sleeps' if at != 7 else 'purrs'} " * 20 for at in range(40)}
ALWAYS = {"rerank.use": True, "rerank.model": "mine"}


@pytest.fixture
def store() -> Store:
    opened = MemoryStore()
    embedded(opened, *(record(id, body=body) for id, body in PETS.items()))
    return opened


def reader(model: Likes) -> Reader:
    return Reranking(Opening(mine=model)).read


def asked(
    store: Store,
    text: str = "cat",
    read: Reader | None = None,
    profile: str = "default",
    ask: Callable[[Ask], Ask] = lambda ask: ask,
    **override: Any,
) -> Answer:
    changes = ALWAYS | {key.replace("__", "."): value for key, value in override.items()}
    with store.snapshot() as view:
        question = ask(Ask(text, NOW, limit=40))
        return search(view, question, load(profile, override=changes), meaning=bag, reader=read)


def ids(answer: Answer) -> list[str]:
    return [hit.id for hit in answer]


@pytest.mark.proves("S7")
def test_the_best_20_are_read_and_what_the_model_likes_comes_first(store: Store) -> None:
    model = Likes("purrs")
    first, again = asked(store), asked(store, read=reader(model))
    ((question, texts),) = model.asked
    assert (question, len(texts)) == ("cat", 20)
    assert texts == [f"{PETS[id].strip()}" for id in ids(first)[:20]]
    assert again[0].id == "cat07" != first[0].id
    assert ids(again)[20:] == ids(first)[20:]


@pytest.mark.proves("S7")
@pytest.mark.parametrize("most", [1, 7, 40])
def test_how_many_are_read_is_the_profile_s_to_say(store: Store, most: int) -> None:
    model = Likes("purrs")
    answer = asked(store, read=reader(model), rerank__candidates=most)
    assert [len(texts) for _, texts in model.asked] == [most]
    assert answer.meta["rerank"]["candidates"] == most


@pytest.mark.parametrize("profile", ["default", "vault", "brain", "graph"])
def test_the_answer_says_who_read_how_many_and_what_each_signal_counts(
    store: Store, profile: str
) -> None:
    first = asked(store, profile=profile).meta
    answer = asked(store, read=reader(Likes("purrs")), profile=profile, rerank__weight=0.25)
    told = answer.meta["rerank"]
    assert told == {
        "model": "likes",
        "candidates": min(20, first["candidates"]),
        "moved": told["moved"],
        "ms": told["ms"],
        "cached": False,
    }
    expected = {name: 0.75 * weight for name, weight in first["weights"].items()}
    assert answer.meta["weights"] == {**expected, RERANK: 0.25}
    assert list(answer.meta["stages"])[-2:] == ["rerank", "present"]
    assert (first["rerank"], "rerank" in first["stages"]) == ({}, False)


def test_a_score_is_still_the_sum_of_its_signals(store: Store) -> None:
    answer = asked(store, read=reader(Likes("purrs")))
    weights = answer.meta["weights"]
    for hit in answer:
        parts = (weights.get(name, 0.0) * value for name, value in hit.signals.items())
        assert hit.score == pytest.approx(math.fsum(parts))


@pytest.mark.parametrize("profile", ["default", "vault", "brain", "spec", "graph", "keyword"])
def test_every_profile_keeps_its_share_of_the_score(store: Store, profile: str) -> None:
    first = {hit.id: hit.score for hit in asked(store, profile=profile)}
    again = asked(store, read=reader(Likes("purrs")), profile=profile, rerank__weight=0.3)
    assert {hit.id: hit.score for hit in again} == pytest.approx(
        {hit.id: 0.7 * first[hit.id] + 0.3 * hit.signals[RERANK] for hit in again}
    )
    assert {hit.id: hit.relevance for hit in again} == {
        hit.id: hit.relevance for hit in asked(store, profile=profile)
    }


@pytest.mark.parametrize(
    "ask",
    [
        lambda ask: ask._replace(text=""),
        lambda ask: ask._replace(text="", like="cat01"),
        lambda ask: ask._replace(sort="date"),
        lambda ask: ask._replace(text="zebra", filters=ask.filters._replace(kinds=("page",))),
    ],
    ids=["no question", "like a record", "by date", "nothing found"],
)
def test_what_is_no_question_or_has_no_answer_is_not_read(
    store: Store, ask: Callable[[Ask], Ask]
) -> None:
    model = Likes("purrs")
    answer = asked(store, read=reader(model), ask=ask)
    assert (model.asked, answer.meta["rerank"], answer.meta["warnings"]) == ([], {}, [])
    assert ids(answer) == ids(asked(store, ask=ask))


def test_without_being_asked_for_nothing_is_read(store: Store) -> None:
    model = Likes("purrs")
    asked(store, read=reader(model), rerank__use=False)
    assert model.asked == []


def unreadable() -> Mapping[str, Likes]:
    wrong = {name: Answers(make) for name, make in BROKEN.items()}
    return {**wrong, "a time-out": Late("purrs")}


@pytest.mark.proves("S7")
@pytest.mark.parametrize("why", unreadable())
def test_a_model_that_fails_leaves_the_first_ranking_as_it_was(store: Store, why: str) -> None:
    first, again = asked(store), asked(store, read=reader(unreadable()[why]))
    assert again.hits == first.hits
    assert again.meta["weights"] == first.meta["weights"]
    assert again.meta["rerank"] == {}
    (warning,) = again.meta["warnings"]
    assert warning.startswith("not reranked: ")
    assert warning.endswith(")")  # the remedy


def test_a_page_goes_on_after_the_one_before(store: Store) -> None:
    def page(cursor: str = "") -> Answer:
        ask = partial(Ask._replace, limit=8, cursor=cursor)
        return asked(store, read=reader(Likes("purrs")), ask=ask)

    whole = ids(asked(store, read=reader(Likes("purrs"))))
    first = page()
    second = page(first.meta["next"])
    assert ids(first) + ids(second) == whole[:16]


def test_a_misspelt_question_is_read_as_it_was_understood(store: Store) -> None:
    model = Likes("purrs")
    asked(store, "the catt slepes", read=reader(model))
    assert [question for question, _ in model.asked] == ["the cat sleeps"]
