"""Answers: what the engine gives, as JSON: the same on every surface.

What only some of them need is imported inside: a search from the shell shows hits and nothing else.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pinyon.model.hit import Answer, Hit

if TYPE_CHECKING:
    from pinyon.engine import Engine
    from pinyon.index.pipeline import Report
    from pinyon.search.brief import Brief
    from pinyon.search.related import Related
    from pinyon.track import QueryStats

COUNTS = ("added", "changed", "renamed", "removed", "unchanged")
"""What became of the files of a folder."""


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """Every key, also where it is empty; `record` only in mode "full"."""
    return {"hits": [_hit(hit) for hit in answer], "meta": dict(answer.meta)}


def related_to_json(found: "Sequence[Related]") -> list[dict[str, Any]]:
    """Each edge with the record that it leads to."""
    from pinyon.model.wire import edge_to_json, record_to_json

    return [
        {"edge": edge_to_json(each.edge), "record": record_to_json(each.record), "hops": each.hops}
        for each in found
    ]


def brief_to_json(found: "Brief") -> dict[str, Any]:
    """Every section by its name; `left` counts what did not fit."""
    from dataclasses import asdict

    from pinyon.model.wire import date_to_text

    return {
        "scope": found.scope,
        "at": date_to_text(found.at),
        "tokens": found.tokens,
        "sections": {
            section.name: {"items": [asdict(item) for item in section], "left": section.left}
            for section in found
        },
    }


def report_to_json(report: "Report") -> dict[str, Any]:
    """What a run over a folder did."""
    return {
        "folder": report.folder,
        **{name: getattr(report, name) for name in COUNTS},
        "records": report.records,
        "skipped": [{"path": each.path, "reason": each.reason} for each in report.skipped],
        "warnings": list(report.warnings),
    }


def stats_to_json(engine: "Engine") -> dict[str, Any]:
    """How much the store holds, and what is asked of it."""
    from dataclasses import asdict

    counts = engine.stats()
    models = [each for each in engine.models() if each.state != "idle" and each.dims]
    return {
        "records": sum(counts.kinds.values()),
        "kinds": dict(counts.kinds),
        "tags": engine.values("tags"),
        "folders": engine.folders(),
        "forgotten": counts.forgotten,
        "edges": counts.edges,
        "versions": counts.versions,
        "documents": counts.documents,
        "tokens": dict(counts.tokens),
        "passages": counts.passages,
        "models": [asdict(each) for each in models],
        "bytes": counts.bytes,
        "revision": counts.revision,
        "queries": questions_to_json(engine.questions()),
    }


def questions_to_json(asked: "QueryStats") -> dict[str, Any]:
    """What was asked, in numbers, with a table of days."""
    return {**asked._asdict(), "days": [day._asdict() for day in asked.days]}


def _hit(hit: Hit) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": hit.id,
        "kind": hit.kind,
        "title": hit.title,
        "score": hit.score,
        "relevance": hit.relevance,
        "signals": dict(hit.signals),
        "sources": dict(hit.sources),
        "snippet": hit.snippet,
        "domain": hit.domain,
        "tags": list(hit.tags),
        "scope": hit.scope,
        "source": hit.source,
        "lines": None if hit.lines is None else list(hit.lines),
        "tokens": hit.tokens,
        "via": hit.via,
        "tier": hit.tier,
        "more": list(hit.more),
    }
    if hit.record:
        from pinyon.model.wire import record_to_json

        shown["record"] = record_to_json(hit.record)
    return shown
