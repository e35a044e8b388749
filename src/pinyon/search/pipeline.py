"""Pipeline: the order of the stages, written once.

query -> understand -> embed, retrieve, graph -> complete, fuse -> rank -> expand -> present
"""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from pinyon.model.hit import Answer, Candidate, Found
from pinyon.model.profile import Profile
from pinyon.model.query import Filters, Match, Query, RankedList, phrases
from pinyon.model.trace import Trace
from pinyon.search.complete import complete
from pinyon.search.expand import CHANNEL, expand, join
from pinyon.search.fold import fold
from pinyon.search.fuse import channel_of, fuse
from pinyon.search.given import with_kinds
from pinyon.search.present import present
from pinyon.search.rank import rank
from pinyon.search.retrieve import (
    Meaning,
    Meanings,
    as_written,
    embed,
    most_of,
    no_meaning,
    retrieve,
)
from pinyon.search.succeed import succeed
from pinyon.search.understand import understand
from pinyon.text.snippet import Marker

if TYPE_CHECKING:
    from pinyon.store.contract import View


SPARE = 5
"""Candidates that are fetched beyond the limit, in the place of those that are folded."""


def search(
    view: "View",
    text: str,
    profile: Profile,
    *,
    filters: Filters,
    limit: int,
    mode: str,
    meaning: Meanings = no_meaning,
    like: str | None = None,
) -> Answer:
    """One question, asked of one moment of the store. `like` is the id of a record that is asked
    for in the place of the text; raises UnknownRecord when there is none."""
    begun = time.perf_counter()
    trace = Trace()
    filters = with_kinds(filters, profile.retrieve)
    with trace.stage("understand"):
        query = _understood(view, text, profile, like)
    found = _found(view, query, profile, filters, limit, meaning, like, trace)
    lists = [one.ranked for one in found]
    with trace.stage("complete"):
        judged = complete(view, found, profile.fuse)
    with trace.stage("fuse"):
        fused = fuse(lists, profile.fuse, judged)
    with trace.stage("rank"):
        ranked = rank(fused, profile.rank)
    with trace.stage("expand"):
        candidates = _expanded(view, ranked, filters, profile, like)
    with trace.stage("present"):
        best = candidates[:limit]
        records = view.fetch([candidate.id for candidate in best])
        if any(record.kind == "file" for record in records.values()):
            best = candidates[: limit + SPARE]
            records = view.fetch([candidate.id for candidate in best])
            best = fold(best, records)[:limit]
        hits = present(best, records, _marker(query, lists), mode, profile.present)
    if query.cut:
        trace.warnings.append(f"only the first {len(query.text):,} characters were read")
    meta = {
        "profile": profile.name,
        "channels": list(dict.fromkeys(filter(None, map(channel_of, lists)))),
        "candidates": len(candidates),
        "returned": len(hits),
        "ms": round((time.perf_counter() - begun) * 1e3, 3),
        "stages": {name: round(ms, 3) for name, ms in trace.stages_ms.items()},
        "weights": dict(profile.rank.weights or profile.fuse.weights),
        "changed": trace.changed,
        "warnings": trace.warnings,
        "revision": view.revision,
    }
    return Answer(tuple(hits), meta)


def _understood(view: "View", text: str, profile: Profile, like: str | None) -> Query:
    if like is not None:
        # Imported here, as below: few searches are by a record.
        from pinyon.search.like import words_like

        return words_like(view, like, profile.understand)
    return understand(text, profile.understand)


def _found(
    view: "View",
    query: Query,
    profile: Profile,
    filters: Filters,
    limit: int,
    meaning: Meanings,
    like: str | None,
    trace: Trace,
) -> list[Found]:
    """Operators say exactly what is wanted: meaning and the graph join only where they find
    nothing."""
    how = profile.retrieve
    with trace.stage("retrieve"):
        found = as_written(view, query, how, filters, limit)
    if found:
        return found
    near = None
    if query.text and "vector" in how.channels:
        with trace.stage("embed"):
            near = embed(view, _vector(view, query, like), meaning, how, trace)
    with trace.stage("retrieve"):
        # One more, for the record itself.
        found = retrieve(view, query, near, how, filters, limit + (like is not None), trace)
        if like is not None:
            from pinyon.search.like import without

            found = without(found, like)
    if query.text and CHANNEL in how.channels:
        with trace.stage("graph"):
            found.append(_reached(view, found, profile, filters, limit))
    return found


def _reached(
    view: "View", found: Sequence[Found], profile: Profile, filters: Filters, limit: int
) -> Found:
    """The graph as a channel: what edges lead to from the best that the others found together."""
    seeds = fuse([one.ranked for one in found], profile.fuse._replace(normalise=True))
    how = profile.expand._replace(**profile.retrieve.graph._asdict(), min_score=0.0)
    reached = expand(view, seeds, filters, how)[: most_of(profile.retrieve, limit)]
    matches = (Match(one.id, one.score, one.relevance, via=one.via) for one in reached)
    return Found(None, RankedList(CHANNEL, tuple(matches)))


def _expanded(
    view: "View",
    ranked: Sequence[Candidate],
    filters: Filters,
    profile: Profile,
    like: str | None,
) -> list[Candidate]:
    """Successors first: what was superseded leads nowhere."""
    current = succeed(view, ranked, filters, profile.retrieve)
    reached = expand(view, current, filters, profile.expand)
    more = succeed(view, reached, filters, profile.retrieve)
    joined = join(current, more, profile.expand)
    return [candidate for candidate in joined if candidate.id != like]


def _vector(view: "View", query: Query, like: str | None) -> Callable[[Meaning], bytes]:
    if like is not None:
        from pinyon.search.like import vector_like

        return lambda meaning: vector_like(view, like, meaning.model)
    return lambda meaning: meaning.vector(query.text)


def _marker(query: Query, lists: Iterable[RankedList]) -> Marker:
    """What the answer marks: the words asked for, or the letters where no word was found."""
    if any(found.channel == "substring" for found in lists):
        return Marker(pieces=query.pieces)
    stems: set[str] = set()
    prefixes: set[str] = set()
    for expression in (query.asked, query.plain):
        for phrase in phrases(expression) if expression else ():
            *whole, last = phrase.stems
            stems.update(whole)
            (prefixes if phrase.prefix else stems).add(last)
    return Marker(frozenset(stems), tuple(sorted(prefixes)))
