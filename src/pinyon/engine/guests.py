"""Guests: the stores of other tiers, opened when first asked and kept open: only ever read.

A file may vanish, or another one may take its place, while it is open: so each search looks whether
the file is still the one that was opened.
"""

import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model import errors
from pinyon.store.sqlite.connect import OlderStore, our_errors

if TYPE_CHECKING:
    from pinyon.store.contract import View
    from pinyon.store.sqlite import SqliteStore

Identity = tuple[int, int]
"""Of a file, whatever it is called: its device, and its number there."""

STATES: Mapping[type[Exception], str] = {
    errors.NoStore: "missing",
    errors.BusyStore: "locked",
    errors.DamagedStore: "damaged",
    errors.NewerStore: "newer",
    OlderStore: "older",
    errors.NotAStore: "no store",
    errors.InvalidInput: "misconfigured",
}
"""Of a store that cannot be asked; "unreadable" where it is none of these."""


def state_of(problem: Exception) -> str:
    """In a word, why a store cannot be asked."""
    return STATES.get(type(problem), "unreadable")


def identity(path: Path) -> Identity | None:
    """None where there is no file, or none that can be looked at."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


class Guest(NamedTuple):
    """A store and the file that it was opened from."""

    file: Identity | None
    store: "SqliteStore"


class Entered(NamedTuple):
    """One moment of a guest, which lasts until `leave`."""

    path: Path
    view: "View"
    snapshot: AbstractContextManager["View"]

    def guard(self) -> AbstractContextManager[None]:
        """Puts what SQLite says into our words."""
        return our_errors(self.path)

    def leave(self) -> None:
        """Whatever happened meanwhile, to it or to anybody else, is not its concern."""
        with suppress(Exception):
            self.snapshot.__exit__(None, None, None)


class Guests:
    """Any number of threads may use it."""

    def __init__(self) -> None:
        self._open: dict[Path, Guest] = {}
        self._one_at_a_time = threading.Lock()

    def enter(self, path: Path) -> Entered:
        """One moment of the store at `path`. Raises whatever keeps it from being asked."""
        snapshot = self._store(path).snapshot()
        try:
            return Entered(path, snapshot.__enter__(), snapshot)
        except Exception:  # whatever it is goes on to the caller; the file is opened anew next time
            self.drop(path)
            raise

    def drop(self, path: Path) -> None:
        """Open it anew when it is asked again."""
        with self._one_at_a_time:
            self._close(path)

    def close(self) -> None:
        """Release all of them."""
        with self._one_at_a_time:
            for path in list(self._open):
                self._close(path)

    def _store(self, path: Path) -> "SqliteStore":
        from pinyon.store.sqlite import SqliteStore

        with self._one_at_a_time:
            file = identity(path)
            known = self._open.get(path)
            if known and file and known.file == file:
                return known.store
            self._close(path)
            store = SqliteStore(path, guest=True)
            self._open[path] = Guest(file, store)
            return store

    def _close(self, path: Path) -> None:
        guest = self._open.pop(path, None)
        if guest:
            with suppress(Exception):  # what is wrong with it was said when it was asked
                guest.store.close()
