"""Like: a record in the place of a question finds what resembles it, and never itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pinyon.model.ask import Ask
from pinyon.model.errors import UnknownRecord
from pinyon.model.hit import Answer
from pinyon.profiles.load import load
from pinyon.search.like import MOST_TERMS, words_like
from pinyon.search.pipeline import search
from pinyon.search.retrieve import Meanings
from pinyon.store.contract import Store
from tests.search.meanings import Broken, bag, embedded
from tests.store.conftest import STORES
from tests.store.world import NOW, commit, record, save

SHELF = [
    record("cats", title="Cats", body="The cat hunts mice in the barn."),
    record("mice", title="Mice", body="Mice hide from hunting owls."),
    record("kitten", title="Kitten", body="A feline at play."),
    record("tea", title="Tea", body="Water boils in the kettle."),
]


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store that knows the meaning of SHELF."""
    opened = STORES[request.param](tmp_path)
    embedded(opened, *SHELF)
    yield opened
    opened.close()


def like(
    store: Store, id: str, profile: str = "default", *, meaning: Meanings = bag, limit: int = 10
) -> Answer:
    with store.snapshot() as view:
        return search(view, Ask("", NOW, limit, like=id), load(profile), meaning=meaning)


@pytest.mark.proves("X17")
def test_a_record_finds_what_shares_its_words_or_its_meaning_but_not_itself(store: Store) -> None:
    sources = {hit.id: set(hit.sources) for hit in like(store, "cats")}
    assert "cats" not in sources
    assert "lexical" in sources["mice"]
    words = [hit.id for hit in like(store, "kitten", "keyword")]
    meaning = [hit.id for hit in like(store, "kitten", "vector")]
    assert (words, meaning[0]) == ([], "cats")


@pytest.mark.proves("X17")
@pytest.mark.parametrize("profile", ["keyword", "vector", "default"])
def test_leaving_the_record_out_costs_no_hit(store: Store, profile: str) -> None:
    (hit,) = like(store, "cats", profile, limit=1)
    assert hit.id != "cats"


@pytest.mark.proves("X17")
def test_no_model_embeds_anything_for_it(store: Store) -> None:
    answer = like(store, "cats", "vector", meaning=lambda view: Broken())
    assert answer.meta["warnings"] == []
    assert len(answer) > 0


def test_its_meaning_is_the_mean_of_its_passages(store: Store) -> None:
    # Two passages, one about each: the record means both.
    filler = {"cat": "cat mice. " * 60, "kettle": "kettle water. " * 60}
    embedded(store, record("long", body=filler["cat"] + filler["kettle"]))
    assert {hit.id for hit in like(store, "long", "vector", limit=2)} == {"kitten", "tea"}


def test_a_record_without_a_vector_yet_is_compared_by_its_words(store: Store) -> None:
    save(store, record("new", body="mice and owls"))
    answer = like(store, "new")
    assert [hit.id for hit in answer] == ["mice", "cats"]
    assert answer.meta["warnings"] == [
        "searched by words only: 'new' has no vector yet (pinyon embed)"
    ]


def test_the_words_that_tell_a_record_apart_come_first(store: Store) -> None:
    save(
        store, record("a", title="The mice", tags=("mice",), body="sleeping mice and owls the the")
    )
    with store.snapshot() as view:
        plain = words_like(view, "a", load("base").understand).plain
    assert plain is not None
    assert [part.text for part in plain.parts if hasattr(part, "text")] == [
        "mice",
        "sleeping",
        "owls",
    ]


def test_a_long_record_is_asked_for_by_its_best_words_only(store: Store) -> None:
    save(
        store,
        record(
            "long", body=" ".join(f"word{chr(97 + at % 26) * (1 + at // 26)}" for at in range(90))
        ),
    )
    with store.snapshot() as view:
        plain = words_like(view, "long", load("base").understand).plain
    assert plain is not None
    assert len(plain.parts) == MOST_TERMS


@pytest.mark.parametrize("id", ["nobody", "gone"])
def test_a_record_that_is_not_there_is_refused(store: Store, id: str) -> None:
    save(store, record("gone", body="cat"))
    commit(store, forget=("gone",))
    with pytest.raises(UnknownRecord) as refused:
        like(store, id)
    assert refused.value.ids == (id,)


def test_a_record_without_words_finds_nothing_by_words(store: Store) -> None:
    save(store, record("empty", body="the of and"))
    assert len(like(store, "empty", "keyword")) == 0
