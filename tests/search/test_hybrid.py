"""Hybrid: words and meaning are asked side by side, and either goes on without the other."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pinyon.model.ask import Ask
from pinyon.model.hit import Answer
from pinyon.model.query import Filters, Lexical, Nearest, RankedList, Request, Substring
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.search.retrieve import Meanings
from pinyon.store.contract import Store, View
from tests.search.meanings import Bag, Broken, Short, bag, embedded
from tests.store.conftest import STORES
from tests.store.world import NOW, record

PETS = {
    "cat": "the cat sleeps",
    "hound": "a hound barks at night",
    "kettle": "water boils in a kettle",
    "garage": "the dog sits in the garage",
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store that knows the meaning of PETS."""
    opened = STORES[request.param](tmp_path)
    embedded(opened, *(record(id, body=body) for id, body in PETS.items()))
    yield opened
    opened.close()


class Listening:
    """A view that remembers what it was asked, call by call."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.calls: list[list[Request]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.view, name)

    def retrieve(self, requests: Sequence[Request]) -> list[RankedList]:
        self.calls.append(list(requests))
        return self.view.retrieve(requests)


def asked(
    store: Store,
    text: str,
    profile: str = "default",
    *,
    meaning: Meanings = bag,
    limit: int = 10,
    mode: str = "match",
    filters: Filters | None = None,
    **override: Any,
) -> tuple[Answer, list[list[Request]]]:
    """The answer, and what the store was asked for it."""
    changes = {key.replace("__", "."): value for key, value in override.items()}
    with store.snapshot() as view:
        listening: Any = Listening(view)
        answer = search(
            listening,
            Ask(text, NOW, limit, mode, filters or Filters()),
            load(profile, override=changes),
            meaning=meaning,
        )
    return answer, listening.calls


def ids(answer: Answer) -> list[str]:
    return [hit.id for hit in answer]


@pytest.mark.proves("S1", part="vector and bm25")
@pytest.mark.proves("G1")
def test_words_and_meaning_are_asked_together_and_fused(store: Store) -> None:
    answer, calls = asked(store, "puppy garage")
    assert ids(answer)[:2] == ["garage", "hound"]
    assert [type(request) for request in calls[0]] == [Lexical, Nearest]
    garage, hound = answer[0], answer[1]
    assert garage.sources == {"lexical": 1, "vector": 1}
    assert hound.sources == {"vector": 2}
    assert garage.signals["lexical"] > 0 == hound.signals["lexical"]
    assert garage.signals["vector"] > hound.signals["vector"] > 0
    assert answer.meta["channels"] == ["lexical", "vector"]
    assert {name: weight for name, weight in answer.meta["weights"].items() if weight} == {
        "lexical": 0.35,
        "vector": 0.65,
    }
    assert list(answer.meta["stages"]) == [
        "understand",
        "retrieve",
        "embed",
        "complete",
        "fuse",
        "rank",
        "expand",
        "present",
    ]


@pytest.mark.proves("B11")
@pytest.mark.proves("G1")
def test_the_vector_profile_gives_the_order_of_the_nearest_and_their_cosines(store: Store) -> None:
    answer, calls = asked(store, "cat AND garage", "vector")
    ((request,),) = calls
    with store.snapshot() as view:
        (nearest,) = view.retrieve([Nearest(Bag().vector("cat AND garage"), "bag", least=0)])
    assert [(hit.id, hit.score) for hit in answer] == [(m.id, m.score) for m in nearest.matches]
    assert all(hit.signals == {"vector": hit.score} for hit in answer)
    assert isinstance(request, Nearest)
    assert answer.meta["channels"] == ["vector"]


@pytest.mark.proves("G1")
def test_the_keyword_profile_asks_for_words_and_never_for_a_model(store: Store) -> None:
    def nobody(view: View) -> Bag:
        raise AssertionError("asked for a model")

    answer, calls = asked(store, "cat", "keyword", meaning=nobody)
    assert [[type(request) for request in call] for call in calls] == [[Lexical]]
    assert [(hit.id, hit.signals) for hit in answer] == [("cat", {"lexical": answer[0].score})]
    assert "embed" not in answer.meta["stages"]


@pytest.mark.proves("B4")
@pytest.mark.parametrize("limit", [1, 4, 50])
def test_three_times_as_many_neighbours_as_are_shown_are_asked_for_of_the_kinds_wanted(
    store: Store, limit: int
) -> None:
    embedded(store, record("task", kind="task", body="feed the kitten"))
    answer, calls = asked(store, "cat", "vector", limit=limit, filters=Filters(kinds=("task",)))
    ((request,),) = calls
    assert isinstance(request, Nearest)
    assert (request.limit, request.filters.kinds) == (3 * limit, ("task",))
    assert ids(answer) == ["task"]


@pytest.mark.proves("S11")
@pytest.mark.parametrize(
    ("channels", "found"),
    [
        (["lexical", "vector"], ["garage", "hound"]),
        (["lexical"], ["garage"]),
        (["vector"], ["garage", "hound"]),
        ([], []),
    ],
)
def test_each_channel_can_be_switched_off_and_the_others_go_on(
    store: Store, channels: list[str], found: list[str]
) -> None:
    answer, _ = asked(
        store, "puppy garage", retrieve__channels=channels, retrieve__vector__least=0.3
    )
    assert ids(answer) == found
    assert answer.meta["channels"] == channels
    assert answer.meta["warnings"] == []


@pytest.mark.proves("P8", part="degradation")
@pytest.mark.proves("S11")
@pytest.mark.parametrize(
    ("meaning", "why"),
    [
        (lambda view: "no model is here (pinyon model pull)", "no model is here"),
        (lambda view: Broken(), "the model is broken (pull it again)"),
        (lambda view: Short(), "vector"),
    ],
)
def test_without_a_vector_words_answer_alone_and_a_warning_says_why(
    store: Store, meaning: Meanings, why: str
) -> None:
    answer, _ = asked(store, "the cat", meaning=meaning)
    plain, _ = asked(store, "the cat", retrieve__channels=["lexical"])
    assert answer.hits == plain.hits
    assert ids(answer) == ["cat"]
    (warning,) = answer.meta["warnings"]
    assert warning.startswith("searched by words only: ")
    assert why in warning
    assert answer.meta["channels"] == ["lexical"]
    nothing, _ = asked(store, "the cat", "vector", meaning=meaning)
    assert ids(nothing) == []
    (warning,) = nothing.meta["warnings"]
    assert warning.startswith("nothing was searched: ")
    assert why in warning


@pytest.mark.proves("P8", part="degradation")
def test_a_model_that_is_not_wanted_is_not_warned_about(store: Store) -> None:
    answer, _ = asked(store, "cat", meaning=lambda view: "")
    assert (ids(answer), answer.meta["warnings"]) == (["cat"], [])
    nothing, _ = asked(store, "cat", "vector", meaning=lambda view: "")
    assert nothing.meta["warnings"] == ["nothing was searched: no model is in use"]


def test_nothing_asked_asks_no_model_and_shows_what_was_changed_last(store: Store) -> None:
    answer, _ = asked(store, " ", meaning=lambda view: Broken())
    assert (ids(answer), answer.meta["warnings"]) == (sorted(PETS), [])
    assert answer.meta["channels"] == []


def test_operators_are_answered_by_words_alone_while_they_find_something(store: Store) -> None:
    exact, calls = asked(store, "dog AND garage", meaning=lambda view: Broken())
    assert (ids(exact), len(calls), exact.meta["warnings"]) == (["garage"], 1, [])
    loose, _ = asked(store, "kitten AND garage")
    assert {"garage", "cat"} <= set(ids(loose))
    assert loose.meta["channels"] == ["lexical", "vector"]
    assert loose.meta["changed"] == ["nothing matches the expression: asked as plain words"]


def test_a_question_that_shares_no_word_with_its_answer_finds_it(store: Store) -> None:
    answer, _ = asked(store, "feline")
    assert ids(answer)[0] == "cat"
    assert answer[0].sources == {"vector": 1}
    assert answer.meta["changed"] == []


def test_letters_are_surer_than_what_is_only_near(store: Store) -> None:
    answer, calls = asked(store, "ettl")
    assert ids(answer) == ["kettle"]
    assert answer[0].sources == {"lexical": 1}
    assert answer.meta["channels"] == ["lexical"]
    assert answer.meta["changed"] == ["no word matches: searched letter by letter"]
    assert isinstance(calls[-1][0], Substring)
    answer, calls = asked(store, "kettle")
    assert not any(isinstance(request, Substring) for call in calls for request in call)
    assert answer.meta["channels"] == ["lexical", "vector"]


@pytest.mark.proves("P6")
@pytest.mark.parametrize("least", [0.0, 0.3, 0.6])
def test_nothing_below_the_least_cosine_is_found_by_meaning(store: Store, least: float) -> None:
    every, _ = asked(store, "the cat in the garage", "vector", retrieve__vector__least=0)
    some, _ = asked(store, "the cat in the garage", "vector", retrieve__vector__least=least)
    assert ids(some) == [hit.id for hit in every if hit.score >= least]


def test_each_channel_scores_what_only_the_other_found(store: Store) -> None:
    one_each: dict[str, Any] = {
        "retrieve__overfetch": {"factor": 1, "least": 1},
        "rank__weights": {"lexical": 0.6, "vector": 0.5},
        "limit": 1,
    }
    answer, calls = asked(store, "puppy puppy kettle", **one_each)
    among = {type(request): getattr(request, "among", None) for request in calls[1]}
    assert among == {Lexical: ("hound",), Nearest: ("kettle",)}
    (hit,) = answer
    assert (hit.id, hit.sources) == ("kettle", {"lexical": 1})
    assert hit.signals == {"lexical": 1.0, "vector": 0.0}  # of two: the highest and the lowest
    assert answer.meta["candidates"] == 2
    answer, calls = asked(store, "puppy puppy kettle", fuse__complete=0, **one_each)
    assert (len(calls), answer.meta["candidates"]) == (1, 2)


def test_the_snippet_comes_from_the_passage_that_means_it(store: Store) -> None:
    filler = "Something quite different is told here, at length. " * 40
    body = f"{filler}A feline purrs & <sleeps>. {filler}"
    embedded(store, record("long", body=body))
    with store.snapshot() as view:
        (near,) = view.retrieve([Nearest(Bag().vector("kitten purrs"), "bag", among=("long",))])
    span = near.matches[0].span
    assert span is not None
    answer, _ = asked(store, "kitten", "vector")
    shown = {hit.id: hit.snippet for hit in answer}["long"]
    assert shown.startswith(f"…{body[slice(*span)][:20]}")
    assert shown.endswith("…")
    marked, _ = asked(store, "kitten purrs", "vector")
    shown = {hit.id: hit.snippet for hit in marked}["long"]
    assert "feline <mark>purrs</mark> &amp; &lt;sleeps&gt;" in shown
