"""Contract: what every store promises. One view to read through, one commit to write through.

What holds for all of them:

- A view shows one moment. Commits made after it was opened do not show in it, even half.
- A commit happens wholly or not at all. When it has returned, it survives the end of the process.
- What is committed is found by the next view: by word, by filter, by id.
- A forgotten record leaves every answer at once, but stays in `fetch(..., forgotten=True)` and in
  its history until it is purged. A purged one is gone.
- The revision grows with every commit that changes content, and only then. A vector is content:
  it changes what is found. Settings, feedback and use are no content: a view shows them, but no
  revision hangs on them.
- Each passage of a record that can be found either has a vector of the active model, or waits for
  one: it is handed out by `lease` until the vector is committed. The same holds for a model that
  fills. A passage that did not change keeps its vectors.
- Lists are ordered by score, best first, ties by id: the same data gives the same answer.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pinyon.model.facts import Facts
from pinyon.model.query import (
    Filters,
    Neighbours,
    RankedList,
    Request,
    Step,
)
from pinyon.model.record import Edge, Record, Version
from pinyon.model.use import Noted, Use
from pinyon.store.questions import Feedback, FileState, Model, Question

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Task:
    """A passage that was leased: `text` is to be embedded, `digest` stands for it."""

    passage: int
    digest: bytes
    record: str
    text: str


@dataclass(frozen=True, slots=True)
class Vector:
    """What became of a task: float32 of length 1 (L2), as bytes."""

    passage: int
    digest: bytes
    vector: bytes


@dataclass(frozen=True, slots=True)
class Failure:
    """A task that failed, and the time before which it is not handed out again. Without a reason it
    was not tried: it is only given back."""

    passage: int
    digest: bytes
    reason: str
    retry_at: datetime


MOST_ATTEMPTS = 5
"""A passage that failed so often is given up, until a commit with `retry`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that `examine` found wrong, and what to do about it."""

    problem: str
    remedy: str


PURGE, BEGUN = "purge", "begun"
"""The setting of a store with a purge that no scrub has finished, and its value at first."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One commit. Its parts are applied in the order in which they stand here.

    - `moves` renames records: old id to new id, with history and edges. A move whose new id is
      taken by a record that is not forgotten raises DuplicateRecord.
    - `records` are written whole, new or over what had their id; one that equals what is stored
      changes nothing. `created_at` and `updated_at` must be set. A record whose id was forgotten
      comes back. `version` and `deleted_at` of the given record are ignored, unless `verbatim`.
    - `expect` gives the version that a record must be at (0: there must be none; a forgotten one
      counts as none), else StaleRecord, or DuplicateRecord where 0 was expected.
    - With `keep_history` what is overwritten becomes a version, else it is gone.
    - `versions` are added as they are (an import).
    - `forget` and `purge` take ids; an unknown id raises UnknownRecord. Words of what was purged
      may be left in the file until `Store.scrub`; the setting PURGE says that one must follow.
    - `rename_tags`: old name to new name, on every record that has it, each with a new version and
      `now` as its `updated_at`.
    - `edges` are written over those with the same identity; both ends must exist (forgotten ones
      only count where `verbatim`) or begin with @, else UnknownRecord. `unlink` removes the edges
      with the identity of the given ones.
    - `folders`: name to path, or None to remove the folder and what is known of its files.
    - `files`: folder name to the files read; `gone_files`: folder name to paths to drop from it.
    - `settings`: key to value, or None to remove it.
    - `feedback` is written over that with the same identity; an id that no record has raises
      UnknownRecord. It goes with its record when that is purged, and moves with it.
    - `use` is the model to search with. When none is active it is at once, else it fills beside
      the active one until no passage waits for it. One that filled before is idle then. `choice`
      is written over what is known; another `dims` than the known ones raises InvalidInput.
    - `drop` takes names of models away, with their vectors; unknown names are ignored.
    - `vectors` and `failures`: model name to what became of its tasks. One whose passage is no
      longer there, or has another digest, is ignored. A vector of the wrong size raises
      InvalidInput.
    - `retry`: names of models whose failed passages, given up or not, are handed out again.
    - `now` is the time of the commit: of versions, deletions and renamed tags.
    """

    now: datetime
    moves: Mapping[str, str] = field(default_factory=dict)
    records: Sequence[Record] = ()
    expect: Mapping[str, int] = field(default_factory=dict)
    verbatim: bool = False
    keep_history: bool = True
    versions: Sequence[Version] = ()
    forget: Sequence[str] = ()
    purge: Sequence[str] = ()
    rename_tags: Mapping[str, str] = field(default_factory=dict)
    edges: Sequence[Edge] = ()
    unlink: Sequence[Edge] = ()
    folders: Mapping[str, str | None] = field(default_factory=dict)
    files: Mapping[str, Sequence[FileState]] = field(default_factory=dict)
    gone_files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    settings: Mapping[str, str | None] = field(default_factory=dict)
    feedback: Sequence[Feedback] = ()
    use: Model | None = None
    drop: Sequence[str] = ()
    vectors: Mapping[str, Sequence[Vector]] = field(default_factory=dict)
    failures: Mapping[str, Sequence[Failure]] = field(default_factory=dict)
    retry: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a commit did. `written` and `removed` are ids; `unchanged` counts the records that were
    given but already stood there as they are."""

    revision: int
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0


