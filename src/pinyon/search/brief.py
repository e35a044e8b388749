"""Brief: without a question, what matters now in a scope: for an agent that begins a task.

Important records, what was changed last, open tasks and unresolved conflicts, each record once, in
as many tokens as there is room for. Of these, every section gets the same share, and what one does
not need goes to the others. What is superseded, expired or forgotten does not matter any more.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pinyon.model.facts import DAY_US, Facts, microseconds
from pinyon.model.profile import RankSection
from pinyon.model.query import Filters, Important, Open, Recent
from pinyon.model.record import Record
from pinyon.store.succession import standing

if TYPE_CHECKING:
    from pinyon.store.contract import View

SECTIONS = ("important", "recent", "tasks", "conflicts")
"""As they are shown."""

MOST = 200
"""Records that are considered for a section."""

LINE = 160
"""Characters of a record's text that its line shows."""

CHARACTERS = 4
"""Of one token."""


class Conflict(Protocol):
    """Two records that contradict each other, and in what."""

    @property
    def one(self) -> str: ...

    @property
    def other(self) -> str: ...

    @property
    def why(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Item:
    """A record in one line of its text; `why` it matters; `tokens` is the size of this item."""

    id: str
    kind: str
    title: str
    line: str
    why: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Section:
    """What matters for one reason, most pressing first; `left` counts what had no room."""

    name: str
    items: tuple[Item, ...]
    left: int

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Brief:
    """Iterates over its sections. `tokens` is the size of all items."""

    scope: str
    at: datetime
    sections: tuple[Section, ...]
    tokens: int

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)

    def __getitem__(self, name: str) -> Section:
        return next(section for section in self.sections if section.name == name)


class _Reason(NamedTuple):
    id: str
    why: Callable[[Record], str]


def brief(
    view: "View",
    *,
    now: datetime,
    scope: str = "",
    tokens: int = 2_000,
    kinds: Sequence[str] = (),
    conflicts: Sequence[Conflict] = (),
    how: RankSection = RankSection(),  # noqa: B008  (it is immutable)
) -> Brief:
    """`conflicts` are those that were found in the scope; `how` says how fast a record fades. A
    file of which nothing else is known than its name does not matter."""
    filters = Filters(
        scopes=(scope,) if scope else (),
        at=now,
        kinds=tuple(kinds),
        without=() if kinds else ("file",),
    )
    lists = view.retrieve([Important(filters, MOST), Recent(filters, MOST), Open(filters, MOST)])
    important, recent, tasks = ([match.id for match in ranked.matches] for ranked in lists)
    torn = [(each.one, each.other, each.why) for each in conflicts[:MOST]]
    known = {*important, *recent, *tasks, *(id for one, other, _ in torn for id in (one, other))}
    current = view.passing(sorted(standing(view, known)), filters)
    records = view.fetch(sorted(current))
    facts = view.facts([id for id in important if id in records])
    reasons = {
        "conflicts": _conflicts(torn, records),
        "tasks": (_Reason(id, lambda record: _due(record, now)) for id in tasks),
        "important": _important(facts.values(), now, how),
        "recent": _recent(recent, records),
    }
    chosen = _once(reasons, records)
    return _within(tokens, chosen, scope, now)


def _conflicts(
    torn: Sequence[tuple[str, str, str]], records: Mapping[str, Record]
) -> Iterator[_Reason]:
    """Both sides of each, one after the other; none whose other side is gone."""
    for one, other, why in torn:
        if one in records and other in records:
            yield _Reason(one, _told(f"conflicts with {other}: {why}"))
            yield _Reason(other, _told(f"conflicts with {one}: {why}"))


def _important(known: Iterable[Facts], now: datetime, how: RankSection) -> Iterator[_Reason]:
    """The most important first, then the strongest: what was used or changed of late."""
    now_us = microseconds(now)

    def strength(facts: Facts) -> float:
        since_us = facts.updated_us if facts.used_us is None else facts.used_us
        days = (now_us - since_us) / DAY_US
        own = facts.half_life
        half_life = how.half_lives.get(facts.memory_type, how.fading) if own is None else own
        return facts.strength * 0.5 ** (max(days, 0.0) / half_life) if half_life else facts.strength

    for facts in sorted(known, key=lambda each: (-each.importance, -strength(each), each.id)):
        yield _Reason(facts.id, _told(f"importance {facts.importance}"))


def _recent(ids: Sequence[str], records: Mapping[str, Record]) -> Iterator[_Reason]:
    """Of each file one: the part that was changed last."""
    files: set[str] = set()
    for id in ids:
        source = records[id].source if id in records else ""
        if not source or source not in files:
            files.add(source)
            yield _Reason(id, lambda record: f"changed {_day(record.updated_at)}")


def _told(why: str) -> Callable[[Record], str]:
    return lambda record: why


def _due(record: Record, now: datetime) -> str:
    if record.due is None:
        return record.status or "open"
    return f"{'overdue since' if record.due < now else 'due'} {_day(record.due)}"


def _day(date: datetime | None) -> str:
    return date.date().isoformat() if date else ""


def _once(
    reasons: Mapping[str, Iterable[_Reason]], records: Mapping[str, Record]
) -> dict[str, list[Item]]:
    """Each record under the first reason that it has."""
    taken: set[str] = set()
    chosen: dict[str, list[Item]] = {}
    for name, given in reasons.items():
        chosen[name] = []
        for id, why in given:
            if id in records and id not in taken:
                taken.add(id)
                chosen[name].append(_item(records[id], why(records[id])))
    return chosen


def _item(record: Record, why: str) -> Item:
    line = " ".join((record.body or record.context)[: 2 * LINE].split())
    if len(line) > LINE:
        line = line[:LINE].rpartition(" ")[0] or line[:LINE]
        line += "…"
    size = sum(map(len, (record.id, record.title, line, why)))
    return Item(record.id, record.kind, record.title, line, why, math.ceil(size / CHARACTERS))


def _within(tokens: int, chosen: Mapping[str, Sequence[Item]], scope: str, now: datetime) -> Brief:
    """It is always the turn of the section that has used least, while it has anything left."""
    waiting = {name: list(reversed(chosen[name])) for name in SECTIONS}
    kept: dict[str, list[Item]] = {name: [] for name in SECTIONS}
    used = dict.fromkeys(SECTIONS, 0)
    left = tokens
    while any(waiting.values()):
        name = min((name for name in SECTIONS if waiting[name]), key=lambda name: used[name])
        item = waiting[name].pop()
        if item.tokens <= left:
            kept[name].append(item)
            used[name] += item.tokens
            left -= item.tokens
    sections = (
        Section(name, tuple(kept[name]), len(chosen[name]) - len(kept[name])) for name in SECTIONS
    )
    return Brief(scope, now, tuple(sections), tokens - left)
