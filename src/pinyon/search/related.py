"""Related: the records that edges join with one, also where an edge goes through a placeholder."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.query import Neighbours
from pinyon.model.record import Edge, Record

if TYPE_CHECKING:
    from pinyon.store.contract import View


class Related(NamedTuple):
    """An edge of a record, and the record at its other end."""

    edge: Edge
    record: Record


def related(view: "View", id: str, relations: Sequence[str]) -> list[Related]:
    """Strongest edge first. Where an edge goes through a placeholder, its ends are the records."""
    from pinyon.store.questions import Edges

    known = {(edge.from_id, edge.relation, edge.to_id): edge for edge in view.survey(Edges((id,)))}
    steps = view.neighbours(Neighbours((id,), tuple(relations)))
    others = view.fetch([step.end for step in steps])
    found = []
    for step in steps:
        ends = (step.end, step.start) if step.incoming else (step.start, step.end)
        identity = (ends[0], step.relation, ends[1])
        edge = known.get(identity) or Edge(*identity, strength=step.strength)
        found.append(Related(edge, others[step.end]))
    found.sort(
        key=lambda each: (
            -each.edge.strength,
            each.edge.relation,
            each.edge.from_id,
            each.edge.to_id,
        )
    )
    return found
