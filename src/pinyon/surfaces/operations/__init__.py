"""Operations: everything that an agent or a program can ask of the engine, in one table.

MCP makes a tool of each, HTTP a path; both call `run` with what the caller may do and what it gave,
so the same question has the same answer everywhere. The names are those of the engine.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from pinyon.access import Permitted
from pinyon.model.check import check_record
from pinyon.model.errors import InvalidRecord
from pinyon.model.record import Record
from pinyon.model.wire import edge_to_json, record_to_json
from pinyon.surfaces import answers
from pinyon.surfaces.operations import results, shapes

_EMPTY = Record()
_NEVER_EMPTY = ("kind", "created_at")


@dataclass(frozen=True, slots=True)
class Operation:
    """`about` tells when to use it. `changes` says whether it writes, `destroys` whether what it
    takes away is hard to bring back."""

    title: str
    about: str
    takes: type[shapes.Shape]
    gives: type[BaseModel]
    run: Callable[[Permitted, Any], dict[str, Any]]
    changes: bool = False
    destroys: bool = False


def _search(engine: Permitted, asked: shapes.Search) -> dict[str, Any]:
    return answers.answer_to_json(engine.search(**_named(asked)))


def _get(engine: Permitted, asked: shapes.Get) -> dict[str, Any]:
    return {"records": [record_to_json(record) for record in engine.get(*asked.ids)]}


def _related(engine: Permitted, asked: shapes.Relate) -> dict[str, Any]:
    return {"related": answers.related_to_json(engine.related(**_named(asked)))}


def _brief(engine: Permitted, asked: shapes.Brief) -> dict[str, Any]:
    return answers.brief_to_json(engine.brief(**_named(asked)))


def _save(engine: Permitted, asked: shapes.Save) -> dict[str, Any]:
    fields = {name: value for name, value in _named(asked).items() if value is not None}
    how = {name: fields.pop(name) for name in ("replace", "duplicates") if name in fields}
    return {"id": engine.save(check_record(fields), **how)}


def _update(engine: Permitted, asked: shapes.Update) -> dict[str, Any]:
    record = engine.update(asked.id, expected=asked.expected, **changes(asked))
    return {"id": record.id, "version": record.version}


def _correct(engine: Permitted, asked: shapes.Correct) -> dict[str, Any]:
    new = engine.correct(asked.id, asked.why, **changes(asked))
    return {"id": new, "supersedes": asked.id}


def _forget(engine: Permitted, asked: shapes.Forget) -> dict[str, Any]:
    engine.forget(*asked.ids, purge=asked.purge)
    return {"forgotten": asked.ids, "purged": asked.purge}


def _link(engine: Permitted, asked: shapes.Link) -> dict[str, Any]:
    return {"edge": edge_to_json(engine.link(**_named(asked)))}


def _unlink(engine: Permitted, asked: shapes.Unlink) -> dict[str, Any]:
    engine.unlink(**_named(asked))
    ends = {"from": asked.from_id, "relation": asked.relation, "to": asked.to_id}
    return {"unlinked": {**ends, "strength": 0.0}}


def _feedback(engine: Permitted, asked: shapes.Feedback) -> dict[str, Any]:
    engine.feedback(asked.id, asked.verdict, query=asked.query, profile=asked.profile)
    return asked.model_dump()


def _index(engine: Permitted, asked: shapes.Index) -> dict[str, Any]:
    return answers.report_to_json(engine.index(asked.path))


def _stats(engine: Permitted, asked: shapes.Nothing) -> dict[str, Any]:
    return answers.stats_to_json(engine.whole())


OPERATIONS: Mapping[str, Operation] = {
    "search": Operation(
        "Search",
        "Find records by meaning and by words. Begin with mode scan, then get the few that matter;"
        " mode full returns whole records at once. Set max_tokens to what you can hold.",
        shapes.Search,
        results.AnswerShape,
        _search,
    ),
    "get": Operation(
        "Get records",
        "Read whole records by their ids, after a search or a brief named them.",
        shapes.Get,
        results.RecordsShape,
        _get,
    ),
    "related": Operation(
        "Related records",
        "Follow the links around a record: what it supports, contains, imports, supersedes.",
        shapes.Relate,
        results.RelatedShape,
        _related,
    ),
    "brief": Operation(
        "Brief",
        "What matters now in a scope, without a question. Call it once when you begin a task.",
        shapes.Brief,
        results.BriefShape,
        _brief,
    ),
    "save": Operation(
        "Save a record",
        "Keep something new. Search first; duplicates=refuse says so when it is known already.",
        shapes.Save,
        results.WrittenShape,
        _save,
        changes=True,
    ),
    "update": Operation(
        "Update a record",
        "Change fields of a record that was right: add to it, retag it, set its status. What was"
        " wrong is replaced by correct.",
        shapes.Update,
        results.WrittenShape,
        _update,
        changes=True,
    ),
    "correct": Operation(
        "Correct a record",
        "Replace a record that was wrong by a new one. The old one leaves every answer, but its"
        " history stays.",
        shapes.Correct,
        results.CorrectedShape,
        _correct,
        changes=True,
    ),
    "forget": Operation(
        "Forget records",
        "Take records out of every answer. They can be saved again, unless they were purged.",
        shapes.Forget,
        results.ForgottenShape,
        _forget,
        changes=True,
        destroys=True,
    ),
    "link": Operation(
        "Link two records",
        "Say how two records belong together: from_id stands in relation to to_id.",
        shapes.Link,
        results.LinkedShape,
        _link,
        changes=True,
    ),
    "unlink": Operation(
        "Unlink two records",
        "Take a link away.",
        shapes.Unlink,
        results.UnlinkedShape,
        _unlink,
        changes=True,
        destroys=True,
    ),
    "feedback": Operation(
        "Give feedback",
        "Say whether a hit was right. Do it when you used one, or it misled you: ranking learns.",
        shapes.Feedback,
        results.JudgedShape,
        _feedback,
        changes=True,
    ),
    "index": Operation(
        "Index a folder",
        "Read a folder or a file of the engine's machine, or what changed in it since last time.",
        shapes.Index,
        results.ReportShape,
        _index,
        changes=True,
    ),
    "stats": Operation(
        "Statistics",
        "How much the store holds, and what is asked of it.",
        shapes.Nothing,
        results.StatsShape,
        _stats,
    ),
}


def _named(asked: shapes.Shape) -> dict[str, Any]:
    """What the caller gave, without what it left out."""
    return asked.model_dump(exclude_unset=True)


def changes(asked: shapes.Fields) -> dict[str, Any]:
    """The fields to change; what is null is emptied. Raises InvalidRecord for one that never is."""
    changed = {name: x for name, x in _named(asked).items() if name in shapes.Fields.model_fields}
    for name in _NEVER_EMPTY:
        if name in changed and changed[name] is None:
            raise InvalidRecord(name, "cannot be empty", remedy="leave it out: it stays as it is")
    return {name: getattr(_EMPTY, name) if x is None else x for name, x in changed.items()}
