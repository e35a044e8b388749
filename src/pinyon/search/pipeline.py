"""Pipeline: the order of the stages, written once.

query -> understand -> retrieve -> rank -> present -> answer
"""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pinyon.model.hit import Answer
from pinyon.model.profile import Profile
from pinyon.model.query import Filters, Query, RankedList, phrases
from pinyon.model.trace import Trace
from pinyon.search.present import present
from pinyon.search.rank import rank
from pinyon.search.retrieve import retrieve
from pinyon.search.understand import understand
from pinyon.text.snippet import Marker

if TYPE_CHECKING:
    from pinyon.store.contract import View


def search(
    view: "View", text: str, profile: Profile, *, filters: Filters, limit: int, mode: str
) -> Answer:
    """One question, asked of one moment of the store."""
    begun = time.perf_counter()
    trace = Trace()
    with trace.stage("understand"):
        query = understand(text, profile.understand)
    with trace.stage("retrieve"):
        lists = retrieve(view, query, profile.retrieve, filters, limit, trace)
    with trace.stage("rank"):
        candidates = rank(lists, profile.rank)
    with trace.stage("present"):
        best = candidates[:limit]
        records = view.fetch([candidate.id for candidate in best])
        hits = present(best, records, _marker(query, lists), mode, profile.present)
    if query.cut:
        trace.warnings.append(f"only the first {len(query.text):,} characters were read")
    meta = {
        "profile": profile.name,
        "candidates": len(candidates),
        "returned": len(hits),
        "ms": round((time.perf_counter() - begun) * 1e3, 3),
        "stages": {name: round(ms, 3) for name, ms in trace.stages_ms.items()},
        "weights": dict(profile.rank.weights),
        "changed": trace.changed,
        "warnings": trace.warnings,
        "revision": view.revision,
    }
    return Answer(tuple(hits), meta)


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
