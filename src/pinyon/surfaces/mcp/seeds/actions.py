"""Actions: what a tool of the table can do: an operation, or one of the few things beside them."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Literal, NamedTuple

from pinyon.access import Permitted
from pinyon.surfaces import answers
from pinyon.surfaces.operations import OPERATIONS, shapes


class Files(shapes.SearchAll):
    """`of` is the type of the files; without one, all."""

    of: Literal["", "code", "docs"] = ""
    top_k: int = 10
    max_results: int = 10


class Embed(shapes.Shape):
    seconds: float
    retry: bool = False


class Configure(shapes.Shape):
    key: str
    value: str


class Questions(shapes.Shape):
    since: shapes.Date | None = None


MANY = 200
"""Files that are looked through for those of one type. With the usual least score, and words and
meaning, fewer than a hundred pass."""

DATA = ("jsonl", "conversation")
"""What reads files that are neither code nor documents."""


def _files(engine: Permitted, asked: Files) -> dict[str, Any]:
    """The record of a file does not say of what type it is; what reads it is known by its name."""
    named = asked.model_dump(exclude_unset=True, exclude={"of", "top_k", "max_results"})
    # Not all of them are shown: so none of them counts as used.
    wide = {"expand.top_k": MANY, "expand.max_results": MANY, "track.use": False}
    named |= {"limit": MANY, "override": {**named.get("override", {}), **wide}}
    found = OPERATIONS["search"].run(engine, shapes.SearchAll.model_validate(named))
    right = [hit for hit in found["hits"] if not asked.of or _type(hit["source"]) == asked.of]
    hits = right[: min(asked.top_k, asked.max_results)]
    counts = {"candidates": len(right), "returned": len(hits), "next": ""}
    return {"hits": hits, "meta": {**found["meta"], **counts}}


def _type(path: str) -> str:
    from pinyon.index.parse import reader

    found = reader(path)
    if found is None or found.module in DATA:
        return ""
    return "code" if found.module.split(".")[0] == "code" else "docs"


def _embed(engine: Permitted, asked: Embed) -> dict[str, Any]:
    from pinyon.inference.contract import NoModel

    store = engine.whole()
    done = engine.embed(seconds=asked.seconds, retry=asked.retry)
    active = [each for each in store.models() if each.state == "active" and each.dims]
    if not active and store.values("kind"):
        raise NoModel("no model is in use", remedy="choose one: pinyon model use granite")
    return {**asdict(done), "kinds": active[0].records if active else {}}


def _configure(engine: Permitted, asked: Configure) -> dict[str, Any]:
    note = engine.configure(asked.key, asked.value)
    return {"key": asked.key, "value": asked.value, "note": note}


def _questions(engine: Permitted, asked: Questions) -> dict[str, Any]:
    return answers.questions_to_json(engine.whole().questions(since=asked.since))


class Action(NamedTuple):
    """`changes` says whether it writes."""

    takes: type[shapes.Shape]
    run: Callable[[Permitted, Any], dict[str, Any]]
    changes: bool = False


ACTIONS: Mapping[str, Action] = {
    "search": Action(shapes.SearchAll, OPERATIONS["search"].run),
    "files": Action(Files, _files),
    "get": Action(shapes.Get, OPERATIONS["get"].run),
    "save": Action(shapes.Save, OPERATIONS["save"].run, changes=True),
    "feedback": Action(shapes.Feedback, OPERATIONS["feedback"].run, changes=True),
    "embed": Action(Embed, _embed, changes=True),
    "configure": Action(Configure, _configure, changes=True),
    "questions": Action(Questions, _questions),
}
