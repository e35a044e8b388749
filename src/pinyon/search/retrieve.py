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
    RankedList,
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
    found = _ask(view, [_lexical(query.asked, how, filters, limit)], how)
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
        return _ask(view, [Recent(filters, most)], how)
    by_words = "lexical" in how.channels
    requests: list[Request] = []
    if by_words and query.plain:
        requests.append(_lexical(query.plain, how, filters, limit))
        if query.asked:
            trace.changed.append("nothing matches the expression: asked as plain words")
    if near:
        requests.append(
            near._replace(least=how.vector.least, long=how.vector.long, filters=filters, limit=most)
        )
    try:
        found = _ask(view, requests, how)
    except InvalidInput as error:  # the vector does not fit those of the store
        _warn(str(error), how, trace)
        words = [request for request in requests if not isinstance(request, Nearest)]
        found = _ask(view, words, how)
    worded = any(one.ranked.matches for one in found if isinstance(one.request, Lexical))
    if worded or not by_words or not how.lexical.substring or not query.pieces:
        return found
    letters = Substring(query.pieces, how.lexical.fields, filters, most)
    (lettered,) = _ask(view, [letters], how)
    if not lettered.ranked.matches:
        return found
    trace.changed.append("no word matches: searched letter by letter")
    return [lettered]


def most_of(how: RetrieveSection, limit: int) -> int:
    """How many records a channel is asked for."""
    return max(math.ceil(how.overfetch.factor * limit), how.overfetch.least)


def unguarded(found: Sequence[Found], how: RetrieveSection, limit: int) -> int:
    """The limit, or all that words found where that is few and the limit would leave out more than
    half: in a small store everything matters."""
    for request, ranked in found:
        count = len(ranked.matches)
        if isinstance(request, Lexical) and limit < count / 2 and count < how.small:
            return count
    return limit


def _lexical(expression: Expression, how: RetrieveSection, filters: Filters, limit: int) -> Lexical:
    """For `small` at least: to know whether words find fewer, one must ask for so many."""
    lexical = how.lexical
    most = max(most_of(how, limit), how.small)
    return Lexical(
        expression, lexical.fields, lexical.k1, lexical.b, filters, most, half=lexical.half
    )


def _ask(view: "View", requests: Sequence[Request], how: RetrieveSection) -> list[Found]:
    """What each request finds; what is asked for apart comes to the same list. Apart, only words
    are asked: something is always nearest, and what stands beside needs no other reason."""
    if not requests:
        return []
    if not how.beside or requests[0].filters.kinds:
        lists = view.retrieve(requests)
        return [Found(*pair) for pair in zip(requests, lists, strict=True)]
    others = [_of_kinds(request, without=how.beside) for request in requests]
    worded = [request for request in requests if not isinstance(request, Nearest)]
    beside = [_of_kinds(request, kinds=how.beside) for request in worded]
    lists = view.retrieve([*others, *beside])
    more = dict(zip(map(id, worded), lists[len(others) :], strict=True))
    return [
        Found(request, _merged(main, more[id(request)]) if id(request) in more else main)
        for request, main in zip(requests, lists, strict=False)
    ]


def _of_kinds(
    request: Request, *, kinds: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> Request:
    filters = request.filters
    filters = filters._replace(kinds=kinds, without=(*filters.without, *without) if without else ())
    return request._replace(filters=filters)


def _merged(one: RankedList, other: RankedList) -> RankedList:
    both = sorted((*one.matches, *other.matches), key=lambda match: (-match.score, match.id))
    return RankedList(one.channel, tuple(both))


def _warn(why: str, how: RetrieveSection, trace: Trace) -> None:
    if "lexical" not in how.channels:
        trace.warnings.append(f"nothing was searched: {why or 'no model is in use'}")
    elif why:
        trace.warnings.append(f"searched by words only: {why}")
