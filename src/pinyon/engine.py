"""Engine: what Pinyon does, method by method. The only place that names a store.

`pinyon.open` makes one; every surface calls it. What only some methods need is imported inside
them: a search from the shell must not wait for what only writing needs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from pinyon import settings
from pinyon.model.errors import InvalidInput, UnknownRecord, UnknownSetting
from pinyon.model.hit import Answer
from pinyon.model.profile import Profile
from pinyon.model.query import Filters
from pinyon.model.record import Edge, Record, Version
from pinyon.profiles import load
from pinyon.search.pipeline import search
from pinyon.search.present import MODES

if TYPE_CHECKING:
    from pinyon.index.changes import Changes
    from pinyon.index.pipeline import Progress, Report
    from pinyon.index.transfer import Imported
    from pinyon.store.contract import Counts, Finding, Store, View

MOST_HITS = 1_000
"""The largest limit of one search."""


class Related(NamedTuple):
    """An edge of a record, and the record at its other end."""

    edge: Edge
    record: Record


def open_engine(
    path: str | Path | None = None,
    *,
    create: bool = True,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> "Engine":
    """The engine over the store at `path`; without one, the store that `settings` finds.

    ":memory:" is a store that ends with the process. Without `create` a missing file is an error.
    """
    if path == ":memory:":
        from pinyon.store.memory import MemoryStore

        return Engine(MemoryStore(), clock=clock)
    from pinyon.store.sqlite import SqliteStore

    where = settings.store_path(None if path is None else str(path))
    store = SqliteStore(where, create=create)
    return Engine(store, profile_folders=partial(settings.profile_folders, where), clock=clock)


class Engine:
    """One store, and everything that can be done with it. Use it in a `with`, or close it. Any
    number of threads may share one. What cannot be done raises a PinyonError with the remedy."""

    def __init__(
        self,
        store: "Store",
        *,
        profile_folders: load.Folders = load.shipped,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._profile_folders = profile_folders
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
        """Release the store. A second close does nothing."""
        self._store.close()

    # asking

    def search(
        self,
        query: str,
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
        override: Mapping[str, Any] | None = None,
    ) -> Answer:
        """The best `limit` records. Several kinds, domains, severities or authors mean any of them,
        several tags all of them; `scope` means it and everything below; `since` and `until` bound
        created_at. `override` changes the profile for this call, by path."""
        if not isinstance(query, str):
            raise InvalidInput("the query must be text")
        if type(limit) is not int or not 1 <= limit <= MOST_HITS:
            raise InvalidInput(f"limit must be a whole number from 1 to {MOST_HITS:,}")
        if mode not in MODES:
            raise UnknownSetting(f"no mode {mode!r}", MODES)
        changes = dict(override or {})
        if channels is not None:
            changes["retrieve.channels"] = list(channels)
        filters = Filters(
            kinds=_texts("kinds", kinds),
            tags=_texts("tags", tags),
            domains=_texts("domains", domains),
            severities=_texts("severities", severities),
            authors=_texts("authors", authors),
            scope=_scope(scope),
            since=_date("since", since),
            until=_date("until", until),
        )
        chosen = load.load(profile, self._profile_folders, changes)
        with self._store.snapshot() as view:
            return search(view, query, chosen, filters=filters, limit=limit, mode=mode)

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
        from pinyon.store.contract import Edges

        with self._store.snapshot() as view:
            _found(view, [id])
            edges = [
                edge
                for edge in view.survey(Edges((id,)))
                if not relations or edge.relation in relations
            ]
            others = view.fetch([_other(edge, id) for edge in edges])
        edges.sort(key=lambda edge: (-edge.strength, edge.relation, edge.from_id, edge.to_id))
        return [
            Related(edge, others[_other(edge, id)]) for edge in edges if _other(edge, id) in others
        ]

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

    # writing

    @cached_property
    def _changes(self) -> "Changes":
        from pinyon.index.changes import Changes

        return Changes(self._store, self._clock)

    def save(self, record: Record, *, replace: bool = False) -> str:
        """Write a record and return its id: its own, or a new one made from its title. An id that
        is taken raises DuplicateRecord, unless `replace`."""
        return self._changes.save(record, overwrite=replace)

    def update(self, id: str, /, **changes: Any) -> Record:
        """Change some fields of a record; the others stay. Returns it as it is now."""
        return self._changes.update(id, changes)

    def tag(self, id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Record:
        """Add and remove tags of one record. Returns it as it is now."""
        return self._changes.tag(id, add, remove)

    def rename_tag(self, old: str, new: str) -> int:
        """Rename a tag on every record that has it. Returns how many had it."""
        return self._changes.rename_tag(old, new)

    def forget(self, *ids: str, purge: bool = False) -> None:
        """Take records out of every answer. They stay in the file, and `save` with the same id
        brings one back, unless `purge`: then nothing is left of them."""
        self._changes.forget(ids, purge=purge)

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
        return pipeline.index_folder(self._store, Path(path), now=self._clock(), progress=watch)

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

        with _seekable(file) as lines:
            return transfer.import_file(
                self._store,
                lines,
                name=name,
                now=self._clock(),
                new_id=self._changes.new_id,
                replace_known=replace,
                progress=progress,
            )

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


def _texts(name: str, given: Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(text, str) for text in given):
        raise InvalidInput(f"{name} must be a list of texts")
    # Half a surrogate pair is no text, and no record has it: whatever stands for it finds nothing.
    return tuple(text.encode("utf-8", "replace").decode() for text in given)


def _scope(given: str) -> str:
    if not given:
        return ""
    from pinyon.model.check import check_scope

    return check_scope("scope", given)


def _date(name: str, given: datetime | str | None) -> datetime | None:
    if given is None:
        return None
    from pinyon.model.check import check_date

    return check_date(name, given)


def _other(edge: Edge, id: str) -> str:
    return edge.to_id if edge.from_id == id else edge.from_id


def _seekable(file: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """The file itself, or a copy of what flows out of it: an import reads twice."""
    if file.seekable():
        return nullcontext(file)
    import tempfile

    copy = tempfile.TemporaryFile()  # noqa: SIM115  (the caller's `with` closes it)
    while chunk := file.read(1 << 20):
        copy.write(chunk)
    copy.seek(0)
    return copy
