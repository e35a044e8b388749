"""Several tiers are one store: how records are shared out changes no answer."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.model.ask import Ask
from pinyon.model.hit import Answer
from pinyon.model.query import Filters, Recent, Request, Substring
from pinyon.profiles.load import load
from pinyon.search.pipeline import search
from pinyon.store.contract import Store, View
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import Named, Size, Values, Vocabulary
from pinyon.store.tiers import Member, TieredView
from tests.store.world import EVERYWHERE, NOW, ask, record, save

WORDS = ("amber", "fox", "runs", "river", "the", "getUserById", "京都")
QUESTIONS = (
    "amber fox",
    "runs",
    "the river runs",
    "amb*",
    '"amber fox"',
    "user",
    "京都",
    "",
    "ambe",
)
PROFILES = ("keyword", "vault")

texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
bodies = st.builds(
    lambda title, body, tags, domain, kind: {
        "title": title,
        "body": body,
        "tags": tags,
        "domain": domain,
        "kind": kind,
    },
    texts,
    texts,
    st.lists(st.sampled_from(["fox", "river"]), max_size=2, unique=True).map(tuple),
    st.sampled_from(["", "river"]),
    st.sampled_from(["entry", "note", "memory"]),
)
shared_out = st.lists(st.tuples(bodies, st.integers(0, 2)), max_size=12)
"""Records, each with the number of its tier."""


@contextmanager
def tiered(stores: Sequence[Store]) -> Iterator[TieredView]:
    """Tiers of equal priority, the first one highest."""
    with ExitStack() as stack:
        views = [stack.enter_context(store.snapshot()) for store in stores]
        members = [Member(f"tier{at}", 1.0, view) for at, view in enumerate(views)]
        yield TieredView(views[0], members)


@contextmanager
def stores_of(kind: str, count: int) -> Iterator[list[Store]]:
    if kind == "memory":
        yield [MemoryStore() for _ in range(count)]
        return
    from pinyon.store.sqlite import SqliteStore

    with tempfile.TemporaryDirectory() as folder:
        stores = [SqliteStore(Path(folder) / f"{at}.pinyon") for at in range(count)]
        try:
            yield list(stores)
        finally:
            for store in stores:
                store.close()


def essence(answer: Answer) -> list[object]:
    """What the law is about: not the time that it took, nor the tier."""
    return [
        (hit.id, hit.score, hit.relevance, dict(hit.signals), dict(hit.sources), hit.snippet)
        for hit in answer
    ]


def answers(view: View) -> list[object]:
    return [
        essence(search(view, Ask(text, NOW, limit=5), load(profile)))
        for profile in PROFILES
        for text in QUESTIONS
    ]


@pytest.mark.proves("V6")
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@given(shared_out)
@settings(max_examples=10, deadline=None)
def test_tiers_that_share_no_record_answer_as_one_store(
    kind: str, parts: list[tuple[dict[str, str], int]]
) -> None:
    with stores_of(kind, 4) as (whole, *tiers):
        for at, (fields, tier) in enumerate(parts):
            one = record(f"r{at}", **fields)
            save(whole, one)
            save(tiers[tier], one)
        with whole.snapshot() as view, tiered(tiers) as together:
            assert answers(together) == answers(view)
            for question in (
                Vocabulary(("amber", "fox", "nowher")),
                Values("tags"),
                Named("tags", frozenset({"fox", "amber"})),
            ):
                assert together.survey(question) == view.survey(question)
            assert together.survey(Size()).kinds == view.survey(Size()).kinds


ids = st.sampled_from(["a", "b", "c", "d", "e", "f"])
overlapping = st.lists(st.tuples(ids, bodies, st.integers(0, 2)), max_size=14)
"""Records whose ids may stand in several tiers, each with the number of its tier."""

MANY = 30


def requests(limit: int) -> list[Request]:
    return [
        ask("amber fox", limit=limit),
        ask("river", limit=limit, filters=Filters(kinds=("note", "entry"))),
        Substring(("amb",), EVERYWHERE, limit=limit),
        Recent(Filters(tags=("fox",)), limit),
        Recent(limit=limit),
    ]


@pytest.mark.proves("V6")
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@given(overlapping)
@settings(max_examples=15, deadline=None)
def test_the_version_of_the_highest_tier_is_the_only_one_that_there_is(
    kind: str, parts: list[tuple[str, dict[str, str], int]]
) -> None:
    with stores_of(kind, 4) as (visible, *tiers):
        for id, fields, tier in parts:
            save(tiers[tier], record(id, **fields))
        highest: dict[str, int] = {}
        for id, _, tier in parts:
            highest[id] = min(tier, highest.get(id, tier))
        for id, tier in highest.items():
            with tiers[tier].snapshot() as view:
                save(visible, view.fetch([id])[id])
        with visible.snapshot() as one, tiered(tiers) as together:
            known = sorted(highest)
            texts = {id: (kept.title, kept.body) for id, kept in one.fetch(known).items()}
            fetched = together.fetch(known)
            assert {id: (kept.title, kept.body) for id, kept in fetched.items()} == texts
            places = {id: facts.tier for id, facts in together.facts(known).items()}
            assert places == {id: f"tier{tier}" for id, tier in highest.items()}
            notes = Filters(kinds=("note",))
            assert together.passing(known, notes) == one.passing(known, notes)
            for right, ranked in zip(
                one.retrieve(requests(MANY)), together.retrieve(requests(MANY)), strict=True
            ):
                assert {match.id for match in ranked.matches} == {m.id for m in right.matches}


@pytest.mark.proves("V6")
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@given(overlapping, st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_what_a_higher_tier_hides_takes_no_place_in_a_list(
    kind: str, parts: list[tuple[str, dict[str, str], int]], limit: int
) -> None:
    with stores_of(kind, 3) as tiers:
        for id, fields, tier in parts:
            save(tiers[tier], record(id, **fields))
        with tiered(tiers) as together:
            for few, many in zip(
                together.retrieve(requests(limit)), together.retrieve(requests(MANY)), strict=True
            ):
                assert few.matches == many.matches[:limit]
