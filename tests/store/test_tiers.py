"""Tiers: several views, asked as one; what is summed, what is joined, and whose a record is."""

import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from pinyon.model.errors import BusyStore
from pinyon.model.query import Filters, Lexical, Neighbours, Recent, Request, Step, Substring
from pinyon.model.record import Edge
from pinyon.model.use import Noted, Use
from pinyon.store.contract import Store, View
from pinyon.store.memory import MemoryStore
from pinyon.store.questions import CountedFor, Edges, History, Models, Size, Terms, VectorsOf
from pinyon.store.tiers import Member, TieredView
from tests.store.world import (
    EAST,
    EVERYWHERE,
    FIRST,
    LATER,
    NORTH,
    NOW,
    SECOND,
    ask,
    commit,
    embed,
    near,
    phrase,
    record,
    save,
)


@contextmanager
def together(*stores: Store, priorities: tuple[float, ...] = (1.0, 0.6)) -> Iterator[TieredView]:
    """The stores as the tiers agent and team."""
    with ExitStack() as stack:
        views = [stack.enter_context(store.snapshot()) for store in stores]
        tiers = zip(("agent", "team"), priorities, views, strict=True)
        yield TieredView(views[0], [Member(*tier) for tier in tiers])


def ids(view: TieredView, request: Any) -> list[str]:
    [ranked] = view.retrieve([request])
    return [match.id for match in ranked.matches]


@pytest.fixture
def team() -> Store:
    return MemoryStore()


@pytest.mark.proves("V6")
def test_words_are_counted_over_all_tiers(store: Store, team: Store) -> None:
    save(store, record("a", body="amber fox"), record("b", body="river"))
    save(team, record("c", body="amber amber river stone"))
    fields, k1, b = {"body": 1.0}, 1.2, 0.75
    documents, df, mean = 3, 2, (2 + 1 + 4) / 3
    idf = math.log((documents - df + 0.5) / (df + 0.5) + 1)

    def score(tf: int, length: int) -> float:
        return idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean))

    with together(store, team) as view:
        [ranked] = view.retrieve([Lexical(phrase("amber"), fields, k1, b)])
    assert {match.id: match.score for match in ranked.matches} == {
        "a": pytest.approx(score(1, 2)),
        "c": pytest.approx(score(2, 4)),
    }


@pytest.mark.proves("V6")
def test_a_record_that_matches_only_in_its_hidden_version_is_not_found(
    store: Store, team: Store
) -> None:
    save(store, record("plan", body="river"))
    save(team, record("plan", body="amber"), record("old", body="amber"))
    with together(store, team) as view:
        assert ids(view, ask("amber")) == ["old"]
        assert ids(view, ask("river")) == ["plan"]
        assert view.fetch(["plan"])["plan"].body == "river"
        [ranked] = view.retrieve([ask("amber")._replace(among=("plan", "old"))])
        assert {match.id: match.score > 0 for match in ranked.matches} == {
            "plan": False,
            "old": True,
        }


@pytest.mark.proves("V6")
def test_facts_say_which_tier_a_record_is_of_and_what_that_counts(
    store: Store, team: Store
) -> None:
    save(store, record("mine", importance=4))
    save(team, record("mine", importance=1), record("theirs", body="amber amber"))
    with together(store, team) as view:
        facts = view.facts(["theirs", "mine", "nobody's"], stems=("amber", "red"), fields=("body",))
        terms = view.survey(Terms(("theirs", "mine", "nobody's"), ("body",)))
    assert {id: (one.tier, one.priority, one.importance) for id, one in facts.items()} == {
        "mine": ("agent", 1.0, 4),
        "theirs": ("team", 0.6, facts["theirs"].importance),
    }
    assert facts["theirs"].terms == terms["theirs"] == {"amber": 2}
    assert terms.keys() == {"mine", "theirs"}


def test_what_was_found_out_is_kept_as_long_as_no_tier_changes(store: Store, team: Store) -> None:
    save(store, record("mine"))
    save(team, record("theirs"))
    with together(store, team) as view:
        view.scratch["known"] = 1
    with together(store, team) as view:
        assert view.scratch == {"known": 1}
    save(team, record("theirs", body="new"))
    with together(store, team) as view:
        assert view.scratch == {}


