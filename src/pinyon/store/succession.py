"""Succession: which records stand, and which gave their place to others that supersede them.

Records that supersede each other in a circle, with nothing after them, all stand.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pinyon.model.query import Neighbours

if TYPE_CHECKING:
    from pinyon.store.contract import View

SUPERSEDES = "supersedes"
"""The relation of a record to the one that it replaces."""


def newer(view: "View", ids: Iterable[str], before: datetime | None = None) -> dict[str, list[str]]:
    """What supersedes each record, and what supersedes that, to the end; one question a step. Edges
    that were made after `before` do not count."""
    later: dict[str, list[str]] = {}
    known = set(ids)
    asked = sorted(known)
    while asked:
        steps = view.neighbours(Neighbours(tuple(asked), (SUPERSEDES,), before=before))
        for step in steps:
            if step.incoming:
                later.setdefault(step.start, []).append(step.end)
        asked = sorted({step.end for step in steps if step.incoming} - known)
        known.update(asked)
    return later


def latest(id: str, later: Mapping[str, Sequence[str]]) -> list[str]:
    """Those at the end of the line that nothing supersedes; in a circle, the record itself."""
    ends: list[str] = []
    line = [id]
    seen = {id}
    while line:
        one = line.pop(0)
        if one not in later:
            ends.append(one)
        for successor in later.get(one, ()):
            if successor not in seen:
                seen.add(successor)
                line.append(successor)
    return ends or [id]


def standing(view: "View", ids: Iterable[str]) -> set[str]:
    """Those that nothing supersedes."""
    wanted = set(ids)
    later = newer(view, wanted)
    return {id for id in wanted if id not in later or id in latest(id, later)}
