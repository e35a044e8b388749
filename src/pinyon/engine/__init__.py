"""Engine: what Pinyon does, method by method. The only place that names a store.

`pinyon.open` makes one; every surface calls it. What only some methods need is imported inside
them: a search from the shell must not wait for what only writing needs.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pinyon import settings
from pinyon.engine.keeping import Keeping
from pinyon.engine.learning import Learning
from pinyon.search.given import MOST_HITS

if TYPE_CHECKING:
    from pinyon.store.sqlite.salvage import Salvaged

__all__ = ["MOST_HITS", "Engine", "open_engine", "salvage"]


class Engine(Learning, Keeping):
    """One store, and everything that can be done with it. Use it in a `with`, or close it. Any
    number of threads may share one. What cannot be done raises a PinyonError with the remedy."""


def open_engine(
    path: str | Path | None = None,
    *,
    create: bool = True,
    background: bool = True,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Engine:
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


def salvage(path: Path, target: Path) -> "Salvaged":
    """Write what can be read of the broken store at `path` into a new one at `target`. Raises
    InvalidInput where there is a file already, NotAStore where nothing can be read."""
    from pinyon.store.sqlite.salvage import salvage

    return salvage(path, target)
