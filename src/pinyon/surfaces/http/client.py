"""Client: a running server, asked as if it were an engine: its methods, its types, its errors."""

import json
import os
import time as clock
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from inspect import signature
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import quote

from pinyon.engine import Engine
from pinyon.index.embed import Embedded, Pace
from pinyon.index.pipeline import Progress, Report
from pinyon.model.check import check_date, recheck
from pinyon.model.errors import PinyonError, UnknownRecord
from pinyon.model.hit import Answer
from pinyon.model.record import Edge, Record, Version
from pinyon.model.wire import date_to_text, record_to_json
from pinyon.search.related import Related
from pinyon.surfaces.http import received
from pinyon.surfaces.http.connection import Connection, NoServer, Pairs
from pinyon.surfaces.http.received import Job

if TYPE_CHECKING:
    from pinyon.engine.tiers import TierInfo
    from pinyon.search.brief import Brief
    from pinyon.search.conflicts import Conflict
    from pinyon.store.questions import Counts

Found = TypeVar("Found")

__all__ = ["Client", "NoServer"]

USUAL = {name: each.default for name, each in signature(Engine.search).parameters.items()}
"""What a search is asked where nothing else is said: it need not be sent."""

OF_THE_STORE = ("version", "deleted_at")
"""Fields of a record that a caller cannot write."""

MOST_LINKS = 10_000
"""The most that a server gives of what is related."""

LONGEST_QUERY = 4_000
"""Characters of the ids that are asked for in one address."""


