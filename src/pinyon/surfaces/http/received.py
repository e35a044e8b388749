"""Received: JSON that a server gave, as the objects that the engine gives. The way back from
`surfaces.answers`: what one writes, the other reads. Anything else raises whatever it runs into."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pinyon.engine.tiers import TierInfo
from pinyon.index.embed import Embedded
from pinyon.index.pipeline import Report
from pinyon.index.source.folder import Skipped
from pinyon.model.check import check_date, check_edge, check_record
from pinyon.model.hit import Answer, Hit
from pinyon.model.record import Edge, Record, Version
from pinyon.model.wire import version_from_json
from pinyon.search.brief import Brief, Item, Section
from pinyon.search.conflicts import Conflict
from pinyon.search.related import Related
from pinyon.store.questions import Counts
from pinyon.surfaces.answers import COUNTS

Json = Mapping[str, Any]


class Job(NamedTuple):
    """What a server does behind. `result` is there when it is done, `error` when it failed."""

    id: str
    state: str
    done: int
    total: int
    path: str
    result: Json
    error: Json

    @property
    def going_on(self) -> bool:
        return self.state in {"waiting", "running"}


def answer(given: Json) -> Answer:
    """Hits in their order; `record` in mode "full"."""
    return Answer(tuple(_hit(each) for each in given["hits"]), dict(given["meta"]))


def record(given: Json) -> Record:
    return check_record(given)


def records(given: Json) -> list[Record]:
    return [check_record(each) for each in given["records"]]


def edge(given: Json) -> Edge:
    return check_edge(given["edge"])


def related(given: Json) -> list[Related]:
    return [
        Related(edge(each), check_record(each["record"]), int(each["hops"]))
        for each in given["related"]
    ]


def versions(given: Json) -> list[Version]:
    return [version_from_json(each) for each in given["versions"]]


def brief(given: Json) -> Brief:
    return Brief(
        scope=str(given["scope"]),
        at=check_date("at", given["at"]),
        sections=tuple(
            Section(name, tuple(Item(**item) for item in section["items"]), int(section["left"]))
            for name, section in given["sections"].items()
        ),
        tokens=int(given["tokens"]),
    )


def conflicts(given: Json) -> list[Conflict]:
    return [Conflict(**each) for each in given["conflicts"]]


def tiers(given: Json) -> list[TierInfo]:
    return [TierInfo(**each) for each in given["tiers"]]


def counts(given: Json) -> Counts:
    """Of the statistics, what the engine's own `stats` has."""
    return Counts(**{name: given[name] for name in Counts.__dataclass_fields__})


def report(given: Json) -> Report:
    return Report(
        folder=str(given["folder"]),
        **{name: int(given[name]) for name in (*COUNTS, "records")},
        skipped=tuple(Skipped(**each) for each in given["skipped"]),
        warnings=_texts(given["warnings"]),
    )


def job(given: Json) -> Job:
    return Job(
        id=str(given["id"]),
        state=str(given["state"]),
        done=int(given["done"] or 0),
        total=int(given["total"] or 0),
        path=str(given["path"] or ""),
        result=dict(given["result"] or {}),
        error=dict(given["error"] or {}),
    )


def embedded(given: Json) -> Embedded:
    return Embedded(**{name: given[name] for name in Embedded.__dataclass_fields__})


def _hit(given: Json) -> Hit:
    full = given.get("record")
    return Hit(
        id=str(given["id"]),
        kind=str(given["kind"]),
        title=str(given["title"]),
        score=float(given["score"]),
        relevance=float(given["relevance"]),
        signals=dict(given["signals"]),
        sources=dict(given["sources"]),
        snippet=str(given["snippet"]),
        domain=str(given["domain"]),
        tags=_texts(given["tags"]),
        scope=str(given["scope"]),
        source=str(given["source"]),
        lines=_lines(given["lines"]),
        tokens=int(given["tokens"]),
        record=check_record(full) if full else None,
        via=str(given["via"]),
        tier=str(given["tier"]),
        more=_texts(given["more"]),
    )


def _lines(given: Sequence[int] | None) -> tuple[int, int] | None:
    if given is None:
        return None
    first, last = given
    return first, last


def _texts(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(str, given))
