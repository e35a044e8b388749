"""Hit: one result, with the numbers that put it there. Answer: all of them, and how they came.

On the way: a request of a search and what it found, then candidates.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pinyon.model.query import RankedList, Request
from pinyon.model.record import Record


class Found(NamedTuple):
    """What was asked of the store, and what it found. The graph is walked, not asked for."""

    request: Request | None
    ranked: RankedList


class Evidence(NamedTuple):
    """What speaks for a hit, whatever else was found: None where it is not known. `share` of the
    question's information that the record holds, of that in its `title` or aliases, the share of
    neighbouring words of the question that stand side by side there too, and the cosine."""

    share: float | None = None
    title: float = 0.0
    phrase: float = 0.0
    cosine: float | None = None


class Candidate(NamedTuple):
    """A record on its way through the pipeline. `sources` maps each channel that found it to its
    rank there; `signals`, the numbers that channels gave it, only grows. `span` is the stretch of
    the body that matched best, where a channel that found it knows. `via` says by which edges it
    was reached, the last one first, and from which record: "contains from ID", "imports to ID"."""

    id: str
    score: float
    relevance: float
    signals: Mapping[str, float]
    sources: Mapping[str, int]
    span: tuple[int, int] | None = None
    via: str = ""
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class Hit:
    """`score` compares within one answer only, `relevance` [0, 1] across answers. `snippet` is safe
    HTML. `tokens` estimates the size of the whole record; `record` is there in mode "full"; `via`
    says which edges led to it, if any did; `tier` the store that it came from, where several were
    asked; `more` the ids of further hits that this one stands for: of the same file, or alike."""

    id: str
    kind: str
    title: str
    score: float
    relevance: float
    signals: Mapping[str, float]
    sources: Mapping[str, int]
    snippet: str
    domain: str = ""
    tags: tuple[str, ...] = ()
    scope: str = ""
    source: str = ""
    lines: tuple[int, int] | None = None
    tokens: int = 0
    record: Record | None = None
    via: str = ""
    tier: str = ""
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Iterates over its hits, best first. `meta` says how it came about."""

    hits: tuple[Hit, ...]
    meta: Mapping[str, Any]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, rank: int) -> Hit:
        return self.hits[rank]
