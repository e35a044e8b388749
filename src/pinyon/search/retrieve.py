"""Retrieve: a query in, each channel's ranked list out.

Words are always to be had. Meaning may be missing, for any reason that a model has to fail: then
words answer alone, and a warning says why.
"""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from pinyon.model.errors import InvalidInput, PinyonError
from pinyon.model.hit import Found
from pinyon.model.profile import RetrieveSection
from pinyon.model.query import (
    Expression,
    Filters,
    Lexical,
    Nearest,
    Query,
    Recent,
    Request,
    Substring,
)
from pinyon.model.trace import Trace

if TYPE_CHECKING:
    from pinyon.store.contract import View


class Meaning(Protocol):
    """The active model of a store."""

    @property
    def model(self) -> str:
        """Its name."""

    def vector(self, text: str) -> bytes:
        """A question as float32 of length 1 (L2). Raises PinyonError when it cannot be had."""


Meanings = Callable[["View"], Meaning | str]
"""The meaning that a view can be asked by, or the reason why there is none; an empty reason when it
is not wanted."""


def no_meaning(view: "View") -> str:
    """Not wanted."""
    return ""


def as_written(
    view: "View", query: Query, how: RetrieveSection, filters: Filters, limit: int
) -> list[Found]:
    """What the expression finds, with its operators; nothing where there is none."""
    if query.asked is None or "lexical" not in how.channels:
        return []
    found = _ask(view, [_lexical(query.asked, how, filters, most_of(how, limit))])
    return found if found[0].ranked.matches else []


def embed(
    view: "View",
    vector: Callable[[Meaning], bytes],
    meaning: Meanings,
    how: RetrieveSection,
    trace: Trace,
) -> Nearest | None:
    """What to ask for by meaning, or None with a warning. `vector` makes it with the model."""
    try:
        found = meaning(view)
        if not isinstance(found, str):
            return Nearest(vector(found), found.model)
        why = found
    except PinyonError as error:
        why = str(error)
    _warn(why, how, trace)
    return None


def retrieve(
    view: "View",
    query: Query,
    near: Nearest | None,
    how: RetrieveSection,
    filters: Filters,
    limit: int,
    trace: Trace,
) -> list[Found]:
    """Nothing asked: what was changed last. No word found: letters. Something is always nearest, so
    what holds every letter that was asked for is surer than what is only near."""
    most = most_of(how, limit)
    if not query.text:
        return _ask(view, [Recent(filters, most)])
    by_words = "lexical" in how.channels
    requests: list[Request] = []
    if by_words and query.plain:
        requests.append(_lexical(query.plain, how, filters, most))
        if query.asked:
            trace.changed.append("nothing matches the expression: asked as plain words")
    if near:
        requests.append(near._replace(least=how.vector.least, filters=filters, limit=most))
    try:
        found = _ask(view, requests)
    except InvalidInput as error:  # the vector does not fit those of the store
        _warn(str(error), how, trace)
        found = _ask(view, [request for request in requests if not isinstance(request, Nearest)])
    worded = any(one.ranked.matches for one in found if isinstance(one.request, Lexical))
    if worded or not by_words or not how.lexical.substring or not query.pieces:
        return found
    letters = Substring(query.pieces, how.lexical.fields, filters, most)
    (lettered,) = _ask(view, [letters])
    if not lettered.ranked.matches:
        return found
    trace.changed.append("no word matches: searched letter by letter")
    return [lettered]


def most_of(how: RetrieveSection, limit: int) -> int:
    """How many records a channel is asked for."""
    return max(math.ceil(how.overfetch.factor * limit), how.overfetch.least)


def _lexical(expression: Expression, how: RetrieveSection, filters: Filters, limit: int) -> Lexical:
    lexical = how.lexical
    return Lexical(expression, lexical.fields, lexical.k1, lexical.b, filters, limit)


def _ask(view: "View", requests: Sequence[Request]) -> list[Found]:
    if not requests:
        return []
    return list(map(Found, requests, view.retrieve(requests)))


def _warn(why: str, how: RetrieveSection, trace: Trace) -> None:
    if "lexical" not in how.channels:
        trace.warnings.append(f"nothing was searched: {why or 'no model is in use'}")
    elif why:
        trace.warnings.append(f"searched by words only: {why}")
