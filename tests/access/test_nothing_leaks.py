"""Whatever lies outside of a caller's scopes is in nothing that it gets, and nothing that it does
changes it."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinyon.access import Permit, Permitted
from pinyon.engine import Engine
from pinyon.model.errors import PinyonError
from pinyon.model.record import Record
from tests.access.world import in_memory, limited, outside
from tests.store.world import NOW

SCOPES = ("", "a", "a/b", "ab", "c", "c/d")
IDS = ("birch", "cedar", "hazel", "larch", "maple", "rowan")
FIRST = ("xanadu", "quokka", "zephyr", "mizzen", "fjordal", "walrus")
THEN = ("yttrium", "bazooka", "nimbus", "kraken", "gazpacho", "jojoba")
REASONS = ("oboe", "viola", "cornet", "timpani")
RELATIONS = ("supports", "supersedes", "contradicts", "contains")
KINDS = ("memory", "note", "task", "entry")


class Life(NamedTuple):
    """Of one record: where it lay first, and where it went; what became of it."""

    scope: str
    moved: str | None
    forgotten: bool
    kind: str
    importance: int


class Joint(NamedTuple):
    start: int
    relation: str
    end: int


@dataclass(frozen=True)
class World:
    lives: list[Life]
    joints: list[Joint]
    permit: Permit

    def inside(self, number: int) -> bool:
        life = self.lives[number]
        return self.permit.inside(life.scope if life.moved is None else life.moved)

    def seen(self, number: int) -> bool:
        return not self.lives[number].forgotten and self.inside(number)

    def hidden(self) -> set[str]:
        """The ids and words that the caller must not read."""
        return self._words(self.seen)

    def elsewhere(self) -> set[str]:
        """Those that it must not read even where it brings back what was forgotten."""
        return self._words(self.inside)

    def _words(self, seen: Callable[[int], bool]) -> set[str]:
        words = set()
        for number, life in enumerate(self.lives):
            if not seen(number):
                words |= {IDS[number], FIRST[number], THEN[number]}
            elif not self.permit.inside(life.scope):
                words.add(FIRST[number])
        for reason, joint in zip(REASONS, self.joints, strict=False):
            if not (seen(joint.start) and seen(joint.end)):
                words.add(reason)
        return words


lives = st.builds(
    Life,
    st.sampled_from(SCOPES),
    st.none() | st.sampled_from(SCOPES),
    st.integers(0, 5).map(lambda n: n == 0),
    st.sampled_from(KINDS),
    st.integers(3, 5),
)
numbers = st.integers(0, len(IDS) - 1)
joints = st.builds(Joint, numbers, st.sampled_from(RELATIONS), numbers)
permits = st.lists(st.sampled_from(SCOPES[1:]), min_size=1, max_size=2, unique=True).map(
    lambda scopes: limited(*scopes)
)
worlds = st.builds(
    World,
    st.lists(lives, min_size=len(IDS), max_size=len(IDS)),
    st.lists(
        joints,
        max_size=len(REASONS),
        unique_by=lambda joint: (joint.start, joint.relation, joint.end),
    ),
    permits,
)


@contextmanager
def living(world: World) -> Iterator[Engine]:
    """All records look alike, but each says something of its own; all are parts of one file."""
    with in_memory() as engine:
        for number, life in enumerate(world.lives):
            engine.save(
                Record(
                    kind=life.kind,
                    id=IDS[number],
                    title="Plan of the amber river",
                    body=told(FIRST[number], number),
                    tags=(f"tag-{FIRST[number]}",),
                    author=f"author-{FIRST[number]}",
                    scope=life.scope,
                    source="notes.md",
                    importance=life.importance,
                )
            )
        for reason, joint in zip(REASONS, world.joints, strict=False):
            ends = IDS[joint.start], joint.relation, IDS[joint.end]
            engine.link(*ends, evidence=f"because of the {reason}")
        for number, life in enumerate(world.lives):
            if life.moved is not None:
                word = THEN[number]
                engine.update(
                    IDS[number],
                    scope=life.moved,
                    body=told(word, number),
                    tags=(f"tag-{word}",),
                    author=f"author-{word}",
                )
            if life.forgotten:
                engine.forget(IDS[number])
        yield engine


def told(word: str, number: int) -> str:
    expanded = f"{word} {word}".title()
    return f"The amber river has {number} boats of {word}. {expanded} ({word[0].upper() * 2})."


def questions(engine: Permitted, world: World) -> Iterator[tuple[set[str], Callable[[], Any]]]:
    """Everything that can be asked, each with the words that the question itself names."""
    words = sorted(world.hidden())[:6]
    spelt = [*words, *(f"{word[:-1]}q" for word in words)]
    for query in ("", "amber river", *spelt, *(f"what is {word[0].upper() * 2}" for word in words)):
        yield {query}, partial(engine.search, query, track=False)
    moments = [f"2026-03-01T12:{minute:02}:00Z" for minute in (5, 12, 18)]
    for how in (
        {"mode": "full", "group": "file"},
        {"group": "record", "sort": "date"},
        {"max_tokens": 60},
        {"max_tokens": 4_000, "superseded": True, "expired": True},
        {"channels": ["graph"]},
        *({"as_of": moment, "mode": "full", "superseded": True} for moment in moments),
    ):
        yield set(), partial(engine.search, "amber river boats", track=False, **how)  # type: ignore[arg-type]
    for id in IDS:
        yield {id}, partial(engine.search, like=id, mode="full", track=False)
    for scope in ("", *SCOPES):
        yield set(), partial(engine.brief, scope)
        yield set(), partial(engine.conflicts, scope)
    for field in ("tags", "author", "kind", "scope", "domain"):
        yield set(), partial(engine.values, field)
    yield set(), engine.tiers
    yield from looks(engine)


def looks(engine: Permitted) -> Iterator[tuple[set[str], Callable[[], Any]]]:
    for id in IDS:
        yield {id}, partial(engine.get, id)
        yield {id}, partial(engine.history, id)
        yield {id}, partial(engine.related, id, depth=4)
    yield set(IDS), partial(engine.get, *IDS)


def said(call: Callable[[], Any]) -> str:
    """What a call gives, or fails with, in full."""
    try:
        return repr(call())
    except PinyonError as error:
        return f"{error} {vars(error)}"


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


@pytest.mark.proves("X11")
@settings(max_examples=30, deadline=None)
@given(worlds)
def test_nothing_of_another_scope_is_in_any_answer(world: World) -> None:
    with living(world) as engine:
        hidden = world.hidden()
        for named, call in questions(Permitted(engine, world.permit), world):
            text = said(call)
            assert not words_of(text) & (hidden - named), text


@settings(max_examples=15, deadline=None)
@given(worlds)
def test_whoever_has_every_scope_sees_what_the_owner_sees(world: World) -> None:
    lives = [life._replace(scope="a", moved=None) for life in world.lives]
    with living(World(lives, world.joints, limited("a"))) as engine:
        guest, owner = Permitted(engine, limited("a")), Permitted(engine)
        for (_, one), (_, other) in zip(looks(guest), looks(owner), strict=True):
            if "forgotten" not in said(other):  # of these, only the owner can see the history
                assert said(one) == said(other)
        assert guest.conflicts() == owner.conflicts("a")
        for field in ("tags", "author", "kind", "scope"):
            assert guest.values(field) == owner.values(field)
        how: dict[str, Any] = {"limit": 20, "fix": False, "expand": False, "track": False}
        own = owner.search("amber river", scope="a", **how)
        assert [hit.id for hit in guest.search("amber river", **how)] == [hit.id for hit in own]


ids = st.sampled_from(IDS)
new_scopes = st.sampled_from((*SCOPES, "a/new", "c/new"))
fresh = st.builds(
    Record,
    kind=st.sampled_from(KINDS),
    id=st.sampled_from(("", "new", *IDS)),
    title=st.just("Plan of the amber river"),
    body=numbers.map(lambda number: told(FIRST[number], number)),
    scope=new_scopes,
    created_at=st.just(NOW),
)


class Change(NamedTuple):
    """A method that writes, and what it is given."""

    method: str
    given: tuple[Any, ...]
    how: dict[str, Any]

    def __call__(self, engine: Permitted) -> Any:
        return getattr(engine, self.method)(*self.given, **self.how)


relations = st.sampled_from(RELATIONS)
moved = st.fixed_dictionaries({"body": st.just("changed")}, optional={"scope": new_scopes})
changes = st.one_of(
    st.builds(
        Change,
        st.just("save"),
        st.tuples(fresh),
        st.fixed_dictionaries(
            {
                "replace": st.booleans(),
                "duplicates": st.sampled_from(("keep", "refuse", "merge", "supersede")),
            }
        ),
    ),
    st.builds(Change, st.sampled_from(("update", "correct")), st.tuples(ids), moved),
    st.builds(
        Change,
        st.just("forget"),
        st.lists(ids, min_size=1, max_size=3).map(tuple),
        st.fixed_dictionaries({"purge": st.booleans()}),
    ),
    st.builds(
        Change,
        st.sampled_from(("link", "unlink")),
        st.tuples(ids, relations, st.sampled_from((*IDS, "@somewhere"))),
        st.just({}),
    ),
    st.builds(Change, st.just("feedback"), st.tuples(ids, st.just("accepted")), st.just({})),
)


@pytest.mark.proves("X11")
@settings(max_examples=100, deadline=None)
@given(worlds, st.lists(changes, min_size=1, max_size=3))
def test_nothing_of_another_scope_is_changed_and_a_refusal_changes_nothing_at_all(
    world: World, steps: list[Change]
) -> None:
    with living(world) as engine:
        guest = Permitted(engine, world.permit)
        hidden, there = world.hidden(), outside(engine, world.permit)
        for step in steps:
            before, refused = list(engine.export()), ""
            try:
                step(guest)
            except PinyonError as error:
                refused = f"{error} {vars(error)}"
            assert not words_of(refused) & (hidden - words_of(repr(step)))
            assert not refused or list(engine.export()) == before
            assert outside(engine, world.permit) == there
        for named, call in looks(guest):
            # What it saved itself may hold the first words of anything.
            assert not words_of(said(call)) & (world.elsewhere() - {*FIRST, *named})
