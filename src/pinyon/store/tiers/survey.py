"""Survey: what several tiers know of themselves: sums, unions, or what a record's own tier says."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from pinyon.model.query import Counted, Expression
from pinyon.model.record import Edge, Version
from pinyon.store.contract import View
from pinyon.store.questions import (
    Beginning,
    CountedFor,
    Counts,
    Edges,
    History,
    Named,
    Question,
    Size,
    Terms,
    Values,
    VectorsOf,
    Vocabulary,
    Written,
)
from pinyon.store.tiers.members import Members

T = TypeVar("T")


def counted_for(members: Members, expression: Expression) -> Counted:
    """What BM25 needs to know of all tiers together."""
    all_counted = members.each(lambda view: view.survey(CountedFor(expression)))
    return Counted(
        sum(counted.documents for counted in all_counted),
        _sum(counted.tokens for counted in all_counted),
        _sum(counted.df for counted in all_counted),
    )


def _counted_for(members: Members, question: CountedFor) -> Counted:
    return counted_for(members, question.expression)


def _vocabulary(members: Members, question: Vocabulary) -> dict[str, int]:
    counts = _sum(members.each(lambda view: view.survey(question)))
    return {stem: counts.get(stem, 0) for stem in question.stems}


def _values(members: Members, question: Values) -> dict[str, int]:
    return _most_first(_sum(members.each(lambda view: view.survey(question))))


def _named(members: Members, question: Named) -> list[str]:
    return sorted(
        {name for names in members.each(lambda view: view.survey(question)) for name in names}
    )


def _beginning(members: Members, question: Beginning) -> dict[str, int]:
    counts = _sum(members.each(lambda view: view.survey(question)))
    return dict(sorted(counts.items(), key=lambda item: (len(item[0]), item[0])))


def _written(members: Members, question: Written) -> dict[str, tuple[str, ...]]:
    found = members.each(lambda view: view.survey(question))
    words = {
        stem: {word for each in found for word in each.get(stem, ())} for stem in question.stems
    }
    return {stem: tuple(sorted(of_it)) for stem, of_it in words.items() if of_it}


def _size(members: Members, question: Size) -> Counts:
    sizes = members.each(lambda view: view.survey(question))
    return Counts(
        revision=members.home.revision,
        kinds=_most_first(_sum(size.kinds for size in sizes)),
        forgotten=sum(size.forgotten for size in sizes),
        edges=sum(size.edges for size in sizes),
        versions=sum(size.versions for size in sizes),
        documents=sum(size.documents for size in sizes),
        tokens=_sum(size.tokens for size in sizes),
        passages=sum(size.passages for size in sizes),
        bytes=sum(size.bytes for size in sizes),
    )


def _vectors_of(members: Members, question: VectorsOf) -> dict[str, list[bytes]]:
    return _joined(members, question)


def _terms(members: Members, question: Terms) -> dict[str, dict[str, int]]:
    return _joined(members, question)


def _joined(members: Members, question: Any) -> dict[str, Any]:
    """What each tier says of its own records."""
    joined: dict[str, Any] = {}
    for at, own in members.shared(question.ids):
        mine = replace(question, ids=tuple(own))
        joined.update(members.ask(at, partial(_surveyed, mine)) or {})
    return {id: joined[id] for id in question.ids if id in joined}


def _edges(members: Members, question: Edges) -> list[Edge]:
    edges: dict[tuple[str, str, str], Edge] = {}
    for at, own in members.shared(question.ids):
        for edge in members.ask(at, partial(_surveyed, Edges(tuple(own)))) or ():
            edges.setdefault((edge.from_id, edge.relation, edge.to_id), edge)
    return [edge for _, edge in sorted(edges.items(), key=lambda item: item[0])]


def _history(members: Members, question: History) -> list[Version]:
    """Of a record that no tier holds, what the store that is open remembers."""
    at = members.owners([question.id]).get(question.id)
    if at is None:
        return members.home.survey(question)
    return members.ask(at, lambda view: view.survey(question)) or []


def _surveyed(question: Question[T], view: View) -> T:
    return view.survey(question)


def _sum(counts: Iterable[Mapping[Any, int]]) -> dict[Any, int]:
    total: Counter[Any] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


ANSWERS: dict[type, Callable[[Members, Any], Any]] = {
    Vocabulary: _vocabulary,
    Terms: _terms,
    Values: _values,
    CountedFor: _counted_for,
    Named: _named,
    Beginning: _beginning,
    Written: _written,
    Size: _size,
    VectorsOf: _vectors_of,
    Edges: _edges,
    History: _history,
}
"""Everything else only the store that is open is asked."""
