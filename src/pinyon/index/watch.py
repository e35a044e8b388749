"""Watch: a folder is indexed again soon after something in it was saved, renamed or deleted.

What changed is not followed file by file. An event only says that it is time for a run, and a run
compares the whole folder with what is known: so a burst of thousands of events costs one run, and
an event that got lost is made good by the next run. A folder that is away is no folder that was
emptied: it is left alone until it is back.
"""

import hashlib
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from pinyon import private
from pinyon.model.errors import PinyonError

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

T = TypeVar("T")

EMPTY = "is empty, as where a disk is not mounted; what is known of it stays until it has files"
TAKEN = "is watched already by another command; this one goes on when that one ends"

_NATIVE = sys.platform in {"darwin", "win32"}
"""Whether the system watches a whole tree. Elsewhere each folder is watched by itself, and then we
name them: the library would follow links out of the tree."""


class Pace(NamedTuple):
    """Seconds. A run begins when nothing happened for `quiet`, at the latest `most` after the first
    event. What is away is looked for every `look`. Every `again` there is a run without an event:
    some disks send none, and a system that is flooded loses some."""

    quiet: float = 0.2
    most: float = 2.0
    look: float = 2.0
    again: float = 60.0


USUAL = Pace()


def watch(
    folders: Sequence[Path],
    run: Callable[[Path], T],
    *,
    on_report: Callable[[T], None],
    on_trouble: Callable[[Path, str], None],
    stop: threading.Event,
    wanted: Callable[[str], bool],
    claims: "Claims",
    pace: Pace = USUAL,
) -> None:
    """Call `run` for each folder (or single file) at once, and again after every change in it.
    Returns when `stop` is set, within `pace.quiet` and the end of a run.

    `on_report` is given what each run returns, also of one that found nothing new. `on_trouble` is
    told once why a folder is not indexed for now, and with "" when it is again; what a run raises
    as a PinyonError or OSError is such a reason, and it is tried again. `wanted` says whether it
    matters what is in a file of this name. A folder that somebody else watches waits for its turn.
    """
    roots = dict.fromkeys(folder.resolve() for folder in folders)
    watched = [_Watched(root, run, on_report, on_trouble) for root in roots]
    ear = _Ear([], pace, stop)
    try:
        while not stop.is_set():
            for each in watched:
                each.look(claims)
            live = [each for each in watched if each.live]
            if ear.stale or ear.heard_of != [each.seen for each in live]:
                # Before the run: what happens from now on is heard, what happened is found by it.
                ear.close()
                ear = _Ear(live, pace, stop)
            for each in live:
                if each.due and not stop.is_set():
                    each.index()
            ear.listen(wanted)
    finally:
        ear.close()
        for root in roots:
            claims.release(root)


class Claims:
    """Which folders this process watches for a store: a locked file for each. The system releases
    it when the process ends, however it ends. `store` tells one store from another."""

    def __init__(self, folder: Path, store: str) -> None:
        self._folder = folder
        self._store = store
        self._held: dict[Path, IO[bytes] | None] = {}

    def take(self, root: Path) -> bool:
        """Whether the folder is ours, from now on or already."""
        if root in self._held:
            return True
        name = hashlib.blake2b(f"{self._store}\n{root}".encode("utf-8", "replace"), digest_size=16)
        try:
            private.make_folder(self._folder)
            file = (self._folder / f"{name.hexdigest()}.lock").open("ab")
        except OSError:  # no place for locks: to watch twice only costs time
            self._held[root] = None
            return True
        if _locked(file):
            self._held[root] = file
            return True
        file.close()
        return False

    def release(self, root: Path) -> None:
        """Let somebody else have it; without a claim, do nothing."""
        file = self._held.pop(root, None)
        if file:
            file.close()


