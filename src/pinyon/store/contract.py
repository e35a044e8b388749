"""Contract: what every store promises. One view to read through, one commit to write through.

What holds for all of them:

- A view shows one moment. Commits made after it was opened do not show in it, even half.
- A commit happens wholly or not at all. When it has returned, it survives the end of the process.
- What is committed is found by the next view: by word, by filter, by id.
- A forgotten record leaves every answer at once, but stays in `fetch(..., forgotten=True)` and in
  its history until it is purged. A purged one is gone.
- The revision grows with every commit that changes content, and only then. A vector is content:
  it changes what is found.
- Each passage of a record that can be found either has a vector of the active model, or waits for
  one: it is handed out by `lease` until the vector is committed. The same holds for a model that
  fills. A passage that did not change keeps its vectors.
- Lists are ordered by score, best first, ties by id: the same data gives the same answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from pinyon.model.facts import Facts
from pinyon.model.query import Filters, Neighbours, RankedList, Request, Step
from pinyon.model.record import Edge, Record, Version

Identity = tuple[str, str, str]
"""Of an edge: from, relation, to."""

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Question(Generic[T_co]):
    """Something that a store knows of itself; the parameter is the type of the answer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Vocabulary(Question[dict[str, int]]):
    """In how many records each of `stems` stands, in any field. Unknown stems count 0."""

    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Values(Question[dict[str, int]]):
    """Each value of `field` (tags, domain, kind, author, scope) with the number of records that
    have it, most first; the empty value is left out."""

    field: str


@dataclass(frozen=True, slots=True)
class History(Question[list[Version]]):
    """What the record `id` was before, oldest first; empty for one that never changed."""

    id: str


@dataclass(frozen=True, slots=True)
class Edges(Question[list[Edge]]):
    """The edges that begin or end at one of `ids`, ordered by from, relation, to. Edges to
    forgotten records are left out."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings(Question[dict[str, str]]):
    """All settings that are kept in the file."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was when it was last read. `path` is relative to its folder, with slashes; `ids`
    and `edges` are the records and the identities of the edges that came from it; `reader` is the
    version of the readers that read it."""

    path: str
    modified_ns: int
    size: int
    digest: str
    ids: tuple[str, ...] = ()
    edges: tuple[Identity, ...] = ()
    reader: int = 0


@dataclass(frozen=True, slots=True)
class Files(Question[dict[str, FileState]]):
    """The files of an indexed folder by path, as they were when they were last read."""

    folder: str


@dataclass(frozen=True, slots=True)
class Folders(Question[dict[str, str]]):
    """The indexed folders: name to absolute path."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a store holds. `kinds` counts the records that can be found, `passages` what they
    are embedded by; `tokens` and `documents` are those of full text."""

    revision: int
    kinds: Mapping[str, int]
    forgotten: int
    edges: int
    versions: int
    documents: int
    tokens: Mapping[str, int]
    passages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Size(Question[Counts]):
    """How much the store holds."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model whose vectors a store holds. `name` is its identity, `choice` what to open it by,
    `dims` the length of its vectors; one without dimensions stands for no model at all. `state`:

    - active   search asks it, and what is written is embedded by it; at most one
    - filling  becomes active as soon as no passage waits for it; at most one
    - idle     only kept
    """

    name: str
    choice: str
    dims: int
    state: str = "idle"
    vectors: int = 0


@dataclass(frozen=True, slots=True)
class Models(Question[list[Model]]):
    """The models that a store knows, the active one first, then the filling one, then by name."""


STATES = ("none", "pending", "partial", "done", "failed")
"""Of a record, by its passages: it has none, none is embedded, some are, all are; one was given up.
"""


@dataclass(frozen=True, slots=True)
class Progress(Question[dict[str, dict[str, int]]]):
    """Kind to state to number of records, for the active or filling model `model`; only those that
    there are."""

    model: str


@dataclass(frozen=True, slots=True)
class Waiting(Question[dict[str, int]]):
    """How many passages wait for the model `model`, by the reason why the last attempt failed ("":
    none was made)."""

    model: str


@dataclass(frozen=True, slots=True)
class GivenUp(Question[dict[str, int]]):
    """How many passages do not wait for the model `model` any more, by the reason why the last of
    too many attempts failed."""

    model: str


@dataclass(frozen=True, slots=True)
class VectorsOf(Question[dict[str, list[bytes]]]):
    """The vectors of each of `ids` by `model`, in the order of its passages; records without any
    are left out."""

    ids: tuple[str, ...]
    model: str


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
    - `forget` and `purge` take ids; an unknown id raises UnknownRecord.
    - `rename_tags`: old name to new name, on every record that has it, each with a new version and
      `now` as its `updated_at`.
    - `edges` are written over those with the same identity; both ends must exist (forgotten ones
      only count where `verbatim`) or begin with @, else UnknownRecord. `unlink` removes the edges
      with the identity of the given ones.
    - `folders`: name to path, or None to remove the folder and what is known of its files.
    - `files`: folder name to the files read; `gone_files`: folder name to paths to drop from it.
    - `settings`: key to value, or None to remove it.
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

        A phrase counts as its stems. On a large store the list may miss a record that holds only
        the common words of a question. The score of Nearest is the cosine, exactly; on a large
        store the list may miss a record at its end. A vector of another size than the model's
        raises InvalidInput; a model that the store does not know finds nothing.
        """

    def facts(self, ids: Sequence[str]) -> dict[str, Facts]:
        """What ranking needs of each record. Unknown and forgotten ids are left out."""

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

    def examine(self) -> list[Finding]:
        """Check everything that can be checked; reads the whole store."""

    def rebuild(self) -> None:
        """Make everything that is derived from the records anew."""

    def scrub(self) -> None:
        """Make sure that nothing of what was purged is left in free space or in an index. Costs as
        much as writing the whole store anew."""

    def close(self) -> None:
        """Release the store. A second close does nothing."""
