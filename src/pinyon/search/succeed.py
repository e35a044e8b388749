"""Succeed: candidates in, candidates out: what was superseded gives its place to its successor."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pinyon.model.hit import Candidate
from pinyon.model.profile import RetrieveSection
from pinyon.model.query import Filters
from pinyon.store.succession import SUPERSEDES, latest, newer

if TYPE_CHECKING:
    from pinyon.store.contract import View


def succeed(
    view: "View",
    candidates: Sequence[Candidate],
    filters: Filters,
    how: RetrieveSection,
    as_of: datetime | None = None,
) -> list[Candidate]:
    """The latest successor stands where the superseded one stood, or higher where it stood itself,
    if it passes the filters; else nobody does. Records that supersede each other all stay. What
    was superseded after `as_of` was not yet."""
    if how.superseded or not candidates:
        return list(candidates)
    later = newer(view, [candidate.id for candidate in candidates], as_of)
    if not later:
        return list(candidates)
    own = {candidate.id: candidate for candidate in candidates}
    heirs = {id: latest(id, later) for id in own}
    new = tuple({heir for line in heirs.values() for heir in line} - own.keys())
    allowed = own.keys() | (view.passing(new, filters) if new else set())
    standing: dict[str, Candidate] = {}
    for old in candidates:
        for heir in heirs[old.id]:
            if heir in allowed and heir not in standing:
                standing[heir] = old if heir == old.id else _heir(old, heir, own.get(heir))
    return list(standing.values())


def _heir(old: Candidate, id: str, own: Candidate | None) -> Candidate:
    """The successor with the score of the old one; with its other numbers too, where it has none
    of its own. The old one's stretch of text is not in it."""
    told = f"{SUPERSEDES} {old.id}"
    via = f"{told}, {old.via}" if old.via else told
    if own is None:
        return old._replace(id=id, span=None, via=via)
    return own._replace(score=old.score, relevance=max(own.relevance, old.relevance), via=via)
