"""Graph: one moment and some records in, the hops from them out, by looking at every edge."""

from collections import Counter
from collections.abc import Sequence

from pinyon.model.query import NAMES, Neighbours, Step
from pinyon.model.record import Edge
from pinyon.store.memory.state import State

Hop = tuple[str, str, str, bool]
"""A step without its strength."""


def neighbours(state: State, question: Neighbours) -> list[Step]:
    """See the contract."""
    live = state.live()
    asked = set(question.ids)
    edges = [edge for edge in state.edges.values() if _made(edge, question)]
    leading = Counter((edge.relation, edge.to_id) for edge in edges)
    strengths: dict[Hop, float] = {}
    for edge in edges:
        if edge.relation == NAMES or not _wanted(edge, question):
            continue
        way = edge.relation in question.one_way
        crowded = way and 0 < question.popular < leading[edge.relation, edge.to_id]
        for end, strength in _ends(edges, edge):
            if edge.from_id == end or edge.from_id not in live or end not in live:
                continue
            if edge.from_id in asked and not crowded:
                _keep(strengths, (edge.from_id, end, edge.relation, False), strength)
            if end in asked and not way:
                _keep(strengths, (end, edge.from_id, edge.relation, True), strength)
    return sorted(Step(*hop, strength) for hop, strength in strengths.items())


def _made(edge: Edge, question: Neighbours) -> bool:
    """Whether an edge was there at the moment that is asked about."""
    before = question.before
    return before is None or edge.created_at is None or edge.created_at <= before


def _wanted(edge: Edge, question: Neighbours) -> bool:
    return not question.relations or edge.relation in question.relations


def _ends(edges: Sequence[Edge], edge: Edge) -> list[tuple[str, float]]:
    """The record at the end of an edge, or those that the placeholder there stands for."""
    if not edge.to_id.startswith("@"):
        return [(edge.to_id, edge.strength)]
    return [
        (named.from_id, edge.strength * named.strength)
        for named in edges
        if named.relation == NAMES and named.to_id == edge.to_id
    ]


def _keep(strengths: dict[Hop, float], hop: Hop, strength: float) -> None:
    strengths[hop] = max(strengths.get(hop, 0.0), strength)
