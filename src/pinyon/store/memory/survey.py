"""Survey: one moment and a question in, what the store knows of itself out."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from pinyon.model.query import FIELDS, Counted, Expression, Filters
from pinyon.model.record import Edge, Record, Version
from pinyon.store.memory import usage
from pinyon.store.memory.filters import passes
from pinyon.store.memory.match import asked_terms
from pinyon.store.memory.queue import given_up, waiting
from pinyon.store.memory.state import Held, State, detached
from pinyon.store.questions import (
    BEGIN,
    STATES,
    Beginning,
    CountedFor,
    Counts,
    Edges,
    Feedbacks,
    Files,
    FileState,
    Folders,
    GivenUp,
    History,
    Joined,
    Log,
    Model,
    Models,
    Named,
    Progress,
    Size,
    Terms,
    Titled,
    Titles,
    Values,
    VectorsOf,
    Vocabulary,
    Waiting,
    Written,
)
from pinyon.text.fields import line_length, places, sum_terms
from pinyon.text.prepare import prepare
from pinyon.text.stems import stems
from pinyon.text.written import TEXTS, forms


def count_tokens(everything: Iterable[str]) -> dict[str, int]:
    """How many stems each field has over all these records."""
    totals = dict.fromkeys(FIELDS, 0)
    for lines in everything:
        for field, line in zip(FIELDS, lines.split("\n"), strict=True):
            totals[field] += line_length(line)
    return totals


def count_records(everything: Iterable[str], stem: str, *, prefix: bool = False) -> int:
    """How many of these records hold the stem, in any field."""
    needle = f" {stem}" if prefix else f" {stem} "
    return sum(needle in lines for lines in everything)


def counted_for(state: State, expression: Expression) -> Counted:
    """What BM25 needs to know to score the expression."""
    everything = [state.lines[id] for id in state.live()]
    df = {
        (unit, prefix): _count_unit(everything, unit, prefix=prefix)
        for unit, _, prefix in asked_terms(expression)
    }
    return Counted(len(everything), count_tokens(everything), df)


def _count_unit(everything: Sequence[str], unit: str, *, prefix: bool) -> int:
    """Of stems that are counted together: that of the rarest, which is the most it can be."""
    *before, last = unit.split()
    dfs = [count_records(everything, stem) for stem in before]
    return min([*dfs, count_records(everything, last, prefix=prefix)])


def history(state: State, id: str) -> list[Version]:
    """What a record was before, oldest first."""
    versions = sorted(state.versions.get(id, {}).items())
    return [
        Version(detached(version.record), version.change, version.changed_at)
        for _, version in versions
    ]


def _vocabulary(state: State, question: Vocabulary) -> dict[str, int]:
    everything = [state.lines[id] for id in state.live()]
    return {stem: count_records(everything, stem) for stem in question.stems}


def _terms(state: State, question: Terms) -> dict[str, dict[str, int]]:
    live, counted = state.live(), places(question.fields)
    return {id: sum_terms(state.lines[id], counted) for id in question.ids if id in live}


def _values(state: State, question: Values) -> dict[str, int]:
    of = VALUES[question.field]
    return _most_first(value for record in state.live().values() for value in of(record))


def _named(state: State, question: Named) -> list[str]:
    if question.field == "entity":
        entities = [one for one in state.live().items() if one[1].kind == "entity"]
        held = [(id, name) for id, one in entities for name in (one.title, *one.aliases)]
    else:
        held = [(value, value) for value in _values(state, Values(question.field))]
    of = {name: frozenset(stems(prepare(name))) for _, name in held}
    return sorted({value for value, name in held if of[name] and of[name] <= question.stems})


def _beginning(state: State, question: Beginning) -> dict[str, int]:
    counts = Counter(
        stem
        for id in state.live()
        for stem in set(state.lines[id].split())
        if stem.startswith(question.prefix)
    )
    return dict(sorted(counts.items(), key=lambda item: (len(item[0]), item[0])))


def _written(state: State, question: Written) -> dict[str, tuple[str, ...]]:
    words = {}
    for stem in question.stems:
        holding = [live for id, live in state.live().items() if f" {stem} " in state.lines[id]]
        texts = (text for record in holding[:TEXTS] for text in _running(record))
        if found := forms(texts, stem):
            words[stem] = tuple(sorted(found))
    return words


def _running(record: Record) -> tuple[str, ...]:
    return (record.title, record.body, record.context, *record.aliases, *record.tags)


def _counted_for(state: State, question: CountedFor) -> Counted:
    return counted_for(state, question.expression)


def _most_first(values: Iterable[str]) -> dict[str, int]:
    counts = Counter(value for value in values if value)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _history(state: State, question: History) -> list[Version]:
    return history(state, question.id)


def _edges(state: State, question: Edges) -> list[Edge]:
    forgotten = state.records.keys() - state.live().keys()
    asked = set(question.ids)
    return [
        edge
        for _, edge in sorted(state.edges.items())
        if asked & {edge.from_id, edge.to_id} and not forgotten & {edge.from_id, edge.to_id}
    ]


def _joined(state: State, question: Joined) -> list[Edge]:
    edges = _edges(state, Edges(tuple(state.live())))
    return [edge for edge in edges if edge.relation == question.relation]


def _titles(state: State, question: Titles) -> list[Titled]:
    scopes = (question.scope,) if question.scope else ()
    asked = Filters(kinds=question.kinds, scopes=scopes)
    return [
        Titled(id, record.kind, record.scope, record.title or record.body[:BEGIN], record.aliases)
        for id, record in sorted(state.live().items())
        if passes(record, asked)
    ]


def _files(state: State, question: Files) -> dict[str, FileState]:
    return dict(state.files.get(question.folder, {}))


def _folders(state: State, question: Folders) -> dict[str, str]:
    return dict(state.folders)


def _size(state: State, question: Size) -> Counts:
    live = state.live()
    return Counts(
        revision=state.revision,
        kinds=_most_first(record.kind for record in live.values()),
        forgotten=len(state.records) - len(live),
        edges=len(state.edges),
        versions=sum(len(versions) for versions in state.versions.values()),
        documents=len(live),
        tokens=count_tokens(state.lines[id] for id in live),
        passages=sum(len(held) for held in state.passages.values()),
        bytes=0,
    )


def _models(state: State, question: Models) -> list[Model]:
    order = ("active", "filling", "idle")
    models = sorted(state.models.values(), key=lambda known: (order.index(known.state), known.name))
    return [replace(model, vectors=len(state.vectors[model.name])) for model in models]


def _progress(state: State, question: Progress) -> dict[str, dict[str, int]]:
    model = state.models.get(question.model)
    if model is None or model.state == "idle" or model.dims == 0:
        return {}
    counts = Counter(
        (record.kind, STATES.index(_state_of(state, model.name, state.passages.get(id, ()))))
        for id, record in state.live().items()
    )
    found: dict[str, dict[str, int]] = {}
    for (kind, at), count in sorted(counts.items()):
        found.setdefault(kind, {})[STATES[at]] = count
    return found


def _state_of(state: State, model: str, passages: tuple[Held, ...]) -> str:
    if not passages:
        return "none"
    if any(given_up(state, model, held.number) for held in passages):
        return "failed"
    done = sum(held.number in state.vectors[model] for held in passages)
    return "pending" if not done else "partial" if done < len(passages) else "done"


def _waiting(state: State, question: Waiting) -> dict[str, int]:
    return _reasons(state, question.model, lost=False)


def _given_up(state: State, question: GivenUp) -> dict[str, int]:
    return _reasons(state, question.model, lost=True)


def _reasons(state: State, model: str, *, lost: bool) -> dict[str, int]:
    tried = state.tried.get(model, {})
    return dict(
        Counter(
            tried[held.number].reason if held.number in tried else ""
            for _, held in waiting(state, model)
            if given_up(state, model, held.number) == lost
        )
    )


def _vectors_of(state: State, question: VectorsOf) -> dict[str, list[bytes]]:
    vectors = state.vectors.get(question.model, {})
    found = {
        id: [vectors[held.number] for held in state.passages.get(id, ()) if held.number in vectors]
        for id in question.ids
    }
    return {id: of_it for id, of_it in found.items() if of_it}


VALUES: dict[str, Callable[[Record], Iterable[str]]] = {
    "tags": lambda record: set(record.tags),
    "domain": lambda record: (record.domain,),
    "kind": lambda record: (record.kind,),
    "author": lambda record: (record.author,),
    "scope": lambda record: (record.scope,),
}

ANSWERS: dict[type, Callable[[State, Any], Any]] = {
    Vocabulary: _vocabulary,
    Terms: _terms,
    Values: _values,
    Named: _named,
    Beginning: _beginning,
    Written: _written,
    CountedFor: _counted_for,
    Log: usage.log,
    Feedbacks: usage.feedbacks,
    History: _history,
    Edges: _edges,
    Joined: _joined,
    Titles: _titles,
    Files: _files,
    Folders: _folders,
    Size: _size,
    Models: _models,
    Progress: _progress,
    Waiting: _waiting,
    GivenUp: _given_up,
    VectorsOf: _vectors_of,
}
