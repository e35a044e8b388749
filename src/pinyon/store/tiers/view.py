"""TieredView: several stores that are asked as if they were one, the highest first.

A record belongs to the highest tier that holds its id; what lower ones hold under the same id is
not there. Stores that share no id answer exactly as one store with all of their records would.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from pinyon.model.facts import Facts
from pinyon.model.query import Counted, Expression, Filters, Neighbours, RankedList, Request, Step
from pinyon.model.record import Edge, Record, Version
from pinyon.model.use import Use
from pinyon.store.contract import View
from pinyon.store.questions import Question
from pinyon.store.tiers.members import Member, Members
from pinyon.store.tiers.retrieve import retrieve
from pinyon.store.tiers.survey import ANSWERS, counted_for

T = TypeVar("T")
NOTHING = Facts(
    *("", "", "", "", 0, 0, "", "", "", ""),
    created_us=0,
    updated_us=0,
    valid_from_us=None,
    valid_until_us=None,
    half_life=None,
    priority=0.0,
)
"""Of a record that cannot be read any more."""

Hop = tuple[str, str, str, bool]
"""A step without its strength."""


class TieredView:
    """Fulfils pinyon.store.contract.View. Settings, revision, models, files and what lists a whole
    store are those of `home`, the store that is open; it need not be among the members.
    `troubles` says which tiers were left out, or searched in part only, and why."""

    def __init__(self, home: View, members: Sequence[Member], troubles: Iterable[str] = ()) -> None:
        self._home = home
        self._members = Members(home, members, troubles)
        self._counted: dict[Expression, Counted] = {}

    @property
    def tiers(self) -> tuple[str, ...]:
        """The names of those that are asked and have not failed, the highest first."""
        return tuple(self._members[at].name for at in self._members.standing)

    @property
    def troubles(self) -> list[str]:
        """For the reader of the answer."""
        return self._members.troubles

    @property
    def revision(self) -> int:
        """That of the store that is open."""
        return self._home.revision

    def settings(self) -> Mapping[str, str]:
        """Those of the store that is open."""
        return self._home.settings()

    def retrieve(self, requests: Sequence[Request]) -> list[RankedList]:
        """One list per request, in their order."""
        return retrieve(self._members, requests, self._counted_for)

    def _counted_for(self, expression: Expression) -> Counted:
        """Asked once: several requests of a search are for the same words."""
        if expression not in self._counted:
            self._counted[expression] = counted_for(self._members, expression)
        return self._counted[expression]

    # what is known of records

    @property
    def scratch(self) -> dict[str, Any]:
        """Kept with the store that is open, as long as the same moments are asked together: those
        of which the tiers have the same scratch."""
        kept = self._home.scratch
        of = self._members.each(lambda view: view.scratch)
        before: list[dict[str, Any]]
        own: dict[str, Any]
        before, own = kept.get("tiers", ([], {}))
        if list(map(id, before)) != list(map(id, of)):
            own = {}
            kept["tiers"] = of, own
        return own

    def uses(self, ids: Sequence[str]) -> dict[str, Use]:
        """How each record was used, in the tier that holds it."""
        found = self._of(ids, lambda view, own: view.uses(own))
        return {id: use for _, uses in found for id, use in uses.items()}

    def facts(
        self, ids: Sequence[str], *, stems: Sequence[str] = (), fields: Sequence[str] = ()
    ) -> dict[str, Facts]:
        """What ranking needs of each record, with its tier. One that was found in a tier that has
        failed since counts nothing."""
        known: dict[str, Facts] = {}
        for at, found in self._of(
            ids, lambda view, own: view.facts(own, stems=stems, fields=fields)
        ):
            name, priority, *_ = self._members[at]
            for id, facts in found.items():
                known[id] = facts._replace(tier=name, priority=priority)
        known.update({id: NOTHING._replace(id=id) for id in self._members.lost(ids)})
        return known

    def fetch(self, ids: Sequence[str], *, forgotten: bool = False) -> dict[str, Record]:
        """The records by id; a forgotten one where no tier holds it."""
        known: dict[str, Record] = {}
        for _, found in self._of(ids, lambda view, own: view.fetch(own)):
            known.update(found)
        if forgotten:
            left = [id for id in ids if id not in known]
            lost = self._members.each(lambda view: view.fetch(left, forgotten=True))
            for found in reversed(lost):  # the highest comes last, and stays
                known.update(found)
        return known

    def neighbours(self, asked: Neighbours) -> list[Step]:
        """The hops that there are in any tier; of equal ones the strongest."""
        hops: dict[Hop, float] = {}
        for steps in self._members.each(lambda view: view.neighbours(asked)):
            for start, end, relation, incoming, strength in steps:
                hop = (start, end, relation, incoming)
                hops[hop] = max(strength, hops.get(hop, strength))
        return [Step(*hop, strength) for hop, strength in sorted(hops.items())]

    def passing(self, ids: Sequence[str], filters: Filters) -> set[str]:
        """Those that can be found and that pass the filters, in the version that counts."""
        found = self._of(ids, lambda view, own: view.passing(own, filters))
        return {id for _, passing in found for id in passing}

    def _of(
        self, ids: Sequence[str], call: Callable[[View, Sequence[str]], T]
    ) -> Iterator[tuple[int, T]]:
        """What each tier says of its own records."""
        for at, own in self._members.shared(ids):
            answer = self._members.ask(at, partial(_called, call, own))
            if answer is not None:
                yield at, answer

    # what the tiers know of themselves

    def survey(self, question: Question[T]) -> T:
        """Of all tiers, or of those that hold what is asked about; else of the one that is open."""
        answer = ANSWERS.get(type(question))
        if answer is None:
            return self._home.survey(question)
        found: T = answer(self._members, question)
        return found

    def records(self, *, forgotten: bool = False) -> Iterator[Record]:
        """Those of the store that is open."""
        return self._home.records(forgotten=forgotten)

    def all_edges(self) -> Iterator[Edge]:
        """Those of the store that is open."""
        return self._home.all_edges()

    def all_versions(self) -> Iterator[Version]:
        """Those of the store that is open."""
        return self._home.all_versions()


def _called(call: Callable[[View, Sequence[str]], T], own: Sequence[str], view: View) -> T:
    return call(view, own)
