"""Engine: what Pinyon does, method by method. The only place that names a store.

`pinyon.open` makes one; every surface calls it. What only some methods need is imported inside
them: a search from the shell must not wait for what only writing needs.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from pinyon import settings
from pinyon.model.errors import InvalidInput, UnknownRecord, UnknownSetting
from pinyon.model.hit import Answer
from pinyon.model.profile import Profile
from pinyon.model.record import Edge, Record, Version
from pinyon.profiles import load
from pinyon.search.given import given_filters
from pinyon.search.pipeline import search
from pinyon.search.present import MODES
from pinyon.search.related import Related, related

if TYPE_CHECKING:
    from pinyon.index.changes import Changes
    from pinyon.index.embed import Embedded, Pace
    from pinyon.index.pipeline import Progress, Report
    from pinyon.index.transfer import Imported
    from pinyon.meaning import Meaning, ModelInfo, Searcher
    from pinyon.store.contract import Counts, Finding, Store, View

MOST_HITS = 1_000
"""The largest limit of one search."""


def open_engine(
    path: str | Path | None = None,
    *,
    create: bool = True,
    background: bool = True,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> "Engine":
    """The engine over the store at `path`; without one, the store that `settings` finds.

    ":memory:" is a store that ends with the process. Without `create` a missing file is an error.
    Without `background` nothing is embedded but by `embed`.
    """
    if path == ":memory:":
        from pinyon.store.memory import MemoryStore

        return Engine(MemoryStore(), background=background, clock=clock)
    from pinyon.store.sqlite import SqliteStore

    where = settings.store_path(None if path is None else str(path))
    store = SqliteStore(where, create=create)
    folders = partial(settings.profile_folders, where)
    return Engine(
        store,
        profile_folders=folders,
        name=str(where.absolute()),
        background=background,
        clock=clock,
    )


class Engine:
    """One store, and everything that can be done with it. Use it in a `with`, or close it. Any
    number of threads may share one. What cannot be done raises a PinyonError with the remedy."""

    def __init__(
        self,
        store: "Store",
        *,
        profile_folders: load.Folders = load.shipped,
        name: str = "",
        background: bool = False,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._profile_folders = profile_folders
        self._name = name
        self._background = background
        self._clock = clock

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the store. A second close does nothing. What was just written is embedded for a
        moment; the rest waits in the store for whoever opens it next."""
        if "_meaning" in self.__dict__:
            self._meaning.close()
        self._store.close()

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

    # meaning

    @cached_property
    def _meaning(self) -> "Meaning":
        from pinyon.meaning import Meaning

        return Meaning(self._store, self._clock, background=self._background)

    def _searcher(self, view: "View") -> "Searcher | str":
        return self._meaning.searcher(view)

    def _written(self) -> None:
        """What was written waits to be embedded."""
        if self._background:
            self._meaning.wake()

    def embed(
        self,
        *,
        seconds: float | None = None,
        retry: bool = False,
        progress: "Callable[[Pace], None] | None" = None,
    ) -> "Embedded":
        """Embed what waits, for at most so many seconds; with `retry` also what was given up.
        Raises ModelError when there is no model to do it."""
        from pinyon.index.embed import ignore

        watch = progress or ignore
        return self._meaning.embed(seconds=seconds, retry=retry, progress=watch)

    def models(self) -> "list[ModelInfo]":
        """The models that the store knows, the active one first."""
        return self._meaning.models()

    def use_model(
        self, choice: str, *, url: str = "", model: str = "", dims: int = 0
    ) -> "ModelInfo":
        """Search with another model, as soon as it has embedded everything: a name of the table,
        the path of a folder, hf:OWNER/NAME, "none" or "auto". For a provider, this is the consent
        to send text to it."""
        from pinyon.meaning import Choice

        return self._meaning.use(Choice(choice, url, model, dims))

    def drop_model(self, name: str) -> None:
        """Take a model away, with its vectors."""
        self._meaning.drop(name)

    # writing

    @cached_property
    def _changes(self) -> "Changes":
        from pinyon.index.changes import Changes

        return Changes(self._store, self._clock)

    def save(self, record: Record, *, replace: bool = False) -> str:
        """Write a record and return its id: its own, or a new one made from its title. An id that
        is taken raises DuplicateRecord, unless `replace`."""
        saved = self._changes.save(record, overwrite=replace)
        self._written()
        return saved

    def update(self, id: str, /, **changes: Any) -> Record:
        """Change some fields of a record; the others stay. Returns it as it is now."""
        updated = self._changes.update(id, changes)
        self._written()
        return updated

    def tag(self, id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Record:
        """Add and remove tags of one record. Returns it as it is now."""
        return self._changes.tag(id, add, remove)

    def rename_tag(self, old: str, new: str) -> int:
        """Rename a tag on every record that has it. Returns how many had it."""
        return self._changes.rename_tag(old, new)

    def forget(self, *ids: str, purge: bool = False) -> None:
        """Take records out of every answer. They stay in the file, and `save` with the same id
        brings one back, unless `purge`: then nothing is left of them."""
        if not purge:
            self._changes.forget(ids, purge=False)
            return
        from pinyon.meaning import digests, forget_texts

        known = digests(self._store, ids)
        self._changes.forget(ids, purge=True)
        forget_texts(known)

    def link(
        self, from_id: str, relation: str, to_id: str, *, strength: float = 1.0, evidence: str = ""
    ) -> Edge:
        """Join two records by an edge; one with the same ends and relation is written over."""
        return self._changes.link(Edge(from_id, relation, to_id, strength, evidence))

    def unlink(self, from_id: str, relation: str, to_id: str) -> None:
        """Remove an edge. Raises InvalidInput if there is none."""
        self._changes.unlink(Edge(from_id, relation, to_id))

    # folders and files

    def index(
        self, path: str | Path, *, progress: "Callable[[Progress], None] | None" = None
    ) -> "Report":
        """Bring the records of a folder, or of one file, up to date with what is on the disk."""
        from pinyon.index import pipeline

        watch = progress or pipeline.ignore
        report = pipeline.index_folder(self._store, Path(path), now=self._clock(), progress=watch)
        self._written()
        return report

    def watch(
        self,
        paths: Sequence[str | Path],
        *,
        on_report: "Callable[[Report], None]",
        on_trouble: Callable[[Path, str], None] = lambda root, reason: None,
        stop: "threading.Event | None" = None,
    ) -> None:
        """Index folders (or single files), and again after every change, until `stop` is set. What
        is told to `on_report` and `on_trouble` stands in `index.watch`."""
        from pinyon.index import pipeline
        from pinyon.index.watch import Claims, watch

        watch(
            [Path(path) for path in paths],
            self.index,
            on_report=on_report,
            on_trouble=on_trouble,
            stop=stop or threading.Event(),
            wanted=pipeline.noticed,
            claims=Claims(settings.cache_folder() / "watching", self._name or str(id(self))),
        )

    def import_jsonl(
        self,
        file: BinaryIO,
        *,
        name: str = "the import",
        replace: bool = False,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> "Imported":
        """Read JSON Lines as `export` writes them. All lines are checked before any is written."""
        from pinyon.index import transfer

        imported = transfer.import_file(
            self._store,
            file,
            name=name,
            now=self._clock(),
            new_id=self._changes.new_id,
            replace_known=replace,
            progress=progress,
        )
        self._written()
        return imported

    def export(self) -> Iterator[str]:
        """Everything as JSON Lines: records, versions, edges. One moment, however long it takes."""
        from pinyon.index import transfer

        with self._store.snapshot() as view:
            yield from transfer.export_lines(view)

    # care

    def examine(self) -> "list[Finding]":
        """Everything that is wrong with the store; nothing when it is sound."""
        return self._store.examine()

    def rebuild(self) -> None:
        """Make everything that is derived from the records anew."""
        self._store.rebuild()


def _found(view: "View", ids: Sequence[str]) -> list[Record]:
    records = view.fetch(ids)
    missing = [id for id in ids if id not in records]
    if missing:
        raise UnknownRecord(missing)
    return [records[id] for id in ids]
