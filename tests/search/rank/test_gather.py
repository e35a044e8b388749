"""Gather: what ranking asks of a store, and that it asks for nothing else."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from pinyon.model.ask import Ask
from pinyon.model.facts import Facts, microseconds
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection, UnderstandSection
from pinyon.model.query import Filters
from pinyon.search.rank import Known, gather
from pinyon.search.understand import understand
from pinyon.store.contract import Batch, View
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import Question
from tests.search.rank.built import ago, candidate
from tests.store.world import NOW, both_stores, record

RECORDS = [
    record("a", title="Login", tags=("auth", "Access Tokens"), domain="security", author="Ada"),
    record("b", title="Colours", tags=("design",), domain="front end", author="Ada Lovelace"),
]
CANDIDATES = [candidate("a"), candidate("b")]


class Asked:
    """A view that notes what it is asked."""

    def __init__(self, view: View, tiers: tuple[str, ...] = ()) -> None:
        self.view = view
        self.tiers = tiers
        self.asked: list[str] = []

    @property
    def scratch(self) -> dict[str, Any]:
        return self.view.scratch

    def facts(
        self, ids: Sequence[str], *, stems: Sequence[str] = (), fields: Sequence[str] = ()
    ) -> dict[str, Facts]:
        self.asked.append(f"facts with {' '.join(stems)}" if stems else "facts")
        return self.view.facts(ids, stems=stems, fields=fields)

    def survey(self, question: Question[Any]) -> Any:
        field = getattr(question, "field", "")
        self.asked.append(f"{type(question).__name__} {field}".strip())
        return self.view.survey(question)


@contextmanager
def asked_of(tiers: tuple[str, ...] = ()) -> Iterator[Asked]:
    store = MemoryStore()
    store.commit(Batch(now=NOW, records=RECORDS))
    with store.snapshot() as view:
        yield Asked(view, tiers)


def gathered(
    view: Any,
    how: RankSection,
    text: str = "access tokens for front ends",
    *,
    candidates: Sequence[Candidate] = CANDIDATES,
    channels: Sequence[str] = ("lexical",),
    **parts: Any,
) -> Known:
    plain = UnderstandSection(fix=False, expand=False, intents=False)
    query = understand(view, text, plain, NOW)
    return gather(view, candidates, query, Ask(text, NOW, **parts), channels, 60, how)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        (RankSection(), []),
        (RankSection(weights={"lexical": 1, "agreement": 1, "title": 1}), []),
        (RankSection(times=("doc_type",)), ["facts"]),
        (RankSection(baseline={"memory": 0.5}), ["facts"]),
        (RankSection(weights={"decay": 1, "recency": 0}), ["facts"]),
        (RankSection(weights={"lexical": 1}, with_vectors={"decay": 1}), []),
        (
            RankSection(weights={"semantic": 1}),
            [
                "facts with access token front end",
                "CountedFor",
                "Vocabulary",
                "Terms",
                "Vocabulary",
            ],
        ),
        (
            RankSection(weights={"tags": 1, "domain": 1, "name": 1}),
            ["Named author", "Named entity", "facts", "Named tags", "Named domain"],
        ),
    ],
)
def test_a_store_is_asked_only_for_what_the_profile_weighs(
    how: RankSection, expected: list[str]
) -> None:
    with asked_of() as view:
        gathered(view, how)
        assert view.asked == expected


def test_the_words_of_a_record_are_read_once_for_a_revision() -> None:
    how = RankSection(weights={"semantic": 1})
    with asked_of() as view:
        first = gathered(view, how)
        view.asked.clear()
        assert gathered(view, how) == first
        assert "Terms" not in view.asked


def test_tiers_need_the_facts_of_everything_shown() -> None:
    with asked_of(("agent", "team")) as view:
        gathered(view, RankSection())
        assert view.asked == ["facts"]


def test_what_was_only_changed_last_needs_nothing() -> None:
    recent = [Candidate("a", 0.0, 0.0, {}, {})]
    with asked_of() as view:
        known = gathered(view, RankSection(weights={"semantic": 1}), "", candidates=recent)
        assert (view.asked, known.facts) == ([], {})


@pytest.mark.proves("V11")
def test_tags_and_domains_are_those_that_the_question_names() -> None:
    how = RankSection(weights={"tags": 1, "domain": 1, "name": 1})
    with both_stores() as stores:
        for store in stores:
            store.commit(Batch(now=NOW, records=RECORDS))
            with store.snapshot() as view:
                known = gathered(view, how, "the access token of Ada, at the front end")
            assert known.tags == {"Access Tokens"}
            assert known.domains == {"front end"}
            assert known.names == {"Ada"}


@pytest.mark.proves("V11")
def test_tags_and_domains_that_are_given_stand_over_those_that_are_named() -> None:
    how = RankSection(weights={"tags": 1, "domain": 1, "name": 1})
    given = Filters(tags=("design",), domains=("elsewhere",), authors=("Charles",))
    with asked_of() as view:
        known = gathered(view, how, filters=given)
        assert [*known.tags, *known.domains, *known.names] == ["design", "elsewhere", "Charles"]
        assert view.asked == ["facts"]


def test_what_is_asked_of_the_past_is_ranked_as_of_then() -> None:
    with asked_of() as view:
        assert gathered(view, RankSection(), as_of=ago(10)).now_us == microseconds(ago(10))
        assert gathered(view, RankSection()).now_us == microseconds(NOW)
