"""Conflicts: one moment of a store in, the pairs of records that contradict each other out.

Some are linked by an edge `contradicts`, others are found: records of one kind and scope that have
the same name, or say the same in other words, but differ in a number, a date or a negation. A
conflict ends when one of the two is corrected, superseded or forgotten, or has expired; a linked
one also with its link. A pair that any other edge joins is not found: somebody has looked at it.
"""

from collections.abc import Callable, Iterable, Iterator, Set
from datetime import datetime
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.query import Filters, Recent
from pinyon.model.record import Edge, Record
from pinyon.store.succession import standing
from pinyon.text.alike import disagreement, likeness, telling

if TYPE_CHECKING:
    from pinyon.store.contract import View

CONTRADICTS = "contradicts"

STATED = ("entry", "memory", "entity", "note")
"""The kinds whose records claim something. Sections and functions of one name are common."""

MOST_NAMESAKES = 20
"""What more records than these are called is a heading, not a name."""

NEWEST = 100
"""The records that are compared with whatever is like them, those that were changed last."""

MOST_COMPARED = 5_000
"""The pairs that are compared; who has more conflicts than that resolves some first."""

LEAST_SHARED = 0.25
"""The share of words below which two texts are not read. Two words of which one differs share a
third."""

Pair = tuple[str, str]
Alike = Callable[["View", Record], Iterable[str]]
"""Finds the ids of the records that are like one."""


class Conflict(NamedTuple):
    """Two records that both stand, `one` before `other` by id. `linked` where an edge says so, else
    it was found."""

    one: str
    other: str
    why: str
    linked: bool


def conflicts(
    view: "View",
    *,
    now: datetime,
    scope: str = "",
    alike: Alike = lambda view, record: (),
) -> list[Conflict]:
    """The unresolved ones of a scope and everything below: linked ones first, then by id. One pass
    over all edges and one over the names of what is STATED, whatever is asked for."""
    linked = {_pair(edge.from_id, edge.to_id): _said(edge) for edge in _contradicting(view)}
    alike_pairs = chain(_like_the_newest(view, scope, alike), _namesakes(view, scope))
    found = set(islice(alike_pairs, MOST_COMPARED))
    stand = _standing(view, {id for pair in (*linked, *found) for id in pair}, now)
    inside = view.passing(sorted(stand), Filters(scopes=(scope,) if scope else ()))
    linked = {
        pair: why for pair, why in linked.items() if stand.issuperset(pair) and inside & {*pair}
    }
    found = {pair for pair in found if stand.issuperset(pair)}
    differing = _differing(view, found - _joined(view, found))
    return [
        *(Conflict(*pair, why, True) for pair, why in sorted(linked.items())),
        *(Conflict(*pair, why, False) for pair, why in sorted(differing.items())),
    ]


def _contradicting(view: "View") -> list[Edge]:
    from pinyon.store.questions import Joined

    return [edge for edge in view.survey(Joined(CONTRADICTS)) if edge.from_id != edge.to_id]


def _said(edge: Edge) -> str:
    return f"{CONTRADICTS}: {edge.evidence}" if edge.evidence else CONTRADICTS


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def _namesakes(view: "View", scope: str) -> Iterator[Pair]:
    """Records of one kind and scope with a title or alias in common, whatever its case."""
    from pinyon.store.questions import Titles

    called: dict[tuple[str, str, str], list[str]] = {}
    for id, kind, where, title, aliases in view.survey(Titles(STATED, scope)):
        for name in dict.fromkeys(map(str.casefold, (title, *aliases))):
            if name:
                called.setdefault((kind, where, name), []).append(id)
    for ids in called.values():
        if 1 < len(ids) <= MOST_NAMESAKES:
            yield from combinations(ids, 2)


def _like_the_newest(view: "View", scope: str, alike: Alike) -> Iterator[Pair]:
    [newest] = view.retrieve(
        [Recent(Filters(kinds=STATED, scopes=(scope,) if scope else ()), NEWEST)]
    )
    for id, record in view.fetch([match.id for match in newest.matches]).items():
        for other in alike(view, record):
            yield _pair(id, other)


def _standing(view: "View", ids: set[str], now: datetime) -> set[str]:
    """Those that are valid, not forgotten, and not superseded."""
    valid = view.passing(sorted(ids), Filters(at=now))
    return standing(view, valid)


def _joined(view: "View", pairs: Set[Pair]) -> set[Pair]:
    from pinyon.store.questions import Edges

    ids = tuple(sorted({id for pair in pairs for id in pair}))
    return {_pair(edge.from_id, edge.to_id) for edge in view.survey(Edges(ids))} if ids else set()


def _differing(view: "View", pairs: Set[Pair]) -> dict[Pair, str]:
    """What the two of each pair disagree in, of those that do."""
    near = _near(view, pairs)
    records = view.fetch(sorted({id for pair in near for id in pair}))
    told = {(one, other): disagreement(records[one], records[other]) for one, other in near}
    return {pair: why for pair, why in told.items() if why}


def _near(view: "View", pairs: Set[Pair]) -> list[Pair]:
    """Those that share some words, by stored stems: most namesakes do not, and need not be read."""
    from pinyon.store.questions import Terms

    ids = sorted({id for pair in pairs for id in pair})
    terms = view.survey(Terms(tuple(ids), ("title", "body")))
    told = {id: telling(terms.get(id, ())) for id in ids}
    return [pair for pair in pairs if likeness(told[pair[0]], told[pair[1]]) >= LEAST_SHARED]
