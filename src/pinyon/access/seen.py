"""Seen: what a caller with scopes is shown of an answer, of a graph, of the values of a field."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pinyon.access.permit import Permit
from pinyon.engine import Engine
from pinyon.model.errors import SupersededRecord, UnknownRecord, UnknownSetting
from pinyon.model.hit import Answer
from pinyon.model.record import KINDS, Record
from pinyon.search.given import MOST_HITS
from pinyon.search.related import Related

MOST = MOST_HITS
"""The records that values are counted over, those that were changed last."""

VALUES: Mapping[str, Callable[[Record], Sequence[str]]] = {
    "tags": lambda record: record.tags,
    "domain": lambda record: (record.domain,),
    "kind": lambda record: (record.kind,),
    "author": lambda record: (record.author,),
    "scope": lambda record: (record.scope,),
}


def answer(found: Answer, permit: Permit) -> Answer:
    """Without what a record was while it lay in another scope, which a search of the past finds;
    and without the ways that led to a hit, which name records of anywhere."""
    hits = tuple(replace(hit, via="") for hit in found.hits if permit.inside(hit.scope))
    return Answer(hits, {**found.meta, "returned": len(hits)})


def related(
    engine: Engine,
    permit: Permit,
    id: str,
    relations: Sequence[str],
    depth: int,
    limit: int | None,
) -> list[Related]:
    """As the engine's own, but only along what can be seen: hop by hop, because a way that leads
    through another scope would tell of it."""
    found: dict[tuple[str, str, str], Related] = {}
    known, begin = {id}, [id]
    for hops in range(1, depth + 1):
        new: dict[tuple[str, str, str], Related] = {}
        for start in sorted(begin):
            for each in _around(engine, start, relations):
                name = (each.edge.from_id, each.edge.relation, each.edge.to_id)
                if permit.inside(each.record.scope) and name not in found:
                    new.setdefault(name, each._replace(hops=hops))
        ordered = sorted(new, key=lambda name: (-new[name].edge.strength, name[1], *name))
        found.update((name, new[name]) for name in ordered)
        ends = dict.fromkeys(new[name].record.id for name in ordered)
        begin = [end for end in ends if end not in known]
        known.update(begin)
        if not begin or (limit is not None and len(found) >= limit):
            break
    return list(found.values())[:limit]


def _around(engine: Engine, id: str, relations: Sequence[str]) -> list[Related]:
    try:
        return engine.related(id, relations=relations)
    except UnknownRecord:  # it went since it was found
        return []


def values(engine: Engine, permit: Permit, field: str) -> dict[str, int]:
    """Each value with its number, most first, as the engine counts them, but only over what can be
    seen."""
    if field not in VALUES:
        raise UnknownSetting(f"no values of {field!r}", tuple(VALUES))
    listed = engine.search(
        scope=permit.scopes,
        tiers=(engine.tier,),
        kinds=KINDS,
        mode="full",
        limit=MOST,
        superseded=True,
        expired=True,
        track=False,
    )
    records = [hit.record for hit in listed if hit.record and permit.inside(hit.record.scope)]
    counts = Counter(value for record in records for value in VALUES[field](record) if value)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def superseded(id: str, latest: Sequence[str]) -> SupersededRecord:
    """Names only those that can be seen."""
    error = SupersededRecord(id, latest)
    if not latest:
        error.remedy = "search for what stands in its place"
    return error
