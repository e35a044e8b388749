"""Retrieve: requests to several tiers in, one ranked list each out.

BM25 counts the words of all tiers together, so that the scores of different files compare.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from pinyon.model.query import (
    Counted,
    Expression,
    Important,
    Lexical,
    Match,
    Nearest,
    Open,
    RankedList,
    Recent,
    Request,
    Substring,
)
from pinyon.store.contract import View
from pinyon.store.questions import Models
from pinyon.store.tiers.members import Members

NAMES: Mapping[type, str] = {
    Lexical: "lexical",
    Nearest: "vector",
    Substring: "substring",
    Recent: "recent",
    Important: "important",
    Open: "open",
}
"""What a list is called where no tier is left to give one."""


def retrieve(
    members: Members, requests: Sequence[Request], counted: Callable[[Expression], Counted]
) -> list[RankedList]:
    """One list per request, in their order; the lists of the tiers are merged by score."""
    asked = [_comparable(request, counted) for request in requests]
    found = {at: _lists(members, at, asked) for at in members.standing}
    _owners(members, ((at, ranked) for at, lists in found.items() for ranked in lists))
    return [
        _merged(members, request, {at: lists[number] for at, lists in found.items() if lists})
        for number, request in enumerate(asked)
    ]


def _comparable(request: Request, counted: Callable[[Expression], Counted]) -> Request:
    if not isinstance(request, Lexical) or request.counted:
        return request
    return request._replace(counted=counted(request.expression))


def _lists(members: Members, at: int, requests: Sequence[Request]) -> list[RankedList]:
    """What one tier finds; where ids are given it is asked for its own. Nothing where it fails."""
    own = [_own(members, at, request) for request in requests]
    lists = members.ask(at, lambda view: view.retrieve(own)) or []
    for request, ranked in zip(own, lists, strict=False):
        if isinstance(request, Nearest) and request.among is None and not ranked.matches:
            _explain_silence(members, at, request.model)
    if any(isinstance(request, Substring) for request in own):
        for trouble in members.ask(at, _troubles) or ():
            members.trouble(f"tier {members[at].name}: {trouble}")
    return lists


def _troubles(view: View) -> Sequence[str]:
    """What a view could not search to its end."""
    return tuple(getattr(view, "troubles", ()))


def _own(members: Members, at: int, request: Request) -> Request:
    if not isinstance(request, Lexical | Nearest) or request.among is None:
        return request
    owners = members.owners(request.among)
    return request._replace(among=tuple(id for id in request.among if owners.get(id) == at))


def _explain_silence(members: Members, at: int, model: str) -> None:
    """A tier whose records no model embedded, or another one, finds nothing by meaning."""
    models = members.ask(at, lambda view: view.survey(Models()))
    if models is not None and not any(each.name == model and each.vectors for each in models):
        members.trouble(
            f"tier {members[at].name} was searched by words only: it has no vectors of {model}"
            " (open it and embed it with the same model)"
        )


def _merged(members: Members, request: Request, found: dict[int, RankedList]) -> RankedList:
    """What a higher tier holds takes no place in the list of a lower one. Where that leaves a gap
    which more of the lower one could fill, it is asked for more."""
    limit = None if getattr(request, "among", None) is not None else request.limit
    asked = dict.fromkeys(found, request.limit)
    while True:
        owners = _owners(members, found.items())
        kept = sorted(
            (
                match
                for at, ranked in found.items()
                for match in ranked.matches
                if owners[match.id] == at
            ),
            key=_order,
        )[:limit]
        short = [
            at
            for at, ranked in found.items()
            if limit is not None
            and len(ranked.matches) >= asked[at]
            and any(owners[match.id] != at for match in ranked.matches)
            and (len(kept) < limit or _order(ranked.matches[-1]) < _order(kept[-1]))
        ]
        if not short:
            return RankedList(_name(request, found), tuple(kept))
        for at in short:
            asked[at] *= 2
            again = _lists(members, at, [request._replace(limit=asked[at])])
            found[at] = again[0] if again else RankedList("", ())


def _owners(members: Members, found: Iterable[tuple[int, RankedList]]) -> Mapping[str, int]:
    """Of all records that were found, those of the highest tiers first."""
    first: dict[str, int] = {}
    for at, ranked in found:
        for match in ranked.matches:
            first.setdefault(match.id, at)
    return members.settle(first)


def _order(match: Match) -> tuple[float, str]:
    return -match.score, match.id


def _name(request: Request, found: Mapping[int, RankedList]) -> str:
    given = (ranked.channel for ranked in found.values() if ranked.channel)
    return next(given, NAMES.get(type(request), ""))