def _locked(file: IO[bytes]) -> bool:
    """Whether the file is locked now, by us; True as well where files cannot be locked."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True


@dataclass(slots=True)
class _Watched(Generic[T]):
    """One folder: whether it can be indexed (`live`), whether it should be (`due`), and as what it
    was `seen` last: its root, device and number on it."""

    root: Path
    run: Callable[[Path], T]
    on_report: Callable[[T], None]
    on_trouble: Callable[[Path, str], None]
    live: bool = False
    due: bool = True
    seen: tuple[Path, int, int] | None = None
    trouble: str = ""

    def look(self, claims: Claims) -> None:
        """See whether the folder is there, and ours to watch."""
        reason = self._away() or ("" if claims.take(self.root) else TAKEN)
        self.live = not reason
        if reason:
            self.seen, self.due = None, True
            self._say(reason)

    def index(self) -> None:
        """One run, and what it found."""
        try:
            report = self.run(self.root)
        except (PinyonError, OSError) as problem:  # a busy store, a full disk: they pass
            self._say(str(problem))
            return
        self.due = False
        self._say("")
        self.on_report(report)

    def _say(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self.on_trouble(self.root, trouble)

    def _away(self) -> str:
        """Why there is nothing to index. An empty folder is away unless it is the very one that had
        something in it before: where a disk was, there is another folder now."""
        try:
            about = self.root.stat()
            empty = stat.S_ISDIR(about.st_mode) and next(_shown(self.root), None) is None
        except OSError as problem:
            return f"cannot be read: {problem.strerror}; what is known of it stays"
        # A file is another one after every save by an editor that writes it anew.
        number = about.st_ino if stat.S_ISDIR(about.st_mode) else 0
        found = (self.root, about.st_dev, number)
        if empty and found != self.seen:
            return EMPTY
        if found != self.seen:
            self.seen, self.due = found, True
        return ""


@dataclass(slots=True)
class _Ear:
    """Hears what happens in the folders that are live now. `stale` when it may not hear all of them
    any more: there are new ones below them, or one was put in the place of another."""

    live: "Sequence[_Watched[Any]]"
    pace: Pace
    stop: threading.Event
    stale: bool = False
    heard_of: list[tuple[Path, int, int] | None] = field(init=False)
    _notify: "RustNotify | None" = field(init=False)
    _silent_s: float = 0.0

    def __post_init__(self) -> None:
        self.heard_of = [each.seen for each in self.live]
        self._notify = self._opened()
        for each in self.live:
            each.due = True

    def _opened(self) -> "RustNotify | None":
        """None where the system refuses, as when too much is watched already: then there is a run
        at every look."""
        from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

        paths = [str(path) for each in self.live for path in _places(each.root)]
        if not paths:
            return None
        try:
            return RustNotify(paths, False, False, 0, _NATIVE, True)
        except (OSError, WatchfilesRustInternalError):
            return None

    def close(self) -> None:
        if self._notify:
            self._notify.close()

    def listen(self, wanted: Callable[[str], bool]) -> None:
        """Wait until something has happened, or until it is time to look; then the folders are due
        in which it did. Raises KeyboardInterrupt."""
        pace = self.pace
        if self._notify is None:
            self.stop.wait(pace.look)
            self._all_due()
            return
        heard = self._notify.watch(_ms(pace.most), _ms(pace.quiet), _ms(pace.look), self.stop)
        if heard == "signal":
            raise KeyboardInterrupt
        if not isinstance(heard, set):
            self._silent_s += pace.look
            if self._silent_s >= pace.again:
                self._all_due()
            return
        self._silent_s = 0.0
        for change, name in heard:
            self._hear(change, Path(name), wanted)

    def _all_due(self) -> None:
        self._silent_s = 0.0
        self.stale = self._notify is not None
        for each in self.live:
            each.due = True

    def _hear(self, change: int, path: Path, wanted: Callable[[str], bool]) -> None:
        owners = [each for each in self.live if path.is_relative_to(each.root)]
        owners = [each for each in owners if not _hidden(path.relative_to(each.root).parent)]
        if not owners or (not wanted(path.name) and not _matters(change, path.name)):
            return
        fresh = not _NATIVE and change == _ADDED and path.is_dir() and not path.is_symlink()
        for each in owners:
            each.due = True
            self.stale = self.stale or fresh or (change == _REMOVED and path == each.root)


_ADDED, _REMOVED = 1, 3
"""What watchfiles calls a change; 2 is another content, or other attributes."""


def _matters(change: int, name: str) -> bool:
    """Whether a file that is not read matters: that it is there, not what is in it. It may be a
    folder, too."""
    return change in {_ADDED, _REMOVED} and not name.startswith(".")


def _places(root: Path) -> Iterator[Path]:
    """What the system is asked to watch. For a file it is the folder that it is in: an editor puts
    another file in its place."""
    if not root.is_dir():
        yield root.parent
        return
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        yield folder
        if not _NATIVE:
            with suppress(OSError):  # it went, or is closed to us
                waiting += [Path(each) for each in _shown(folder) if _real_folder(each)]


def _shown(folder: Path) -> "Iterator[os.DirEntry[str]]":
    with os.scandir(folder) as entries:
        yield from (entry for entry in entries if not entry.name.startswith("."))


def _real_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
