"""Compare: what a folder has now against what was known of it, before any file is read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pinyon.store.questions import FileState


@dataclass(frozen=True, slots=True)
class Compared:
    """`suspects` must be read: new, or with another date or size. `vanished` are known files that
    are no longer there, by path."""

    unchanged: int
    suspects: tuple[FileState, ...]
    vanished: dict[str, FileState]


def compare(
    files: Sequence[FileState], known: Mapping[str, FileState], unseen: Sequence[str], version: int
) -> Compared:
    """A known file at or below an `unseen` path has not vanished: nobody could look. One that other
    readers than those of this `version` have read must be read again."""
    suspects = tuple(file for file in files if not _same(file, known.get(file.path), version))
    there = {file.path for file in files}
    closed = set(unseen)
    vanished = {
        path: state
        for path, state in sorted(known.items())
        if path not in there and closed.isdisjoint(_at_and_above(path))
    }
    return Compared(len(files) - len(suspects), suspects, vanished)


def by_digest(vanished: Mapping[str, FileState]) -> dict[str, list[str]]:
    """The paths with each content, the first one last: a file that appears with the same content
    pops the one that it was. One that was committed in part has no digest, and is in no list."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(vanished, reverse=True):
        if vanished[path].digest:
            paths[vanished[path].digest].append(path)
    return paths


def _same(file: FileState, known: FileState | None, version: int) -> bool:
    return (
        known is not None
        and known.modified_ns == file.modified_ns
        and known.size == file.size
        and known.reader == version
    )


def _at_and_above(path: str) -> Iterable[str]:
    parts = path.split("/")
    return ("/".join(parts[:count]) for count in range(len(parts) + 1))