class Client:
    """The methods of an engine, over HTTP: what they promise stands there. Use it in a `with`, or
    close it. Any number of threads may share one. Raises what the engine raises, NotPermitted where
    the token does not suffice, and NoServer where nobody answers."""

    def __init__(self, url: str, token: str | None = None, *, timeout_s: float = 30.0) -> None:
        self._server = Connection(url, token, timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._server.url!r})"

    def close(self) -> None:
        """Release the connections. A second close does nothing."""
        self._server.close()

    def health(self) -> dict[str, str]:
        """The `status` and the `version` of the server. Needs no token."""
        return self._server.ask(dict, "GET", "/v1/health")

    # asking

    def search(
        self,
        query: str = "",
        *,
        profile: str = "default",
        limit: int = 10,
        mode: str = "match",
        channels: Sequence[str] | None = None,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        domains: Sequence[str] = (),
        severities: Sequence[str] = (),
        authors: Sequence[str] = (),
        scope: str | Sequence[str] = "",
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        superseded: bool = False,
        expired: bool = False,
        like: str | None = None,
        fix: bool = True,
        expand: bool = True,
        intent: str = "",
        time: str = "",
        tiers: Sequence[str] = (),
        min_relevance: float | None = None,
        rerank: bool | str = False,
        max_tokens: int = 0,
        group: str = "",
        sort: str = "score",
        cursor: str = "",
        track: bool = True,
        override: Mapping[str, Any] | None = None,
    ) -> Answer:
        """The best `limit` records. To name a reranker, or to `override`, needs an admin."""
        asked = dict(locals())  # first of all: nothing but what was given
        del asked["self"]
        if isinstance(rerank, str) and rerank:
            named = {"rerank.use": True, "rerank.model": rerank}
            asked |= {"rerank": False, "override": {**(override or {}), **named}}
        body = {name: _plain(value) for name, value in asked.items() if value != USUAL[name]}
        return self._server.ask(received.answer, "POST", "/v1/search", body=body)

    def brief(
        self, scope: str = "", *, max_tokens: int = 2_000, kinds: Sequence[str] = ()
    ) -> "Brief":
        """What matters now in a scope, without a question."""
        query: Pairs = [
            ("scope", scope),
            ("max_tokens", max_tokens),
            *(("kind", kind) for kind in kinds),
        ]
        return self._server.ask(received.brief, "GET", "/v1/brief", query=query)

    def conflicts(self, scope: str = "") -> "list[Conflict]":
        """The pairs of records in this scope, and below, that contradict each other."""
        query = [("scope", scope)]
        return self._server.ask(received.conflicts, "GET", "/v1/conflicts", query=query)

    def profiles(self) -> list[str]:
        """The names of the profiles that there are."""
        return self._server.ask(
            lambda given: [each["name"] for each in given["profiles"]], "GET", "/v1/profiles"
        )

    # reading

    def get(self, *ids: str) -> list[Record]:
        """The records with these ids, in their order. Raises UnknownRecord if one is missing. Very
        many are asked for in several goes, which may show several moments."""
        found: list[Record] = []
        missing: list[str] = []
        for some in _portions(ids):
            query = [("id", id) for id in some]
            try:
                found += self._server.ask(received.records, "GET", "/v1/records", query=query)
            except UnknownRecord as error:
                missing += error.ids
        if missing:
            raise UnknownRecord(missing)
        return found

    def history(self, id: str) -> list[Version]:
        """What a record was before each of its changes, oldest first."""
        return self._server.ask(received.versions, "GET", f"{_path(id)}/history")

    def related(
        self, id: str, *, relations: Sequence[str] = (), depth: int = 1, limit: int | None = None
    ) -> list[Related]:
        """The edges around this record, and the records that they lead to, nearest first; without
        a limit the first ten thousand."""
        query: Pairs = [
            *(("relation", relation) for relation in relations),
            ("depth", depth),
            ("limit", MOST_LINKS if limit is None else limit),
        ]
        return self._server.ask(received.related, "GET", f"{_path(id)}/related", query=query)

    def values(self, field: str) -> dict[str, int]:
        """Each value of tags, domain, kind, author or scope, with the number of its records."""
        path = f"/v1/values/{quote(field, safe='')}"
        return self._server.ask(lambda given: dict(given["values"]), "GET", path)

    def stats(self) -> "Counts":
        """How much the store holds."""
        return self._server.ask(received.counts, "GET", "/v1/stats")

    def tiers(self) -> "list[TierInfo]":
        """All tiers as they are now, the highest first."""
        return self._server.ask(received.tiers, "GET", "/v1/tiers")

    # writing

    def save(self, record: Record, *, replace: bool = False, duplicates: str = "keep") -> str:
        """Write a record and return its id."""
        fields = record_to_json(recheck(record))
        written = {name: value for name, value in fields.items() if name not in OF_THE_STORE}
        body = {**written, "replace": replace, "duplicates": duplicates}
        return self._server.ask(_id, "POST", "/v1/records", body=body)

    def update(self, id: str, /, *, expected: int | None = None, **changes: Any) -> Record:
        """Change some fields of a record; the others stay. Returns it as it is now."""
        headers = {} if expected is None else {"If-Match": f'"{expected}"'}
        body = {name: _plain(value) for name, value in changes.items()}
        return self._server.ask(received.record, "PATCH", _path(id), body=body, headers=headers)

    def correct(self, id: str, /, why: str = "", **changes: Any) -> str:
        """Replace what was wrong by a new record. Returns the new id."""
        body = {**{name: _plain(value) for name, value in changes.items()}, "why": why}
        return self._server.ask(_id, "POST", f"{_path(id)}/correct", body=body)

    def forget(self, *ids: str, purge: bool = False) -> None:
        """Take records out of every answer: all of them or, where one is unknown, none."""
        if not ids:
            return
        query = [*(("id", id) for id in ids), ("purge", "true" if purge else "false")]
        self._server.ask(_nothing, "DELETE", "/v1/records", query=query)

    def link(
        self, from_id: str, relation: str, to_id: str, *, strength: float = 1.0, evidence: str = ""
    ) -> Edge:
        """Join two records by an edge; one with the same ends and relation is written over."""
        ends = {"from_id": from_id, "relation": relation, "to_id": to_id}
        body = {**ends, "strength": strength, "evidence": evidence}
        return self._server.ask(received.edge, "POST", "/v1/links", body=body)

    def unlink(self, from_id: str, relation: str, to_id: str) -> None:
        """Remove an edge. Raises InvalidInput if there is none."""
        query = [("from", from_id), ("relation", relation), ("to", to_id)]
        self._server.ask(_nothing, "DELETE", "/v1/links", query=query)

    def feedback(self, id: str, verdict: str, *, query: str = "", profile: str = "default") -> None:
        """Say that a hit was "accepted", "modified" or "dismissed"."""
        body = {"id": id, "verdict": verdict, "query": query, "profile": profile}
        self._server.ask(_nothing, "POST", "/v1/feedback", body=body)

    # looking after the store

    def index(
        self, path: str | Path, *, progress: Callable[[Progress], None] | None = None
    ) -> Report:
        """Bring the records of a folder, or of one file, of the server's machine up to date. Waits
        until it is done; an exception from `progress` stops it."""
        # As seen from here, where the server is on the same machine.
        where = os.path.abspath(path) if self._server.local else str(path)  # noqa: PTH100

        def watch(job: Job) -> None:
            if progress:
                progress(Progress(job.done, job.total, job.path))

        return self._result(received.report, {"job": "index", "path": where}, watch)

    def embed(
        self,
        *,
        seconds: float | None = None,
        retry: bool = False,
        progress: Callable[[Pace], None] | None = None,
    ) -> Embedded:
        """Embed what waits, for at most so many seconds; with `retry` also what was given up. Waits
        until it is done; an exception from `progress` stops it."""
        begun = clock.monotonic()

        def watch(job: Job) -> None:
            if progress:
                passed_s = clock.monotonic() - begun
                progress(Pace(job.done, job.total, job.done / passed_s if passed_s else 0.0))

        asked = {"job": "embed", "retry": retry}
        limited = asked if seconds is None else {**asked, "seconds": seconds}
        return self._result(received.embedded, limited, watch)

    def _result(
        self,
        read: Callable[[Mapping[str, Any]], Found],
        asked: Mapping[str, Any],
        watch: Callable[[Job], None],
    ) -> Found:
        """What a job gives in the end. Whatever stops the waiting stops the job too."""
        job = self._server.ask(received.job, "POST", "/v1/jobs", body=asked)
        path = f"/v1/jobs/{_quoted(job.id)}"
        try:
            while job.going_on:
                for event in self._server.events(received.job, f"{path}/events"):
                    watch(event)
                job = self._server.ask(received.job, "GET", path)
        except BaseException:  # also an interrupt: the job must not go on for nobody
            with suppress(PinyonError):
                self._server.ask(_nothing, "DELETE", path)
            raise
        if job.state == "done":
            return self._server.read(read, json.dumps(job.result))
        if job.state == "failed":
            raise self._server.error(job.error)
        raise PinyonError("the job was cancelled", remedy="begin it again")


def _id(given: Mapping[str, Any]) -> str:
    return str(given["id"])


def _nothing(given: Any) -> None:
    """What is answered says nothing new."""


def _path(id: str) -> str:
    """The address of a record. Dots are written as numbers too: a path of them would be shortened
    on the way."""
    if not id:
        raise UnknownRecord([id])
    return f"/v1/records/{_quoted(id).replace('.', '%2E')}"


def _quoted(text: str) -> str:
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:  # half a surrogate pair: no record has it
        raise UnknownRecord([text]) from None


def _portions(ids: Sequence[str]) -> Iterable[list[str]]:
    """The ids in their order, as many at a time as an address holds."""
    some: list[str] = []
    room = LONGEST_QUERY
    for id in ids:
        size = len(_quoted(id)) + len("&id=")
        if some and size > room:
            yield some
            some, room = [], LONGEST_QUERY
        some.append(id)
        room -= size
    if some:
        yield some


def _plain(value: Any) -> Any:
    """As JSON has it: dates as text, tuples as lists."""
    if isinstance(value, datetime):
        return date_to_text(check_date("date", value))
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_plain(each) for each in value]
    return value
