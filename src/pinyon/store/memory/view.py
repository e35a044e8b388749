"""MemoryView: one moment of a memory store, to read through."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TypeVar

from pinyon.model.facts import Facts
from pinyon.model.query import Filters, Neighbours, RankedList, Request, Step
from pinyon.model.record import Edge, Record, Version
from pinyon.store.contract import Question
from pinyon.store.memory.filters import passes
from pinyon.store.memory.graph import neighbours
from pinyon.store.memory.retrieve import retrieve
from pinyon.store.memory.state import State, detached
from pinyon.store.memory.survey import ANSWERS, history
from pinyon.text.fields import count_terms

T = TypeVar("T")
_COPIED = [column.name for column in fields(Facts) if column.name != "terms"]


class MemoryView:
    """Fulfils pinyon.store.contract.View."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def revision(self) -> int:
        """The content revision of this moment."""
        return self._state.revision

    def retrieve(self, requests: Sequence[Request]) -> list[RankedList]:
        """One list per request, in their order."""
        return [retrieve(self._state, request) for request in requests]

    def facts(self, ids: Sequence[str]) -> dict[str, Facts]:
        """What ranking needs of each record. Unknown and forgotten ids are left out."""
        return {
            id: Facts(
                **{name: getattr(record, name) for name in _COPIED},
                terms=count_terms(self._state.lines[id]),
            )
            for id, record in self.fetch(ids).items()
        }

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
