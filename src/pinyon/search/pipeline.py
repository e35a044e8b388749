"""Pipeline: the order of the stages, written once.

ask -> understand -> embed, retrieve, graph -> surround, complete, fuse, relate -> trust, rank
    -> expand -> rerank, where it is asked for -> present
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pinyon.model.ask import Ask
from pinyon.model.hit import Answer, Candidate, Found
from pinyon.model.profile import RERANK, Profile
from pinyon.model.query import Change, Filters, Match, Query, RankedList, Request, phrases
from pinyon.model.trace import Trace
from pinyon.profiles.load import changed
from pinyon.search.complete import complete
from pinyon.search.expand import CHANNEL, expand, join
from pinyon.search.fuse import channel_of, fuse
from pinyon.search.given import narrowed, within
from pinyon.search.present import depth, present, seen_before
from pinyon.search.rank import gather, rank, weights_in
from pinyon.search.relate import best, on_topic, relate, relevant
from pinyon.search.retrieve import (
    Meaning,
    Meanings,
    as_written,
    embed,
    most_of,
    no_meaning,
    retrieve,
    unguarded,
)
from pinyon.search.succeed import succeed
from pinyon.search.surround import surround
from pinyon.search.trust import trust
from pinyon.search.understand import understand
from pinyon.text.snippet import Marker

if TYPE_CHECKING:
    from pinyon.model.record import Record
    from pinyon.search.rerank import Reading
    from pinyon.store.contract import View


READ_AS = {
    "spelling": "searched for {1}; search instead for {0}",
    "acronym": "also searched for {1}, because of {0}",
}
"""What is said of each way to read a question differently."""


Reader = Callable[[str, Mapping[str, str], Profile, int], "Reading"]
"""Reads a question and texts, by id, with the model of a profile, at a revision of the store.
Raises PinyonError when it cannot."""


def search(
    view: "View",
    ask: Ask,
    profile: Profile,
    *,
    meaning: Meanings = no_meaning,
    reader: Reader | None = None,
) -> Answer:
    """One question, asked of one moment of the store. Without a `reader` nothing is read again.
    Raises UnknownRecord when it is to be like a record that is not there."""
    begun = time.perf_counter()
    trace = Trace()
    seen = seen_before(ask.cursor, ask)
    deep = ask._replace(limit=depth(ask, seen))
    with trace.stage("understand"):
        query = _understood(view, ask, profile)
        profile = _suited(profile, query, ask)
        trace.changed += map(_read_as, query.changes)
    filters = narrowed(ask, profile.retrieve)
    if query.period and profile.understand.time == "filter":
        filters = within(filters, query.period)
    found, model = _found(view, query, profile, filters, deep, meaning, trace)
    lists = [one.ranked for one in found]
    channels = list(dict.fromkeys(filter(None, map(channel_of, lists))))
    with trace.stage("complete"):
        # Who asks with operators says exactly what is wanted.
        exact = any(one.request and _as_written(one.request, query) for one in found)
        around = surround(view, [] if exact else found, profile.context)
        judged = complete(view, found, profile.fuse, around.beside.matches)
    with trace.stage("fuse"):
        beside = _judged(around.beside, judged)
        joined = [*lists, beside] if beside.matches else lists
        fused = relate(fuse(joined, profile.fuse, judged), profile.relevance, model)
    with trace.stage("rank"):
        known = gather(view, fused, query, ask, channels, profile.fuse.k, profile.rank, around.near)
        weights = weights_in(known.heard, profile.rank)
        trusted = trust(
            lists,
            weights,
            profile.rank.trust,
            profile.relevance.usual.get(model),
            _kinds(view, lists, profile),
        )
        ranked = rank(fused, known._replace(trust=trusted), profile.rank)
    with trace.stage("expand"):
        candidates = _expanded(view, ranked, filters, profile, ask, trace)
        candidates = _relevant(candidates, query, profile, trace)
    marker = _marker(query, lists)
    reread: dict[str, Any] = {}
    if reader and candidates and _rereads(query, profile, ask):
        with trace.stage("rerank"):
            candidates, reread = _reranked(
                view, candidates, query, marker, profile, ask, reader, trace
            )
    with trace.stage("present"):
        limit = unguarded(found, profile.retrieve, ask.limit + len(seen)) - len(seen)
        shown = present(
            partial(_fetched, view, ask),
            candidates,
            marker,
            ask._replace(limit=limit),
            seen,
            profile.present,
            known.tiers,
        )
        trace.left_out.update(shown.left_out)
    if query.cut:
        trace.warnings.append(f"only the first {len(query.text):,} characters were read")
    meta = {
        "profile": profile.name,
        "route": query.route,
        "intent": query.intents[0].name if query.intents else "",
        "intents": [one._asdict() for one in query.intents],
        "period": [moment.isoformat() for moment in query.period or ()],
        "channels": channels,
        "candidates": len(candidates),
        "returned": len(shown.hits),
        "ms": round((time.perf_counter() - begun) * 1e3, 3),
        "stages": {name: round(ms, 3) for name, ms in trace.stages_ms.items()},
        "weights": _weights(known.heard, profile, reread=bool(reread)),
        "trust": {channel: round(times, 4) for channel, times in trusted.items()},
        "times": list(profile.rank.times),
        "rerank": reread,
        "filters": _told(filters),
        "left_out": trace.left_out,
        "changed": trace.changed,
        "warnings": trace.warnings,
        "tiers": list(view.tiers),
        "next": shown.next,
        "revision": view.revision,
    }
    return Answer(tuple(shown.hits), meta)


def _understood(view: "View", ask: Ask, profile: Profile) -> Query:
    if ask.like is not None:
        # Imported here, as below: few searches are by a record.
        from pinyon.search.like import words_like

        return words_like(view, ask.like, profile.understand)
    return understand(view, ask.text, profile.understand, ask.as_of or ask.now)


def _suited(profile: Profile, query: Query, ask: Ask) -> Profile:
    """The profile as it suits the question: what its route changes, then what the wish behind it
    does. What the caller changed stays."""
    if changes := profile.understand.routes.get(query.route):
        profile = changed(profile, changes, ask.changed)
    if query.intents:
        from pinyon.search.understand.intents import override_of

        profile = changed(profile, override_of(query.intents[0].name, profile), ask.changed)
    return profile


def _read_as(change: Change) -> str:
    return READ_AS[change.why].format(change.written, change.read)


def _found(
    view: "View",
    query: Query,
    profile: Profile,
    filters: Filters,
    ask: Ask,
    meaning: Meanings,
    trace: Trace,
) -> tuple[list[Found], str]:
    """What each channel found, and the name of the model that was asked. Operators say exactly what
    is wanted: meaning and the graph join only where they find nothing."""
    how, like, model = profile.retrieve, ask.like, ""
    with trace.stage("retrieve"):
        found = as_written(view, query, how, filters, ask.limit)
    if found:
        return found, model
    near = None
    if query.text and "vector" in how.channels:
        with trace.stage("embed"):
            near = embed(view, _vector(view, query, like), meaning, how, trace)
            model = near.model if near else ""
    with trace.stage("retrieve"):
        # One more, for the record itself.
        found = retrieve(view, query, near, how, filters, ask.limit + (like is not None), trace)
        if like is not None:
            from pinyon.search.like import without

            found = without(found, like)
    if query.text and CHANNEL in how.channels:
        with trace.stage("graph"):
            found.append(_reached(view, found, profile, filters, ask, model))
    return found, model


def _reached(
    view: "View",
    found: Sequence[Found],
    profile: Profile,
    filters: Filters,
    ask: Ask,
    model: str,
) -> Found:
    """The graph as a channel: what edges lead to from the best that the others found together."""
    fused = fuse([one.ranked for one in found], profile.fuse._replace(normalise=True))
    seeds = relate(fused, profile.relevance, model)
    how = profile.expand._replace(**profile.retrieve.graph._asdict(), min_score=0.0)
    reached = expand(view, seeds, filters, how)[: most_of(profile.retrieve, ask.limit)]
    matches = (Match(one.id, one.score, one.relevance, via=one.via) for one in reached)
    return Found(None, RankedList(CHANNEL, tuple(matches)))


def _kinds(view: "View", lists: Sequence[RankedList], profile: Profile) -> list[str]:
    """Those of the first finds of each channel, where that says something."""
    how = profile.rank.trust
    if not how.kinds:
        return []
    first = [match.id for one in lists for match in one.matches[: how.depth]]
    facts = view.facts(list(dict.fromkeys(first)))
    return [facts[id].kind for id in first if id in facts]


def _as_written(request: Request, query: Query) -> bool:
    return query.asked is not None and getattr(request, "expression", None) is query.asked


def _judged(beside: RankedList, judged: Sequence[RankedList]) -> RankedList:
    """Those that a channel has a word on: the others do not pass the filters."""
    told = {match.id for ranked in judged for match in ranked.matches}
    return beside._replace(matches=tuple(one for one in beside.matches if one.id in told))


def _expanded(
    view: "View",
    ranked: Sequence[Candidate],
    filters: Filters,
    profile: Profile,
    ask: Ask,
    trace: Trace,
) -> list[Candidate]:
    """Successors first: what was superseded leads nowhere."""
    current = succeed(view, ranked, filters, profile.retrieve, ask.as_of)
    reached = expand(view, current, filters, profile.expand)
    more = succeed(view, reached, filters, profile.retrieve, ask.as_of)
    joined = join(current, more, profile.expand)
    kept = {candidate.id for candidate in current} | {candidate.id for candidate in more}
    trace.leave_out("superseded", len({one.id for one in (*ranked, *reached)} - kept))
    trace.leave_out("below min_score or beyond top_k", len(kept) - len(joined))
    return [candidate for candidate in joined if candidate.id != ask.like]


def _relevant(
    candidates: Sequence[Candidate], query: Query, profile: Profile, trace: Trace
) -> list[Candidate]:
    """What is relevant enough; of an answer to something else, nothing."""
    how = profile.relevance
    kept = relevant(candidates, how)
    trace.leave_out("less relevant than asked for", len(candidates) - len(kept))
    if kept and query.text and not on_topic(kept, how):
        trace.changed.append(
            f"nothing relevant here: the best of {len(kept)} has {best(kept):.2f} of 1"
        )
        trace.leave_out("off topic", len(kept))
        return []
    return kept


def _rereads(query: Query, profile: Profile, ask: Ask) -> bool:
    """Only the answer to a question, in the order of how good it is, can be read with it."""
    return profile.rerank.use and bool(query.text) and ask.like is None and ask.sort != "date"


def _reranked(
    view: "View",
    candidates: Sequence[Candidate],
    query: Query,
    marker: Marker,
    profile: Profile,
    ask: Ask,
    reader: Reader,
    trace: Trace,
) -> tuple[list[Candidate], dict[str, Any]]:
    """The candidates, and what the answer says of it: nothing where the first ranking stands."""
    from pinyon.search.rerank import rerank

    how = profile.rerank
    records = _fetched(view, ask, [one.id for one in candidates[: how.candidates]])

    def read(question: str, texts: Mapping[str, str]) -> "Reading":
        return reader(question, texts, profile, view.revision)

    return rerank(candidates, records, _meant(query), marker, how, read, trace)


def _weights(heard: Collection[str], profile: Profile, *, reread: bool) -> dict[str, float]:
    """What each signal counts in the score. What is read again has a share of all of it."""
    first = weights_in(heard, profile.rank) or profile.fuse.weights
    if not reread:
        return dict(first)
    share = profile.rerank.weight
    return {**{name: (1 - share) * weight for name, weight in first.items()}, RERANK: share}


def _fetched(view: "View", ask: Ask, ids: Sequence[str]) -> "dict[str, Record]":
    """The records, as they were when it is asked how things were."""
    records = view.fetch(ids)
    if ask.as_of:
        from pinyon.search.past import as_they_were

        return as_they_were(view, records, ask.as_of)
    return records


def _vector(view: "View", query: Query, like: str | None) -> Callable[[Meaning], bytes]:
    if like is not None:
        from pinyon.search.like import vector_like

        return lambda meaning: vector_like(view, like, meaning.model)
    return lambda meaning: meaning.vector(_meant(query))


def _meant(query: Query) -> str:
    """The text, spelt right: a model reads a misspelt word letter by letter. What an acronym stands
    for it knows or does not; longer text would not tell it."""
    right = {one.written: one.read for one in query.changes if one.why == "spelling"}
    if not right:
        return query.text
    import re

    return re.sub(r"\w+", lambda found: right.get(found[0], found[0]), query.text)


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


def _told(filters: Filters) -> dict[str, Any]:
    """The filters that narrow this search, for people and programs."""
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in filters._asdict().items()
        if value
    }