class View(Protocol):
    """One consistent moment of a store."""

    @property
    def revision(self) -> int:
        """The content revision of this moment."""

    def retrieve(self, requests: Sequence[Request]) -> list[RankedList]:
        """One list per request, in their order. Filters apply before the limit. The scores of
        Lexical are BM25 with the request's k1, b and weights, summed over the stems asked for:

            ln((N - df + .5) / (df + .5) + 1) x tf (k1 + 1) / (tf + k1 (1 - b + b len / avg))

            tf  = sum over the searched fields of weight x count in that field
            len = number of stems in the searched fields, avg = its mean over all N records
            df  = number of records with the stem in any field

        With `half`, b is avg² / (avg² + half²). With `counted`, N, avg and df are those. A phrase
        counts as its stems. On a large store the list may miss a record that holds only the common
        words of a question. The score of Nearest is the cosine, exactly, less what the request
        takes off long records; on a large store the list may miss a record at its end. A vector of
        another size than the model's raises InvalidInput; a model that the store does not know
        finds nothing.
        """

    @property
    def tiers(self) -> tuple[str, ...]:
        """The names of the stores that are asked together, the highest first; none where there is
        only one."""

    def settings(self) -> Mapping[str, str]:
        """All settings that are kept in the file, ordered by key."""

    @property
    def scratch(self) -> dict[str, Any]:
        """Room for what was found out and holds as long as the revision stays; it may be lost
        before. Other views of the same moment share it, those of other threads too."""

    def uses(self, ids: Sequence[str]) -> dict[str, Use]:
        """How each record was used; those that never were are left out."""

    def facts(
        self, ids: Sequence[str], *, stems: Sequence[str] = (), fields: Sequence[str] = ()
    ) -> dict[str, Facts]:
        """What ranking needs of each record, its tags ordered by name. `stems` are counted over all
        of `fields` together. Unknown and forgotten ids are left out."""

    def fetch(self, ids: Sequence[str], *, forgotten: bool = False) -> dict[str, Record]:
        """The records by id. Unknown ids are left out, forgotten ones too unless asked for."""

    def neighbours(self, asked: Neighbours) -> list[Step]:
        """The hops from some records to others, each once, ordered as their fields are. Nothing
        leads to or from forgotten records; a placeholder is no end."""

    def passing(self, ids: Sequence[str], filters: Filters) -> set[str]:
        """Those of `ids` that can be found and that pass the filters."""

    def survey(self, question: Question[T]) -> T:
        """What the store knows of itself."""

    def records(self, *, forgotten: bool = False) -> Iterator[Record]:
        """All records, ordered by id, one at a time."""

    def all_edges(self) -> Iterator[Edge]:
        """All edges, ordered by from, relation, to."""

    def all_versions(self) -> Iterator[Version]:
        """All versions, ordered by record id and number."""


class Store(Protocol):
    """Any number of threads may use one store."""

    def snapshot(self) -> AbstractContextManager[View]:
        """A view that lasts until the context ends."""

    def commit(self, batch: Batch) -> Receipt:
        """Apply the whole batch or, when it raises, nothing of it."""

    def lease(
        self, model: str, owner: str, *, now: datetime, until: datetime, limit: int
    ) -> list[Task]:
        """Hand out at most `limit` passages that wait for the model, the newest first: none that
        somebody holds until after `now`, none that was given up. `owner` holds them until `until`.
        An unknown or idle model has none. The revision stays.
        """

    def note(self, noted: Noted) -> bool:
        """Keep what searches left behind, if it can be done at once; False where the file is busy
        or cannot be written. The revision stays, and nothing is promised beyond the end of the
        process. Ids that no record has are ignored."""

    def examine(self) -> list[Finding]:
        """Check everything that can be checked; reads the whole store."""

    def rebuild(self) -> None:
        """Make everything that is derived from the records anew."""

    def scrub(self, own: Collection[str] = ()) -> None:
        """Make sure that nothing of what was purged is left in free space, in an index, in a copy
        that the store made by itself, nor in what is known of files. Questions and feedback go that
        hold one of its `own` stems, unless a record has it still. Costs as much as writing the
        whole store anew. Raises BusyStore where somebody still reads an older moment: then the next
        who writes finishes it."""

    def backup(
        self, target: Path, *, replace: bool = False, progress: Callable[[int, int], None] = ...
    ) -> None:
        """A copy of this moment at `target`: whole, or not there. Others may write meanwhile.
        Raises InvalidInput where a file is there already, unless `replace`, and for a store that
        has no file."""

    def close(self) -> None:
        """Release the store. A second close does nothing."""
