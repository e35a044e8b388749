"""World: a store of so many records, made once and kept in the cache folder, and how to ask it."""

import hashlib
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from pathlib import Path

import pinyon
from bench import corpus
from pinyon.engine import Engine
from pinyon.model.profile import Profile
from pinyon.store.contract import Batch
from pinyon.store.sqlite import SqliteStore, connect
from pinyon.store.sqlite.view import SqliteView

BATCH = 2_000


@dataclass(frozen=True)
class World:
    """What a section is given: a store of `records` records at `path`, room for files, and the
    folder of labelled collections, which may be missing."""

    records: int
    path: Path
    cache: Path
    collections: Path

    @cached_property
    def profile(self) -> Profile:
        with self.engine() as engine:
            return engine.profile("keyword")

    def engine(self) -> Engine:
        return pinyon.open(self.path, create=False, background=False)

    @contextmanager
    def view(self) -> Iterator[SqliteView]:
        """One moment of the store, as a search sees it."""
        store = SqliteStore(self.path, create=False)
        try:
            with store.snapshot() as view:
                yield view
        finally:
            store.close()


def world(records: int, cache: Path, collections: Path) -> World:
    """Made now unless the cache has one of this schema and this corpus."""
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / f"{records}-{_fingerprint()}.pinyon"
    if not path.exists():
        for old in cache.glob(f"{records}-*.pinyon*"):
            old.unlink()
        print(f"making a store of {records:,} records ...", file=sys.stderr, flush=True)
        _make(path, records)
    return World(records, path, cache, collections)


def _fingerprint() -> str:
    """Of all that decides what is in the store; another Python has other docstrings."""
    schema = Path(connect.__file__).parent
    steps = "".join((schema / step).read_text("utf-8") for step in connect.MIGRATIONS)
    parts = (str(corpus.VERSION), platform.python_version(), steps)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def _make(path: Path, records: int) -> None:
    """Under another name until it is whole: an interrupted bench leaves no half store."""
    growing = path.with_suffix(".growing")
    for left in path.parent.glob(f"{growing.name}*"):
        left.unlink()
    store = SqliteStore(growing)
    made = corpus.records(records)
    while some := list(islice(made, BATCH)):
        store.commit(Batch(now=datetime(2024, 1, 1, tzinfo=UTC), records=some, verbatim=True))
    store.close()
    growing.rename(path)
