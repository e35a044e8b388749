"""Kept: the file that tokens lie in. Only its owner can read it, and two processes that change it
at the same time lose nothing."""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

from pinyon import private
from pinyon.model.errors import InvalidInput, PinyonError

NAME = "tokens.json"

TRIES = 50 if sys.platform == "win32" else 1
"""There a file cannot be replaced, nor opened, in the moment in which another process does it."""

PAUSE_S = 0.01

Given = TypeVar("Given")
Found = TypeVar("Found")


class File:
    """A list of JSON objects. Each method raises InvalidInput where the file cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def read(self) -> bytes | None:
        """The file as it is; None where there is none."""
        try:
            return _patiently(self.path.read_bytes)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise self._unreadable(problem.strerror or "") from None

    def parsed(self, raw: bytes | None) -> list[dict[str, Any]]:
        """What such a file says. One that is empty was damaged: it says nothing, not that there is
        no token."""
        return [] if raw is None else self.understood(_listed, raw)

    def understood(self, read: Callable[[Given], Found], given: Given) -> Found:
        """What `read` makes of a part of the file."""
        try:
            return read(given)
        except (KeyError, TypeError, ValueError, RecursionError, PinyonError):
            raise self._unreadable("it is not what Pinyon wrote") from None

    @contextmanager
    def changing(self) -> Iterator[list[dict[str, Any]]]:
        """The list, to be changed; it is written when the `with` ends well. Others wait."""
        try:
            private.make_folder(self.path.parent)
            with self.path.with_suffix(".lock").open("ab") as lock:
                _locked(lock)
                listed = self.parsed(self.read())
                yield listed
                self._write(listed)
        except OSError as problem:
            raise InvalidInput(
                f"tokens cannot be kept in {self.path}: {problem.strerror}",
                remedy="make the folder writable, or name another one with PINYON_CONFIG",
            ) from None

    def _write(self, listed: list[dict[str, Any]]) -> None:
        near, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{NAME}.")  # mode 0600
        try:
            with os.fdopen(near, "w", encoding="utf-8") as file:
                json.dump({"tokens": listed}, file, indent=1)
                file.flush()
                os.fsync(file.fileno())  # a token that was revoked stays revoked
            _patiently(lambda: Path(name).replace(self.path))
        finally:
            Path(name).unlink(missing_ok=True)

    def _unreadable(self, why: str) -> InvalidInput:
        return InvalidInput(
            f"the tokens in {self.path} cannot be read: {why}",
            remedy="repair the file, or remove it and create the tokens anew",
        )


def _listed(raw: bytes) -> list[dict[str, Any]]:
    listed = json.loads(raw)["tokens"]
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise TypeError
    return listed


def _locked(file: IO[bytes]) -> None:
    """Wait until it is ours. Whoever closes the file, or ends, lets it go."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX)


def _patiently(call: Callable[[], Found]) -> Found:
    for _ in range(TRIES - 1):
        try:
            return call()
        except PermissionError:
            time.sleep(PAUSE_S)
    return call()
