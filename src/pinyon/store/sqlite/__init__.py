"""One SQLite file."""

from pinyon.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