def test_a_record_that_was_forgotten_in_a_higher_tier_hides_nothing(
    store: Store, team: Store
) -> None:
    save(store, record("plan", body="river"), record("gone", body="river"))
    save(team, record("plan", body="amber"))
    commit(store, forget=["plan", "gone"])
    with together(store, team) as view:
        assert ids(view, ask("amber")) == ["plan"]
        assert view.fetch(["plan", "gone"]).keys() == {"plan"}
        fetched = view.fetch(["plan", "gone"], forgotten=True)
    assert {id: one.body for id, one in fetched.items()} == {"plan": "amber", "gone": "river"}


def test_filters_look_at_the_version_that_counts(store: Store, team: Store) -> None:
    save(store, record("plan", kind="note"))
    save(team, record("plan", kind="task"), record("more", kind="task"))
    with together(store, team) as view:
        assert view.passing(["plan", "more"], Filters(kinds=("task",))) == {"more"}
        assert ids(view, Recent(Filters(kinds=("task",)))) == ["more"]


def test_hops_of_all_tiers_are_followed_and_the_strongest_counts(store: Store, team: Store) -> None:
    save(store, record("a"), record("b"), edges=[Edge("a", "links", "b", 0.5)])
    save(
        team,
        *(record(id) for id in "abc"),
        edges=[Edge("a", "links", "b", 0.9), Edge("b", "links", "c", 0.4)],
    )
    with together(store, team) as view:
        assert view.neighbours(Neighbours(("b",))) == [
            Step("b", "a", "links", True, 0.9),
            Step("b", "c", "links", False, 0.4),
        ]


def test_what_is_known_of_a_record_is_what_its_own_tier_knows(store: Store, team: Store) -> None:
    use = Use(1, NOW, 0.5, 1.0, 5.0, 1)
    edge, hidden = Edge("mine", "links", "mate"), Edge("mine", "links", "theirs")
    save(store, record("mine"), record("mate"), edges=[edge])
    save(team, record("mine", body="amber"), record("theirs", body="amber"), edges=[hidden])
    for one in (store, team):
        commit(one, use=FIRST)
    embed(team, {"amber": EAST})
    commit(team, records=[record("theirs", body="amber fox", updated_at=LATER)])
    commit(team, records=[record("mine", body="amber fox", updated_at=LATER)])
    team.note(Noted(used={"theirs": use, "mine": use}))
    with together(store, team) as view, team.snapshot() as alone:
        asked = VectorsOf(("mine", "theirs"), FIRST.name)
        expected = {id: one for id, one in alone.survey(asked).items() if id != "mine"}
        assert view.survey(asked) == expected
        assert view.uses(("mine", "theirs")) == {"theirs": use}
        assert view.survey(Edges(("mine",))) == [edge]
        assert view.survey(History("mine")) == []
        assert [old.record.body for old in view.survey(History("theirs"))] == ["amber"]


def test_sizes_and_counts_are_summed(store: Store, team: Store) -> None:
    save(store, record("a", kind="note", body="amber fox"))
    save(team, record("b", kind="note", body="amber"), record("c", kind="task"))
    with together(store, team) as view:
        size = view.survey(Size())
        counted = view.survey(CountedFor(phrase("amber")))
    assert size.kinds == {"note": 2, "task": 1}
    assert (size.documents, size.tokens["body"]) == (3, 2 + 1)
    assert (counted.documents, counted.tokens["body"], dict(counted.df)) == (
        3,
        2 + 1,
        {("amber", False): 2},
    )


def test_what_belongs_to_a_whole_store_is_that_of_the_open_one(store: Store, team: Store) -> None:
    save(store, record("a"), settings={"colour": "amber"})
    save(team, record("b"), settings={"colour": "red"})
    commit(team, use=FIRST)
    with store.snapshot() as home, team.snapshot() as other:
        view = TieredView(home, [Member("team", 0.6, other)])
        assert view.tiers == ("team",)
        assert view.settings() == {"colour": "amber"}
        assert view.revision == home.revision
        assert view.survey(Models()) == home.survey(Models())
        assert [one.id for one in view.records()] == ["a"]
        assert [list(view.all_edges()), list(view.all_versions())] == [[], []]
        assert ids(view, Recent()) == ["b"]


