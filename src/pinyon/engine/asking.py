"""Asking: the methods of an engine that find and read."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pinyon.engine.opened import Opened
from pinyon.model.errors import InvalidInput, UnknownRecord, UnknownSetting
from pinyon.model.hit import Answer
from pinyon.model.profile import Profile
from pinyon.model.record import Record, Version
from pinyon.profiles import load
from pinyon.search.given import given_filters
from pinyon.search.pipeline import search
from pinyon.search.present import MODES
from pinyon.search.related import Related, related

if TYPE_CHECKING:
    from pinyon.store.contract import Counts, View

MOST_HITS = 1_000
"""The largest limit of one search."""


class Asking(Opened):
    """See Engine."""

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
        scope: str = "",
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        like: str | None = None,
        override: Mapping[str, Any] | None = None,
    ) -> Answer:
        """The best `limit` records. Several kinds, domains, severities or authors mean any of them,
        several tags all of them; `scope` means it and everything below; `since` and `until` bound
        created_at. `like` is the id of a record to search by, instead of a query. `override`
        changes the profile for this call, by path."""
        if not isinstance(query, str):
            raise InvalidInput("the query must be text")
        if like is not None and query:
            raise InvalidInput("both a query and a record to search by", remedy="give one of them")
        if type(limit) is not int or not 1 <= limit <= MOST_HITS:
            raise InvalidInput(f"limit must be a whole number from 1 to {MOST_HITS:,}")
        if mode not in MODES:
            raise UnknownSetting(f"no mode {mode!r}", MODES)
        changes = dict(override or {})
        if channels is not None:
            changes["retrieve.channels"] = list(channels)
        filters = given_filters(
            kinds=kinds,
            tags=tags,
            domains=domains,
            severities=severities,
            authors=authors,
            scope=scope,
            since=since,
            until=until,
        )
        chosen = load.load(profile, self._profile_folders, changes)
        with self._store.snapshot() as view:
            return search(
                view,
                query,
                chosen,
                filters=filters,
                limit=limit,
                mode=mode,
                meaning=self._searcher,
                like=like,
            )

    def profile(self, name: str, override: Mapping[str, Any] | None = None) -> Profile:
        """A profile with everything that it inherits."""
        return load.load(name, self._profile_folders, override)

    def profiles(self) -> list[str]:
        """The names of the profiles that there are."""
        return load.names(self._profile_folders)

    # reading

    def get(self, *ids: str) -> list[Record]:
        """The records with these ids, in their order. Raises UnknownRecord if one is missing."""
        with self._store.snapshot() as view:
            return _found(view, ids)

    def history(self, id: str) -> list[Version]:
        """What a record was before each of its changes, oldest first."""
        from pinyon.store.contract import History

        with self._store.snapshot() as view:
            if id not in view.fetch([id], forgotten=True):
                raise UnknownRecord([id])
            return view.survey(History(id))

    def related(self, id: str, *, relations: Sequence[str] = ()) -> list[Related]:
        """The records that an edge joins with this one, strongest edge first."""
        with self._store.snapshot() as view:
            _found(view, [id])
            return related(view, id, relations)

    def values(self, field: str) -> dict[str, int]:
        """Each value of tags, domain, kind, author or scope, with the number of its records."""
        from pinyon.store.contract import Values

        known = ("tags", "domain", "kind", "author", "scope")
        if field not in known:
            raise UnknownSetting(f"no values of {field!r}", known)
        with self._store.snapshot() as view:
            return view.survey(Values(field))

    def stats(self) -> "Counts":
        """How much the store holds."""
        from pinyon.store.contract import Size

        with self._store.snapshot() as view:
            return view.survey(Size())

    def folders(self) -> dict[str, str]:
        """The folders that were indexed: name to path."""
        from pinyon.store.contract import Folders

        with self._store.snapshot() as view:
            return view.survey(Folders())


def _found(view: "View", ids: Sequence[str]) -> list[Record]:
    records = view.fetch(ids)
    missing = [id for id in ids if id not in records]
    if missing:
        raise UnknownRecord(missing)
    return [records[id] for id in ids]
