"""Pipeline of indexing: walk a folder, compare it with what is known, parse what changed, commit.

A file is read when its date or size differs from what is known, and parsed when its content does.
One that appears with the content of one that vanished was renamed, and its records move along with
their links. Running it twice changes nothing.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pinyon.index.commit import Change, Commits, removed, written
from pinyon.index.compare import by_digest, compare
from pinyon.index.parse import VERSION, most_bytes, parse, reader
from pinyon.index.parse.origin import Origin
from pinyon.index.source.folder import Skipped, Walked, walk
from pinyon.index.source.ignore import IGNORE_FILES
from pinyon.index.source.read import binary, decode, digest, read
from pinyon.index.source.root import folder_name, resolved
from pinyon.model.errors import InvalidInput, PinyonError
from pinyon.store.contract import Batch, Store
from pinyon.store.questions import Files, FileState, Folders

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` files are finished, and the one at `path` is next; at the end it is ""."""

    done: int
    total: int
    path: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did: numbers of files, and of the `records` that were written. A warning is one
    line and begins with the path of a file that is indexed, but was not understood in all."""

    folder: str
    added: int
    changed: int
    renamed: int
    removed: int
    unchanged: int
    records: int
    skipped: tuple[Skipped, ...]
    warnings: tuple[str, ...]


def ignore(progress: Progress) -> None:
    """Nobody watches."""


def index_folder(
    store: Store, root: Path, *, now: datetime, progress: Callable[[Progress], None] = ignore
) -> Report:
    """Bring the records of a folder, or of a single file, up to date with what is on the disk.

    A file that is broken (cannot be opened, is not UTF-8) is reported in `skipped`, and what was
    known of it stays; one that Pinyon does not read (binary, too large, a secret) leaves the store.
    An exception from `progress` stops the run: what was committed until then is whole, and the next
    run goes on from there. No history is kept: the file is the source. Raises InvalidInput when
    there is nothing at `root`.
    """
    root = resolved(root)
    walked = walk(root, most_bytes)
    if "" in walked.unseen:
        raise InvalidInput(f"{walked.skipped[0].reason}: {root}", remedy="check its permissions")
    folder, known = _known(store, root, now)
    compared = compare(walked.files, known, walked.unseen, VERSION)
    run = _Run(walked, folder, known, compared.vanished, Commits(store, folder, now))
    total = len(walked.files)
    for done, file in enumerate(compared.suspects, start=compared.unchanged):
        progress(Progress(done, total, file.path))
        run.visit(file)
    run.finish()
    progress(Progress(total, total, ""))
    return run.report(compared.unchanged)


def noticed(name: str) -> bool:
    """Whether it matters what is in a file of this name."""
    return reader(name) is not None or name in IGNORE_FILES


def _known(store: Store, root: Path, now: datetime) -> tuple[str, dict[str, FileState]]:
    """The name of the folder and its files as they were; a folder that is new is made known."""
    with store.snapshot() as view:
        folders = view.survey(Folders())
        folder = folder_name(root, folders)
        if folder in folders:
            return folder, view.survey(Files(folder))
    store.commit(Batch(now=now, keep_history=False, folders={folder: str(root)}))
    return folder, {}


class _Run:
    """One run over the files that may have changed."""

    def __init__(
        self,
        walked: Walked,
        folder: str,
        known: dict[str, FileState],
        vanished: dict[str, FileState],
        commits: Commits,
    ) -> None:
        self._base = walked.base
        self._folder = folder
        self._known = known
        self._vanished = vanished
        self._renamable = by_digest(vanished)
        self._commits = commits
        self._counts: Counter[str] = Counter()
        self._skipped = list(walked.skipped)
        self._warnings: list[str] = []

    def visit(self, file: FileState) -> None:
        """Read one file and hand over what became of it."""
        before = self._known.get(file.path)
        file = replace(file, reader=VERSION)
        chosen = reader(file.path)
        if chosen is None:  # known by its path alone
            self._parse(file, "", before)
            return
        content = read(self._base, file.path, chosen.most_bytes)
        if isinstance(content, Skipped):
            self._skipped.append(content)
            return
        if not chosen.binary and binary(content):
            self._skipped.append(Skipped(file.path, "not text"))
            if before:
                self._vanished[file.path] = before
            return
        file = replace(file, digest=digest(content))
        if before and before.digest == file.digest and before.reader == VERSION:
            self._counts["unchanged"] += 1
            self._commits.add(Change(state=replace(file, ids=before.ids, edges=before.edges)))
            return
        text = content if chosen.binary else decode(content)
        if text is None:
            self._skipped.append(Skipped(file.path, "not UTF-8 text"))
            return
        self._parse(file, text, before)

    def _parse(self, file: FileState, content: str | bytes, before: FileState | None) -> None:
        modified_at = _EPOCH + timedelta(microseconds=file.modified_ns // 1000)
        try:
            parsed = parse(content, Origin(self._folder, file.path, modified_at))
        except PinyonError as problem:
            self._skipped.append(Skipped(file.path, str(problem)))
            return
        except Exception as problem:
            # One file that a foreign parser stumbles over must not stop ten thousand.
            self._skipped.append(Skipped(file.path, f"cannot be parsed: {problem!r}"))
            return
        if parsed.warning:
            self._warnings.append(f"{file.path}: {parsed.warning}")
        outcome = "changed" if before else "added"
        if before is None and self._renamable.get(file.digest):
            outcome = "renamed"
            before = self._vanished.pop(self._renamable[file.digest].pop())
        self._counts[outcome] += 1
        self._commits.add(written(self._folder, parsed.records, parsed.edges, file, before))

    def finish(self) -> None:
        """Remove what has vanished, now that everything that was renamed has been found."""
        for before in self._vanished.values():
            self._counts["removed"] += 1
            self._commits.add(removed(before))
        self._commits.flush()

    def report(self, unread: int) -> Report:
        counts = self._counts
        return Report(
            folder=self._folder,
            added=counts["added"],
            changed=counts["changed"],
            renamed=counts["renamed"],
            removed=counts["removed"],
            unchanged=unread + counts["unchanged"],
            records=self._commits.written,
            skipped=tuple(sorted(self._skipped, key=lambda each: each.path)),
            warnings=tuple(self._warnings),
        )