@pytest.mark.proves("V6")
def test_a_tier_that_another_model_embedded_is_named_and_searched_by_words(
    store: Store, team: Store
) -> None:
    for one, model, name in ((store, FIRST, "a"), (team, SECOND, "b")):
        save(one, record(name, body="amber"))
        commit(one, use=model)
        embed(one, {"amber": EAST}, model)
    with together(store, team) as view:
        assert ids(view, near(EAST)) == ["a"]
        assert ids(view, ask("amber")) == ["a", "b"]
        [trouble] = view.troubles
    assert trouble.startswith("tier team was searched by words only")
    assert FIRST.name in trouble


def test_cosines_of_two_tiers_make_one_list(store: Store, team: Store) -> None:
    for one, name, word in ((store, "a", "north"), (team, "b", "east")):
        save(one, record(name, body=word))
        commit(one, use=FIRST)
        embed(one, {"north": NORTH, "east": EAST})
    with together(store, team) as view:
        assert ids(view, near(EAST, least=-1.0)) == ["b", "a"]
        assert view.troubles == []


class Failing:
    """A view that fails from its n-th question on."""

    def __init__(self, view: View, after: int) -> None:
        self._view, self._left = view, after

    def __getattr__(self, name: str) -> Any:
        self._left -= 1
        if self._left < 0:
            raise BusyStore("it is gone", remedy="bring it back")
        return getattr(self._view, name)


def everything(view: View) -> list[Any]:
    return [
        view.retrieve([ask("amber"), Recent(), Substring(("amb",), EVERYWHERE), near(EAST)]),
        view.retrieve([ask("amber")._replace(among=("mine", "theirs"))]),
        view.facts(["mine", "theirs"]),
        view.fetch(["mine", "theirs"], forgotten=True),
        view.neighbours(Neighbours(("mine", "theirs"))),
        view.passing(["mine", "theirs"], Filters()),
        view.survey(Size()).kinds,
        view.survey(History("theirs")),
        view.uses(("theirs",)),
        view.survey(Edges(("theirs",))),
    ]


@pytest.mark.proves("V6")
@pytest.mark.parametrize("after", range(20))
def test_a_tier_that_fails_at_any_question_is_left_out_and_named_once(
    store: Store, team: Store, after: int
) -> None:
    save(store, record("mine", body="amber"))
    save(team, record("theirs", body="amber"))
    with store.snapshot() as home, team.snapshot() as other:
        failing: Any = Failing(other, after)
        view = TieredView(home, [Member("agent", 1.0, home), Member("team", 0.6, failing)])
        everything(view)
        everything(view)
        named = [text for text in view.troubles if "left out" in text]
        assert named == ["tier team was left out: it is gone (bring it back)"]
        assert view.tiers == ("agent",)
        assert ids(view, ask("amber")) == ["mine"]
        counting = {id for id, facts in view.facts(["mine", "theirs"]).items() if facts.priority}
        assert counting == {"mine"}


def test_the_store_that_is_open_is_never_left_out(store: Store) -> None:
    save(store, record("mine", body="amber"))
    with store.snapshot() as home:
        failing: Any = Failing(home, 0)
        view = TieredView(failing, [Member("agent", 1.0, failing)])
        with pytest.raises(BusyStore):
            view.retrieve([Recent()])


def test_without_any_tier_left_nothing_is_found(store: Store) -> None:
    save(store, record("mine", body="amber"))
    requests: list[Request] = [ask("amber"), near(EAST), Substring(("amb",), EVERYWHERE), Recent()]
    with store.snapshot() as home:
        view = TieredView(home, [], ["tier team was left out: gone"])
        assert [(one.channel, one.matches) for one in view.retrieve(requests)] == [
            (one.channel, ()) for one in home.retrieve(requests)
        ]
        assert (view.fetch(["mine"]), view.facts(["mine"]), view.tiers) == ({}, {}, ())
        assert view.survey(Size()).documents == 0
        assert view.troubles == ["tier team was left out: gone"]
