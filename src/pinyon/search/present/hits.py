"""Hits: a candidate and its record in, what is shown of them out."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pinyon.model.hit import Candidate, Hit
from pinyon.model.profile import PresentSection
from pinyon.model.record import Record
from pinyon.text.snippet import Marker, escape, lead, snippet

_TEXTS: Mapping[str, Callable[[Record], str]] = {
    "id": lambda record: record.id,
    "title": lambda record: record.title,
    "aliases": lambda record: ", ".join(record.aliases),
    "body": lambda record: record.body,
    "context": lambda record: record.context,
    "tags": lambda record: ", ".join(record.tags),
    "path": lambda record: record.source,
}


class Standing(NamedTuple):
    """A candidate with its record, and the ids of those that it stands for, best first."""

    candidate: Candidate
    record: Record
    more: tuple[str, ...] = ()


def hit_of(
    standing: Standing, marker: Marker, mode: str, how: PresentSection, tiers: Mapping[str, str]
) -> Hit:
    """Mode "scan" shows the beginning of the body, "full" the record too."""
    candidate, record, more = standing
    return Hit(
        id=record.id,
        kind=record.kind,
        title=record.title,
        score=candidate.score,
        relevance=candidate.relevance,
        signals=candidate.signals,
        sources=candidate.sources,
        snippet=escape(record.body[: how.lead])
        if mode == "scan"
        else snippet_of(candidate, record, marker, how),
        domain=record.domain,
        tags=record.tags,
        scope=record.scope,
        source=record.source,
        lines=record.lines,
        tokens=_tokens(record),
        record=record if mode == "full" else None,
        via=candidate.via,
        tier=tiers.get(record.id, ""),
        more=more,
    )


def snippet_of(candidate: Candidate, record: Record, marker: Marker, how: PresentSection) -> str:
    """From the stretch that meaning found, where the words stand in it too. Else from where the
    words stand, or from that stretch when it was not found by words at all."""
    start, end = candidate.span or (0, 0)
    stretch = record.body[start:end]
    if stretch and (found := snippet(stretch, marker, how.words)):
        return _inside(record.body, start, end, found)
    if stretch and "lexical" not in candidate.sources:
        return _inside(record.body, start, end, lead(stretch, how.words))
    for field in how.cascade:
        found = snippet(_TEXTS[field](record), marker, how.words)
        if found:
            return found
    return lead(record.body or record.title, how.words)


def _inside(body: str, start: int, end: int, shown: str) -> str:
    """With an ellipsis on each side where the body goes on."""
    before = "…" if body[:start].strip() and not shown.startswith("…") else ""
    after = "…" if body[end:].strip() and not shown.endswith("…") else ""
    return before + shown + after


def _tokens(record: Record) -> int:
    """A quarter of the characters, which is near enough for planning."""
    return sum(len(_TEXTS[field](record)) for field in ("title", "body", "context")) // 4
