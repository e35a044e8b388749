"""Expand: candidates in, and what edges lead to from the best of them; then both as one list.

A hop passes on a part of the score: the decay of its relation times the strength of its edge. Of
all ways to a record the best one counts. One layer of hops is one question to the store: asking
record by record, best first, would find the same and ask a hundred times as often.
"""

import heapq
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.hit import Candidate
from pinyon.model.profile import ExpandSection
from pinyon.model.query import Filters, Neighbours, Step

if TYPE_CHECKING:
    from pinyon.store.contract import View

CHANNEL = "graph"

MOST_STARTS = 500
"""Records that one layer of hops begins at, the best: what a hub leads to says little."""


def expand(
    view: "View", candidates: Sequence[Candidate], filters: Filters, how: ExpandSection
) -> list[Candidate]:
    """What is reached from the best candidates, best first, ties by id: each with a score of its
    own, that of its best way. A candidate can be reached from another one. What does not pass the
    filters is walked through, but not reached."""
    ways = {
        seed.id: _Way(seed.score, seed.relevance, seed.id)
        for seed in _seeds(candidates, how)
        if seed.score > 0
    }
    best: dict[str, _Way] = {}
    for _ in range(how.depth):
        ways = _hop(view, ways, best, how)
        if not ways:
            break
    if not best:
        return []
    passing = view.passing(tuple(best), filters)
    reached = [(id, way) for id, way in best.items() if id in passing]
    reached.sort(key=lambda one: (-one[1].score, one[0]))
    return [
        Candidate(id, way.score, way.relevance, {CHANNEL: way.score}, {CHANNEL: rank}, via=way.told)
        for rank, (id, way) in enumerate(reached, start=1)
    ]


def join(
    candidates: Sequence[Candidate], reached: Iterable[Candidate], how: ExpandSection
) -> list[Candidate]:
    """The best candidates and what was reached from them, each record once with its better score,
    best first. What was only changed last stays as it is."""
    seeds = _seeds(candidates, how)
    joined = {candidate.id: candidate for candidate in seeds}
    gained = [one for one in reached if one.id not in joined or one.score > joined[one.id].score]
    for one in gained:
        known = joined.get(one.id)
        joined[one.id] = one if known is None else _better(known, one)
    ordered = list(joined.values())
    if gained:
        ordered.sort(key=lambda one: (-one.score, one.id))
    return ordered[: how.max_results or None]


def _seeds(candidates: Sequence[Candidate], how: ExpandSection) -> list[Candidate]:
    good = [one for one in candidates if one.score >= how.min_score or not one.sources]
    return good[: how.top_k or None]


class _Way(NamedTuple):
    """How a record was reached: what is left of the score, from which record, by which edges."""

    score: float
    relevance: float
    seed: str
    told: str = ""


def _hop(
    view: "View", ways: dict[str, _Way], best: dict[str, _Way], how: ExpandSection
) -> dict[str, _Way]:
    """One layer: the ways that are better than all shorter ones, which `best` then holds too. No
    way begins where not even the best decay could keep the score."""
    most = how.override or max(how.decay.values(), default=0.0)
    worth = [id for id, way in ways.items() if way.score * most >= how.min_score]
    starts = heapq.nsmallest(MOST_STARTS, worth, key=lambda id: (-ways[id].score, id))
    if not starts:
        return {}
    question = Neighbours(tuple(starts), one_way=how.one_way, popular=how.popular)
    further: dict[str, _Way] = {}
    for step in view.neighbours(question):
        way = ways[step.start]
        share = _share(step, how)
        score = way.score * share
        if score <= 0 or score < how.min_score or step.end == way.seed:
            continue
        rivals = (best.get(step.end), further.get(step.end))
        if all(rival is None or score > rival.score for rival in rivals):
            further[step.end] = _Way(score, way.relevance * share, way.seed, _told(step, way))
    best.update(further)
    return further


def _share(step: Step, how: ExpandSection) -> float:
    decay = how.override or how.decay.get(step.relation, how.decay.get("other", 0.0))
    return decay * step.strength


def _told(step: Step, way: _Way) -> str:
    edge = f"{step.relation} {'to' if step.incoming else 'from'} {step.start}"
    return f"{edge}, {way.told}" if way.told else edge


def _better(known: Candidate, more: Candidate) -> Candidate:
    """A candidate that is also reached from a better one."""
    return known._replace(
        score=more.score,
        relevance=max(known.relevance, more.relevance),
        signals={**known.signals, **more.signals},
        sources={**known.sources, **more.sources},
        via=more.via,
    )
