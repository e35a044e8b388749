"""Permitted: what a caller may not do is refused, and what it may not see is not there."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pinyon
from pinyon.access import CAPABILITIES, NEEDS, NOBODY, Permit, Permitted
from pinyon.engine import Engine
from pinyon.model.errors import (
    DuplicateRecord,
    NotPermitted,
    StaleRecord,
    SupersededRecord,
    UnknownRecord,
)
from pinyon.model.record import Record
from pinyon.store.memory import MemoryStore
from tests.access.world import in_memory, limited, untouchable
from tests.engine.opened import Clock

CALLS: dict[str, Callable[[Permitted], Any]] = {
    "search": lambda engine: engine.search("amber"),
    "override": lambda engine: engine.search("amber", override={"retrieve.expired": True}),
    "brief": lambda engine: engine.brief(),
    "get": lambda engine: engine.get("mine"),
    "history": lambda engine: engine.history("mine"),
    "related": lambda engine: engine.related("mine"),
    "conflicts": lambda engine: engine.conflicts(),
    "values": lambda engine: engine.values("tags"),
    "whole": lambda engine: engine.whole(),
    "profiles": lambda engine: engine.profiles(),
    "tiers": lambda engine: engine.tiers(),
    "save": lambda engine: engine.save(Record(kind="memory", body="new")),
    "update": lambda engine: engine.update("mine", body="new"),
    "correct": lambda engine: engine.correct("mine", body="new"),
    "forget": lambda engine: engine.forget("mine"),
    "purge": lambda engine: engine.forget("mine", purge=True),
    "link": lambda engine: engine.link("mine", "supports", "other"),
    "unlink": lambda engine: engine.unlink("mine", "supports", "other"),
    "feedback": lambda engine: engine.feedback("mine", "accepted"),
    "index": lambda engine: engine.index("nowhere"),
    "embed": lambda engine: engine.embed(),
    "config": lambda engine: engine.config(),
    "configure": lambda engine: engine.configure("a", "b"),
}


def test_every_method_has_its_needs_and_is_tried_here() -> None:
    methods = {name for name, _ in inspect.getmembers(Permitted, inspect.isfunction)}
    public = {name for name in methods if not name.startswith("_")}
    assert public - {"check_job"} | {"override", "purge"} == NEEDS.keys() == CALLS.keys()


@pytest.mark.proves("P8", part="permission")
@pytest.mark.proves("X11")
@pytest.mark.parametrize("what", NEEDS)
def test_a_missing_capability_is_refused_before_the_store_is_touched(what: str) -> None:
    for missing in NEEDS[what]:
        able = frozenset(CAPABILITIES) - {missing}
        for permit in (Permit("guest", able), Permit("guest", able, ("agent",), ("team",)), NOBODY):
            with pytest.raises(NotPermitted, match=f"{permit.name} may not"):
                CALLS[what](Permitted(untouchable(), permit))
            if what in ("index", "embed"):
                with pytest.raises(NotPermitted, match=f"{permit.name} may not"):
                    Permitted(untouchable(), permit).check_job(what)


OTHER_SCOPE: list[Callable[[Permitted], Any]] = [
    lambda engine: engine.search("amber", scope="private"),
    lambda engine: engine.search("amber", scope=["team", "private"]),
    lambda engine: engine.search("amber", scope="teams"),
    lambda engine: engine.search("amber", scope="team/../private"[5:]),
    lambda engine: engine.brief("private"),
    lambda engine: engine.conflicts("private"),
    lambda engine: engine.save(Record(kind="memory", body="new")),
    lambda engine: engine.save(Record(kind="memory", body="new", scope="private")),
    lambda engine: engine.update("mine", scope="private"),
    lambda engine: engine.update("mine", scope=""),
    lambda engine: engine.correct("mine", scope="private"),
    lambda engine: engine.whole(),
    lambda engine: engine.index("nowhere"),
    lambda engine: engine.config(),
    lambda engine: engine.configure("a", "b"),
]


@pytest.mark.proves("P8", part="permission")
@pytest.mark.parametrize("call", OTHER_SCOPE)
def test_another_scope_is_refused_before_the_store_is_touched(
    call: Callable[[Permitted], Any],
) -> None:
    with pytest.raises(NotPermitted, match="may not"):
        call(Permitted(untouchable(), limited("team")))


@pytest.mark.proves("P8", part="permission")
def test_another_tier_is_refused_before_the_store_is_touched() -> None:
    with pytest.raises(NotPermitted, match="may not use the tier private"):
        Permitted(untouchable(), limited(tiers=("team",))).search("amber", tiers=["private"])


@pytest.fixture
def engine() -> Iterator[Engine]:
    """Two records of the team, and one of somebody else."""
    with in_memory() as engine:
        engine.save(Record(kind="memory", id="mine", body="amber fox", scope="team/api"))
        engine.save(Record(kind="memory", id="ours", body="amber owl", scope="team"))
        engine.save(Record(kind="memory", id="secret", body="amber eel", scope="private"))
        yield engine


@pytest.fixture
def guest(engine: Engine) -> Permitted:
    return Permitted(engine, limited("team"))


@pytest.mark.proves("X11")
def test_a_caller_with_scopes_finds_and_reads_what_is_in_them(guest: Permitted) -> None:
    assert {hit.id for hit in guest.search("amber")} == {"mine", "ours"}
    assert {hit.id for hit in guest.search("amber", scope="team/api")} == {"mine"}
    assert [record.id for record in guest.get("ours", "mine", "ours")] == ["ours", "mine", "ours"]
    assert guest.values("scope") == {"team": 1, "team/api": 1}
    assert guest.values("kind") == {"memory": 2}


def test_which_of_several_ids_exist_cannot_be_told(guest: Permitted) -> None:
    with pytest.raises(UnknownRecord) as unknown:
        guest.get("secret", "mine", "nowhere")
    assert unknown.value.ids == ("secret", "nowhere")


def test_an_id_of_another_scope_is_taken_and_says_no_more(engine: Engine, guest: Permitted) -> None:
    for replace in (False, True):
        with pytest.raises(NotPermitted) as refused:
            guest.save(Record(kind="memory", id="secret", body="x", scope="team"), replace=replace)
        assert "private" not in str(refused.value)
    assert engine.get("secret")[0].body == "amber eel"


def test_what_was_forgotten_elsewhere_does_not_come_back_with_its_links(
    engine: Engine, guest: Permitted
) -> None:
    engine.link("secret", "supports", "mine", evidence="nobody must know")
    engine.forget("secret")
    with pytest.raises(NotPermitted, match="choose another id"):
        guest.save(Record(kind="memory", id="secret", body="x", scope="team"))
    guest.forget("ours")
    assert guest.save(Record(kind="memory", id="ours", body="back", scope="team")) == "ours"


def test_a_known_id_of_its_own_is_taken_as_ever(guest: Permitted) -> None:
    with pytest.raises(DuplicateRecord):
        guest.save(Record(kind="memory", id="mine", body="x", scope="team"))
    guest.save(Record(kind="memory", id="mine", body="x", scope="team"), replace=True)


def test_the_way_that_led_to_a_hit_is_not_told(engine: Engine, guest: Permitted) -> None:
    engine.save(Record(kind="memory", id="next", body="something else", scope="team"))
    engine.link("secret", "supports", "next")
    engine.link("mine", "supports", "next")
    assert any(hit.via for hit in engine.search("amber", channels=["lexical", "graph"]))
    assert not any(hit.via for hit in guest.search("amber", channels=["lexical", "graph"]))


def test_no_way_leads_through_another_scope(engine: Engine, guest: Permitted) -> None:
    engine.link("mine", "supports", "secret")
    engine.link("secret", "supports", "ours")
    assert [each.record.id for each in engine.related("mine", depth=2)] == ["secret", "ours"]
    assert guest.related("mine", depth=2) == []
    engine.link("mine", "contains", "ours", strength=0.1)
    assert [each.record.id for each in guest.related("mine", limit=1)] == ["ours"]


def test_a_contradiction_is_told_to_who_sees_both_sides(engine: Engine, guest: Permitted) -> None:
    engine.link("mine", "contradicts", "secret", evidence="nobody must know")
    engine.link("mine", "contradicts", "ours", evidence="eyes")
    assert len(engine.conflicts("team")) == 2
    assert [(each.one, each.other) for each in guest.conflicts()] == [("mine", "ours")]


def test_what_a_record_was_in_another_scope_is_not_shown(engine: Engine, guest: Permitted) -> None:
    engine.update("secret", body="amber eel, washed", scope="team")
    past = "2026-03-01T12:02:30Z"
    assert "secret" in {hit.id for hit in engine.search("amber", as_of=past, scope="team")}
    then = guest.search("amber", as_of=past, mode="full")
    assert {hit.id for hit in then} == {"mine", "ours"}
    assert then.meta["returned"] == 2
    assert [record.body for record in guest.get("secret")] == ["amber eel, washed"]
    assert guest.history("secret") == []


def test_the_successor_of_a_record_is_named_where_it_is_seen(
    engine: Engine, guest: Permitted
) -> None:
    engine.link("secret", "supersedes", "mine")
    with pytest.raises(SupersededRecord) as hidden:
        guest.correct("mine", body="x")
    assert hidden.value.latest == ()
    assert "secret" not in str(hidden.value)
    new = guest.correct("ours", body="amber owl, at night")
    with pytest.raises(SupersededRecord, match=new):
        guest.correct("ours", body="x")


def test_what_others_write_is_not_told_by_what_a_question_is_read_as(
    engine: Engine, guest: Permitted
) -> None:
    engine.save(Record(kind="memory", body="Quiet Zebra Project (QZP) pays", scope="private"))
    for asked in ("projekt zebrra", "QZP"):
        assert engine.search(asked).meta["changed"]
        assert guest.search(asked).meta["changed"] == []


def test_a_caller_that_sees_several_scopes_names_one_for_a_brief(engine: Engine) -> None:
    guest = Permitted(engine, limited("team", "private"))
    with pytest.raises(NotPermitted, match="name one: team, private"):
        guest.brief()
    assert {item.id for section in guest.brief("team") for item in section} == {"mine", "ours"}
    assert guest.conflicts() == []


def test_an_update_changes_only_what_was_looked_at(engine: Engine, guest: Permitted) -> None:
    with pytest.raises(StaleRecord):
        guest.update("mine", expected=2, body="x")
    assert guest.update("mine", expected=1, body="x").version == 2
    assert guest.update("mine", body="y").version == 3


@pytest.mark.parametrize(
    ("path", "value", "scopes", "allowed"),
    [
        ("rank.weights.recency", 0.5, (), True),
        ("rank.weights.recency", 0.5, ("team",), True),
        ("expand.depth", 1, (), True),
        ("expand.depth", 1, ("team",), False),
        ("rerank.model", "https://evil.example", (), False),
        ("retrieve.expired", True, (), False),
        ("expand", {"depth": 1}, (), False),
    ],
)
def test_a_search_may_weigh_as_it_likes_but_change_nothing_else(
    engine: Engine, path: str, value: Any, scopes: tuple[str, ...], allowed: bool
) -> None:
    reader = Permitted(engine, limited(*scopes, can=("search",)))
    try:
        done = bool(reader.search("amber", override={path: value}))
    except NotPermitted:
        done = False
    assert done == allowed


class Moving(Engine):
    """Whatever was read is moved to another scope before anybody can do something with it."""

    def get(self, *ids: str) -> list[Record]:
        found = super().get(*ids)
        for each in found:
            super().update(each.id, scope="private")
        return found


def test_a_record_that_moves_away_at_the_last_moment_is_not_changed() -> None:
    with Moving(MemoryStore(), clock=Clock()) as engine:
        engine.save(Record(kind="memory", id="mine", body="amber fox", scope="team"))
        with pytest.raises(UnknownRecord):
            Permitted(engine, limited("team")).update("mine", body="x")
        assert engine.get("mine")[0].body == "amber fox"


def test_more_like_what_cannot_be_seen_is_not_found(guest: Permitted) -> None:
    assert {hit.id for hit in guest.search(like="mine")} == {"ours"}
    with pytest.raises(UnknownRecord):
        guest.search(like="secret")


def test_the_owner_is_given_what_the_engine_gives(engine: Engine) -> None:
    owner = Permitted(engine)
    assert owner.link("mine", "names", "@fox").to_id == "@fox"
    assert owner.tiers() == engine.tiers()
    assert owner.values("scope") == engine.values("scope")
    assert {hit.id for hit in owner.search("amber")} == {"mine", "ours", "secret"}


# tiers


@pytest.fixture
def tiered(tmp_path: Path) -> Iterator[Engine]:
    """A store with two tiers beside it: one counts more, one less."""
    for name in ("above", "below"):
        with pinyon.open(tmp_path / f"{name}.pinyon", background=False) as store:
            store.save(Record(kind="memory", id="same", body=f"{name} eel", scope="private"))
            store.save(Record(kind="memory", id=name, body=f"amber {name} eel", scope="team"))
    with pinyon.open(tmp_path / "own.pinyon", background=False) as engine:
        engine.save(Record(kind="memory", id="same", body="amber fox", scope="team"))
        engine.name_tier("agent", priority=0.7)
        engine.add_tier("above", tmp_path / "above.pinyon", priority=0.9)
        engine.add_tier("below", tmp_path / "below.pinyon", priority=0.5)
        yield engine


def found(answer: Any) -> dict[str, str]:
    return {hit.id: hit.tier for hit in answer}


@pytest.mark.proves("X11")
def test_a_caller_with_tiers_searches_in_them_alone(tiered: Engine) -> None:
    guest = Permitted(tiered, limited(tiers=("below",)))
    assert found(guest.search("amber eel")) == {"below": "below", "same": "below"}
    assert [tier.name for tier in guest.tiers()] == ["below"]
    for call in (
        lambda: guest.get("same"),
        lambda: guest.save(Record(kind="memory", body="x")),
        guest.brief,
        guest.whole,
        guest.check_job,
        lambda: guest.values("tags"),
        lambda: guest.forget("same"),
    ):
        with pytest.raises(NotPermitted, match="may not use the tier agent"):
            call()


def test_a_tier_that_is_gone_names_no_other(tiered: Engine) -> None:
    guest = Permitted(tiered, limited(tiers=("gone",)))
    with pytest.raises(NotPermitted) as refused:
        guest.search("amber")
    assert "above" not in str(refused.value)
    both = Permitted(tiered, limited(tiers=("gone", "below")))
    assert set(found(both.search("amber")).values()) == {"below"}


def test_scopes_hold_in_every_tier(tiered: Engine) -> None:
    guest = Permitted(tiered, limited("team"))
    assert found(guest.search("amber eel fox")) == {"above": "above", "below": "below"}
    assert [(tier.name, tier.path, tier.records) for tier in guest.tiers()] == [
        ("above", "", 0),
        ("agent", "", 0),
        ("below", "", 0),
    ]


def test_more_like_this_goes_by_the_record_that_can_be_seen(tiered: Engine) -> None:
    """In the tier above, the same id is another record, of another scope."""
    guest = Permitted(tiered, limited("team"))
    assert "above" in found(tiered.search(like="same", scope="team"))
    assert "above" not in found(guest.search(like="same"))
    with pytest.raises(UnknownRecord):
        guest.search(like="above")
    with pytest.raises(NotPermitted):
        guest.search(like="same", tiers=["below"])
