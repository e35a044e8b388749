"""Pipeline: the order of the stages, written once.

query -> understand -> embed, retrieve -> complete, fuse -> rank -> present -> answer
"""

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pinyon.model.hit import Answer, Found
from pinyon.model.profile import Profile, RetrieveSection
from pinyon.model.query import Filters, Lexical, Nearest, Query, RankedList, Substring, phrases
from pinyon.model.trace import Trace
from pinyon.search.complete import complete
from pinyon.search.fuse import fuse
from pinyon.search.present import present
from pinyon.search.rank import rank
from pinyon.search.retrieve import Meaning, Meanings, as_written, embed, no_meaning, retrieve
from pinyon.search.understand import understand
from pinyon.text.snippet import Marker

if TYPE_CHECKING:
    from pinyon.store.contract import View

CHANNELS = {Lexical: "lexical", Substring: "lexical", Nearest: "vector"}
"""The channel that a request is asked of."""


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
    with trace.stage("understand"):
        query = _understood(view, text, profile, like)
    found = _found(view, query, profile.retrieve, filters, limit, meaning, like, trace)
    lists = [one.ranked for one in found]
    with trace.stage("complete"):
        judged = complete(view, found, profile.fuse)
    with trace.stage("fuse"):
        fused = fuse(lists, profile.fuse, judged)
    with trace.stage("rank"):
        candidates = rank(fused, profile.rank)
    with trace.stage("present"):
        best = candidates[:limit]
        records = view.fetch([candidate.id for candidate in best])
        hits = present(best, records, _marker(query, lists), mode, profile.present)
    if query.cut:
        trace.warnings.append(f"only the first {len(query.text):,} characters were read")
    asked = (CHANNELS.get(type(one.request)) for one in found)
    meta = {
        "profile": profile.name,
        "channels": list(dict.fromkeys(channel for channel in asked if channel)),
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
    how: RetrieveSection,
    filters: Filters,
    limit: int,
    meaning: Meanings,
    like: str | None,
    trace: Trace,
) -> list[Found]:
    """Operators say exactly what is wanted: meaning joins only where they find nothing."""
    with trace.stage("retrieve"):
        found = as_written(view, query, how, filters, limit)
    if found:
        return found
    near = None
    if query.text and "vector" in how.channels:
        with trace.stage("embed"):
            near = embed(view, _vector(view, query, like), meaning, how, trace)
    with trace.stage("retrieve"):
        if like is None:
            return retrieve(view, query, near, how, filters, limit, trace)
        from pinyon.search.like import without

        # One more, for the record itself.
        return without(retrieve(view, query, near, how, filters, limit + 1, trace), like)


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
