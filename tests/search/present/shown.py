"""Shown: candidates of some records, ranked as they are given, and what is presented of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pinyon.model.ask import Ask
from pinyon.model.hit import Candidate
from pinyon.model.profile import PresentSection
from pinyon.model.record import Record
from pinyon.search.present import Presented, present, seen_before
from pinyon.text.snippet import Marker
from tests.store.world import NOW

AMBER = Marker(frozenset({"amber"}))


def candidates(ids: Iterable[str]) -> list[Candidate]:
    """Ranked as they stand."""
    return [
        Candidate(id, 1 / place, 1.0, {"lexical": 1 / place}, {"lexical": place})
        for place, id in enumerate(ids, start=1)
    ]


@dataclass
class Shelf:
    """Records to be fetched, and the ids of each fetch."""

    records: Sequence[Record]
    fetched: list[list[str]] = field(default_factory=list)

    def __call__(self, ids: Sequence[str]) -> Mapping[str, Record]:
        self.fetched.append(list(ids))
        return {record.id: record for record in self.records if record.id in set(ids)}

    def show(
        self,
        *,
        ranked: Sequence[str] | None = None,
        how: PresentSection = PresentSection(),  # noqa: B008  (it is immutable)
        tiers: Mapping[str, str] | None = None,
        **asked: Any,
    ) -> Presented:
        """The records, or those that were found, best first."""
        ids = [record.id for record in self.records] if ranked is None else ranked
        ask = Ask("amber", NOW, **asked)
        seen = seen_before(ask.cursor)
        return present(self, candidates(ids), AMBER, ask, seen, how, tiers or {})


def ids_of(shown: Presented) -> list[str]:
    return [hit.id for hit in shown.hits]
