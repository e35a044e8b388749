"""Remember: vectors of passages that were embedded before, whatever store they are in.

One SQLite file in the user's cache folder, by model and by digest of the text; the text itself is
not in it. What cannot be read or kept is embedded again: nothing hangs on this file.
"""

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from pinyon import private
from pinyon.text.passages import digest

if TYPE_CHECKING:
    from pinyon.inference.contract import Embedder, Vectors

VECTORS_FILE, TOKENS_FILE = "vectors.db", "tokens.db"
"""The two such files: vectors of passages, and what is kept of the tokens of texts."""

MOST = 250_000
"""Vectors that are kept; of more, the oldest go. With 384 dimensions that is 400 MB."""

WAIT_MS = 2_000

_SCHEMA = """
    PRAGMA journal_mode = wal;
    PRAGMA synchronous = normal;
    PRAGMA secure_delete = on;
    CREATE TABLE IF NOT EXISTS vector (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        model TEXT NOT NULL,
        digest BLOB NOT NULL,
        vector BLOB NOT NULL,
        UNIQUE (digest, model)
    ) STRICT;
"""


class Remembered:
    """The file of vectors. Any number of threads and processes may use it."""

    def __init__(self, path: Path, *, most: int = MOST) -> None:
        self._path = path
        self._most = most
        self._lock = threading.Lock()
        self._db: apsw.Connection | None = None

    def get(self, model: str, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        """The vectors that are known, by digest."""
        try:
            with self._lock:
                db = self._opened()
                found: dict[bytes, bytes] = {}
                for key in dict.fromkeys(digests):
                    rows: Any = db.execute(
                        "SELECT vector FROM vector WHERE digest = ? AND model = ?", (key, model)
                    ).fetchall()
                    if rows:
                        found[key] = rows[0][0]
                return found
        except (apsw.Error, OSError):
            return {}

    def put(self, model: str, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep vectors by digest."""
        try:
            with self._lock, self._opened() as db:
                db.executemany(
                    "INSERT OR REPLACE INTO vector (model, digest, vector) VALUES (?, ?, ?)",
                    ((model, key, vector) for key, vector in vectors),
                )
                db.execute(
                    "DELETE FROM vector WHERE number <= (SELECT max(number) FROM vector) - ?",
                    (self._most,),
                )
        except (apsw.Error, OSError):
            return

    def clear(self) -> None:
        """Leave nothing. A file that cannot be used is removed. Raises OSError where it stays."""
        if not self._path.exists():
            return
        with self._lock:
            try:
                db = self._opened()
                db.execute("DELETE FROM vector; DELETE FROM sqlite_sequence")
                db.execute("VACUUM")
                db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.Error:
                self._close()
                for end in ("", "-wal", "-shm"):
                    Path(f"{self._path}{end}").unlink(missing_ok=True)

    def close(self) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._db is not None:
            self._db.close()
        self._db = None

    def _opened(self) -> apsw.Connection:
        if self._db is None:
            # Only its owner may read it: a vector tells something of its text.
            private.make_folder(self._path.parent)
            private.make_file(self._path)
            db = apsw.Connection(str(self._path))
            db.set_busy_timeout(WAIT_MS)
            db.execute(_SCHEMA).fetchall()  # a pragma answers: without it the rest would wait
            self._db = db
        return self._db


class RememberingEmbedder:
    """An Embedder that asks another one only for passages that were never embedded."""

    def __init__(self, inner: "Embedder", remembered: Remembered) -> None:
        self.inner = inner
        self._remembered = remembered

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dims(self) -> int:
        return self.inner.dims

    @property
    def tokens(self) -> int:
        return self.inner.tokens

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        return self.inner.embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        import numpy as np

        digests = [digest(text) for text in texts]
        size = self.dims * 4
        known = {
            key: vector
            for key, vector in self._remembered.get(self.name, digests).items()
            if len(vector) == size
        }
        missing = {key: text for key, text in zip(digests, texts, strict=True) if key not in known}
        if missing:
            made = self.inner.embed_passages(list(missing.values()))
            fresh = {key: row.tobytes() for key, row in zip(missing, made, strict=True)}
            self._remembered.put(self.name, fresh.items())
            known |= fresh
        rows: Vectors = np.frombuffer(b"".join(known[key] for key in digests), np.float32)
        return rows.reshape(len(texts), self.dims)

    def count_tokens(self, text: str) -> int:
        return self.inner.count_tokens(text)

    def close(self) -> None:
        self.inner.close()
        self._remembered.close()
