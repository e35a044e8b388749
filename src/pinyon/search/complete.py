"""Complete: what each channel thinks of the records that only another channel found."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pinyon.model.hit import Found
from pinyon.model.profile import FuseSection
from pinyon.model.query import Lexical, Match, Nearest, RankedList

if TYPE_CHECKING:
    from pinyon.store.contract import View


def complete(
    view: "View", found: Sequence[Found], how: FuseSection, beside: Sequence[Match] = ()
) -> list[RankedList]:
    """One list per channel that has something to add; all are asked about what stands `beside`. A
    channel that found nothing at all is not asked again: it would say nothing of anything else
    either."""
    if not beside and (not how.complete or len(found) < 2):
        return []
    best = dict.fromkeys(
        match.id
        for one in found
        for match in one.ranked.matches[: math.ceil(how.complete * len(one.ranked.matches))]
    )
    best |= dict.fromkeys(match.id for match in beside)
    requests: list[Lexical | Nearest] = []
    for request, ranked in found:
        if isinstance(request, Lexical | Nearest) and ranked.matches:
            own = {match.id for match in ranked.matches}
            if missing := tuple(id for id in best if id not in own):
                requests.append(request._replace(among=missing))
    return view.retrieve(requests) if requests else []
