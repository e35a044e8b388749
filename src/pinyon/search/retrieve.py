"""Retrieve: a query in, each channel's ranked list out."""

import math
from typing import TYPE_CHECKING

from pinyon.model.profile import RetrieveSection
from pinyon.model.query import Expression, Filters, Lexical, Query, RankedList, Recent, Substring
from pinyon.model.trace import Trace

if TYPE_CHECKING:
    from pinyon.store.contract import View


def retrieve(
    view: "View",
    query: Query,
    how: RetrieveSection,
    filters: Filters,
    limit: int,
    trace: Trace,
) -> list[RankedList]:
    """Nothing asked: what was changed last. Nothing found: asked again, each time more loosely."""
    limit = max(math.ceil(how.overfetch.factor * limit), how.overfetch.least)
    if not query.text:
        return view.retrieve([Recent(filters, limit)])
    if "lexical" not in how.channels:
        return []

    def ask(expression: Expression) -> RankedList:
        lexical = how.lexical
        request = Lexical(expression, lexical.fields, lexical.k1, lexical.b, filters, limit)
        return view.retrieve([request])[0]

    found = RankedList("lexical", ())
    if query.asked:
        found = ask(query.asked)
    if not found.matches and query.plain:
        if query.asked:
            trace.changed.append("nothing matches the expression: asked as plain words")
        found = ask(query.plain)
    if not found.matches and how.lexical.substring and query.pieces:
        request = Substring(query.pieces, how.lexical.fields, filters, limit)
        (found,) = view.retrieve([request])
        if found.matches:
            trace.changed.append("no word matches: searched letter by letter")
    return [found]
