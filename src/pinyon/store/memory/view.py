"""MemoryView: one moment of a memory store, to read through."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from pinyon.model.facts import Facts, microseconds
from pinyon.model.query import Filters, Neighbours, RankedList, Request, Step
from pinyon.model.record import Edge, Record, Version
from pinyon.model.use import Use
from pinyon.store.memory.filters import passes
from pinyon.store.memory.graph import neighbours
from pinyon.store.memory.retrieve import retrieve
from pinyon.store.memory.state import State, detached
from pinyon.store.memory.survey import ANSWERS, history
from pinyon.store.memory.usage import uses
from pinyon.store.questions import Question
from pinyon.text.fields import count_stems, needles, places

T = TypeVar("T")
_COPIED = (*Facts._fields[: Facts._fields.index("created_us")], "half_life")


class MemoryView:
    """Fulfils pinyon.store.contract.View."""

    tiers: tuple[str, ...] = ()

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def revision(self) -> int:
        """The content revision of this moment."""
        return self._state.revision

    def retrieve(self, requests: Sequence[Request]) -> list[RankedList]:
        """One list per request, in their order."""
        return [retrieve(self._state, request) for request in requests]

    def settings(self) -> Mapping[str, str]:
        """All settings, ordered by key."""
        return dict(sorted(self._state.settings.items()))

    @property
    def scratch(self) -> dict[str, Any]:
        """What was found out of this moment."""
        return self._state.scratch

    def facts(
        self, ids: Sequence[str], *, stems: Sequence[str] = (), fields: Sequence[str] = ()
    ) -> dict[str, Facts]:
        """What ranking needs of each record. Unknown and forgotten ids are left out."""
        asked, within = needles(stems), places(fields)
        return {
            id: _facts(
                record,
                self._state.uses.get(id),
                count_stems(self._state.lines[id], asked, within),
            )
            for id, record in self.fetch(ids).items()
        }

    def uses(self, ids: Sequence[str]) -> dict[str, Use]:
        """How each record was used; those that never were are left out."""
        return uses(self._state, ids)

    def fetch(self, ids: Sequence[str], *, forgotten: bool = False) -> dict[str, Record]:
        """The records by id. Unknown ids are left out, forgotten ones too unless asked for."""
        records = self._state.records if forgotten else self._state.live()
        return {id: detached(records[id]) for id in ids if id in records}

    def neighbours(self, asked: Neighbours) -> list[Step]:
        """The hops from some records to others."""
        return neighbours(self._state, asked)

    def passing(self, ids: Sequence[str], filters: Filters) -> set[str]:
        """Those that can be found and that pass the filters."""
        live = self._state.live()
        return {id for id in ids if id in live and passes(live[id], filters)}

    def survey(self, question: Question[T]) -> T:
        """What the store knows of itself."""
        answer: T = ANSWERS[type(question)](self._state, question)
        return answer

    def records(self, *, forgotten: bool = False) -> Iterator[Record]:
        """All records, ordered by id, one at a time."""
        records = self._state.records if forgotten else self._state.live()
        for id in sorted(records):
            yield detached(records[id])

    def all_edges(self) -> Iterator[Edge]:
        """All edges, ordered by from, relation, to; those of forgotten records too."""
        for _, edge in sorted(self._state.edges.items()):
            yield edge

    def all_versions(self) -> Iterator[Version]:
        """All versions, ordered by record id and number."""
        for id in sorted(self._state.versions):
            yield from history(self._state, id)


def _facts(record: Record, use: Use | None, terms: Mapping[str, int]) -> Facts:
    facts = Facts(
        **{name: getattr(record, name) for name in _COPIED},
        created_us=_us(record.created_at) or 0,
        updated_us=_us(record.updated_at) or 0,
        valid_from_us=_us(record.valid_from),
        valid_until_us=_us(record.valid_until),
        tags=tuple(sorted(set(record.tags))),
        terms=terms,
    )
    if use is None:
        return facts
    return facts._replace(strength=use.strength, used_us=_us(use.used_at), uses=use.times)


def _us(date: datetime | None) -> int | None:
    return None if date is None else microseconds(date)
