"""The worked examples of docs/why/profiles.md: each holds, by its arithmetic and by a search."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinyon.engine import Engine
from pinyon.model.ask import Ask
from pinyon.profiles.load import load, names
from pinyon.search.pipeline import search
from pinyon.search.retrieve import no_meaning
from pinyon.store.contract import Store
from pinyon.store.memory import MemoryStore
from tests.golden.test_rankings import TODAY, fill
from tests.search.meanings import bag, embedded

PAGE = Path(__file__).resolve().parents[2] / "docs" / "why" / "profiles.md"
SECTION = re.compile(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^ {4}(.+?) -> ([\w-]+): ([\d.x+/() ]+) = ([\d.]+)$", re.MULTILINE)
BY_MEANING = ("brain", "pages", "default", "vector")
"""The sections whose examples are asked with vectors, of the small model of the tests."""


def examples() -> list[tuple[str, str, str, str, str]]:
    """The last profile that the heading names, then question, id, arithmetic and score."""
    return [
        (re.findall(r"`(\w+)`", heading)[-1], *found)
        for heading, text in SECTION.findall(PAGE.read_text("utf-8"))
        for found in EXAMPLE.findall(text)
    ]


@pytest.fixture(scope="module")
def worded() -> Iterator[Store]:
    yield from filled(with_vectors=False)


@pytest.fixture(scope="module")
def meant() -> Iterator[Store]:
    yield from filled(with_vectors=True)


def filled(*, with_vectors: bool) -> Iterator[Store]:
    store = MemoryStore()
    with Engine(store, clock=lambda: TODAY) as engine:
        fill(engine)
        if with_vectors:
            embedded(store)
        yield store


@pytest.mark.parametrize(("profile", "question", "id", "arithmetic", "score"), examples())
def test_a_worked_example_is_what_a_search_gives(
    worded: Store, meant: Store, profile: str, question: str, id: str, arithmetic: str, score: str
) -> None:
    with_vectors = profile in BY_MEANING
    with (meant if with_vectors else worded).snapshot() as view:
        meaning = bag if with_vectors else no_meaning
        answer = search(view, Ask(question, TODAY), load(profile), meaning=meaning)
    (hit,) = (hit for hit in answer if hit.id == id)
    # The page rounds: by half of its last digit, and what it adds up by a little more.
    digits = len(score.partition(".")[2])
    computed = eval(arithmetic.replace("x", "*"))  # digits and + * / ( ) only
    assert hit.score == pytest.approx(float(score), abs=0.51 * 10**-digits)
    assert computed == pytest.approx(float(score), abs=10**-digits)


def test_every_profile_that_answers_has_an_example_or_is_named() -> None:
    page = PAGE.read_text("utf-8")
    worked = {profile for profile, *_ in examples()}
    assert {"vault", "brain", "spec", "pages", "graph", "default"} <= worked
    assert all(f"`{name}`" in page for name in names())
