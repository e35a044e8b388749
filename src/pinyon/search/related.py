"""Related: the records that edges join with one, also where an edge goes through a placeholder."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.query import Neighbours
from pinyon.model.record import Edge, Record

if TYPE_CHECKING:
    from pinyon.store.contract import View


Identity = tuple[str, str, str]
"""Of an edge: from, relation, to."""


class Related(NamedTuple):
    """An edge, and the record that it leads to, which is so many `hops` from where it began."""

    edge: Edge
    record: Record
    hops: int = 1


def related(
    view: "View", id: str, relations: Sequence[str], *, depth: int = 1, most: int | None = None
) -> list[Related]:
    """Every edge within `depth` hops once, or `most` of them: nearest first, then strongest. Where
    an edge goes through a placeholder, its ends are the records."""
    found: dict[Identity, Related] = {}
    known, begin = {id}, [id]
    for hops in range(1, depth + 1):
        level = [
            each
            for each in _joined(view, begin, relations, hops)
            if found.setdefault(_identity(each.edge), each) is each
        ]
        new = (each.record.id for each in level if each.record.id not in known)
        begin = list(dict.fromkeys(new))
        known.update(begin)
        if not begin or (most is not None and len(found) >= most):
            break
    return list(found.values())[:most]


def _joined(view: "View", ids: Sequence[str], relations: Sequence[str], hops: int) -> list[Related]:
    """The edges of some records, strongest first."""
    from pinyon.store.questions import Edges

    known = {_identity(edge): edge for edge in view.survey(Edges(tuple(ids)))}
    steps = view.neighbours(Neighbours(tuple(ids), tuple(relations)))
    others = view.fetch([step.end for step in steps])
    found = []
    for step in steps:
        ends = (step.end, step.start) if step.incoming else (step.start, step.end)
        identity = (ends[0], step.relation, ends[1])
        edge = known.get(identity) or Edge(*identity, strength=step.strength)
        found.append(Related(edge, others[step.end], hops))
    found.sort(key=lambda each: (-each.edge.strength, each.edge.relation, *_identity(each.edge)))
    return found


def _identity(edge: Edge) -> Identity:
    return edge.from_id, edge.relation, edge.to_id
