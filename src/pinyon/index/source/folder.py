"""Walk: the files of a folder that Pinyon may read, in a fixed order, and why others are left out.

Symbolic links are never followed. Hidden files and folders, and what `.gitignore` and
`.pinyonignore` name, are not there at all; a file that Pinyon could read, but must not, is
reported.
"""

import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pinyon.index.source.ignore import NO_RULES, Rules, rules_of
from pinyon.index.source.secrets import secret
from pinyon.store.questions import FileState

STORES = (".pinyon", ".pinyon-wal", ".pinyon-shm", ".pinyon-journal")
"""Stores, and what SQLite keeps beside them: one that is inside of the folder is none of its files.
"""

MADE = frozenset({"__pycache__", "node_modules"})
"""Folders that tools make: whoever has them below a folder never wants them found."""

MOST_PATH = 300
"""The most characters of a path: an id needs room for the folder before it, a heading behind it."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that was left out, by its path below the root, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Walked:
    """`files` are sorted by path below `base`; their digest is still empty. `unseen` are paths that
    could not be looked at: nobody knows whether they, or what is below them, are gone."""

    base: Path
    files: tuple[FileState, ...]
    skipped: tuple[Skipped, ...]
    unseen: tuple[str, ...]


def walk(root: Path, most_bytes: Callable[[str], int]) -> Walked:
    """Every file below `root`, or `root` itself where it is a file. `most_bytes` says how large one
    of a name may be."""
    if not root.is_dir():
        seen = _look(root.name, root.name, root.lstat(), most_bytes)
        outcome = seen or Skipped(shown(root.name), "not a file")
        return _walked(root.parent, [outcome], [])
    found: list[FileState | Skipped] = []
    unseen: list[str] = []
    waiting: list[tuple[str, Rules]] = [("", NO_RULES)]
    while waiting:
        folder, rules = waiting.pop()
        try:
            with os.scandir(root / folder) as listing:
                entries = list(listing)
        except OSError as problem:
            found.append(Skipped(shown(folder), f"cannot be listed: {problem.strerror}"))
            unseen.append(folder)
            continue
        rules = rules_of(folder, root, {entry.name for entry in entries}, rules)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name.startswith(".") or entry.name in MADE:
                continue
            try:
                about = entry.stat(follow_symlinks=False)
            except OSError as problem:
                found.append(Skipped(shown(path), f"cannot be read: {problem.strerror}"))
                unseen.append(path)
                continue
            if _is_folder(about):
                if not rules.ignore(path, folder=True):
                    waiting.append((path, rules))
            elif not rules.ignore(path, folder=False):
                seen = _look(path, entry.name, about, most_bytes)
                if seen:
                    found.append(seen)
    return _walked(root, found, unseen)


def shown(path: str) -> str:
    """The path as text that can be printed, whatever bytes its name has."""
    return _CONTROL.sub("?", path.encode("utf-8", "replace").decode())


def _is_folder(about: os.stat_result) -> bool:
    # A junction of Windows is a folder that leads elsewhere: as little followed as a link.
    junction = getattr(about, "st_reparse_tag", 0) == getattr(
        stat, "IO_REPARSE_TAG_MOUNT_POINT", -1
    )
    return stat.S_ISDIR(about.st_mode) and not junction


def _look(
    path: str, name: str, about: os.stat_result, most_bytes: Callable[[str], int]
) -> FileState | Skipped | None:
    """What is to be done with a file; None when it is none."""
    if not stat.S_ISREG(about.st_mode) or name.lower().endswith(STORES):
        return None
    reason = _reason_against(path, name, about.st_size, most_bytes(name))
    if reason:
        return Skipped(shown(path), reason)
    # SQLite's integers have 64 bits; a damaged clock can give more.
    modified_ns = max(-(2**63), min(about.st_mtime_ns, 2**63 - 1))
    return FileState(path=path, modified_ns=modified_ns, size=about.st_size, digest="")


def _reason_against(path: str, name: str, size: int, most_bytes: int) -> str:
    if secret(name):
        return "may hold secrets"
    if size > most_bytes:
        return f"larger than {most_bytes:,} bytes"
    if len(path) > MOST_PATH:
        return f"its path is longer than {MOST_PATH} characters"
    if path != shown(path):
        return "its path is not plain text"
    return ""


def _walked(base: Path, found: list[FileState | Skipped], unseen: list[str]) -> Walked:
    found.sort(key=lambda each: each.path)
    return Walked(
        base=base,
        files=tuple(each for each in found if isinstance(each, FileState)),
        skipped=tuple(each for each in found if isinstance(each, Skipped)),
        unseen=tuple(sorted(unseen)),
    )
