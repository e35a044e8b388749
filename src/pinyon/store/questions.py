"""Questions: what a store can be asked of itself, and the shapes of its answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

from pinyon.model.query import Counted, Expression
from pinyon.model.record import Edge, Version
from pinyon.model.use import Asked

Identity = tuple[str, str, str]
"""Of an edge: from, relation, to."""

T_co = TypeVar("T_co", covariant=True)


class Question(Generic[T_co]):
    """Something that a store knows of itself; the parameter is the type of the answer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Vocabulary(Question[dict[str, int]]):
    """In how many records each of `stems` stands, in any field. Unknown stems count 0."""

    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms(Question[dict[str, dict[str, int]]]):
    """The stems of each of `ids`, in the order in which they first stand there, with their number
    over all of `fields` together. Unknown and forgotten ids are left out."""

    ids: tuple[str, ...]
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Values(Question[dict[str, int]]):
    """Each value of `field` (tags, domain, kind, author, scope) with the number of records that
    have it, most first; the empty value is left out."""

    field: str


@dataclass(frozen=True, slots=True)
class Named(Question[list[str]]):
    """The values of `field` (tags, domain, author) that a question names, ordered: those whose
    stems, of which there is at least one, all stand among `stems`. With "entity" the ids of the
    entities that have such a title or alias."""

    field: str
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Beginning(Question[dict[str, int]]):
    """The stems of the index that begin with `prefix`, each with about how many records hold it:
    the number may be some commits old, and so may the list. The shortest come first, those of one
    length by letters. The answer is the store's own, not to be changed."""

    prefix: str


@dataclass(frozen=True, slots=True)
class Written(Question[dict[str, tuple[str, ...]]]):
    """Each of `stems` as some records write it: its words, in small letters without accents, by
    letters. Only the first records that hold it are looked through, so a rare form may be missing;
    a stem that none of them writes as a word is left out."""

    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountedFor(Question[Counted]):
    """What BM25 needs to know of this store to score the expression."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class Log(Question[list[Asked]]):
    """The questions that were asked since then, the newest first."""

    since: datetime | None = None
    limit: int = 10_000


VERDICTS = ("accepted", "modified", "dismissed")


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody thought of a hit. `signals` are the numbers that it had when it was judged,
    `passed` those of the hits that were shown as well and passed over; empty where the question is
    not known, or did not find it. Profile, question and record are its identity."""

    at: datetime
    id: str
    verdict: str
    query: str = ""
    profile: str = "default"
    signals: Mapping[str, float] = field(default_factory=dict)
    passed: tuple[Mapping[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Feedbacks(Question[list[Feedback]]):
    """All feedback to answers of a profile, ordered by time, question and record."""

    profile: str


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
class Joined(Question[list[Edge]]):
    """All edges of one relation, ordered by from and to. Edges of forgotten records are left out.
    Reads all edges."""

    relation: str


class Titled(NamedTuple):
    """What a record is called: its `title`, where it has none the begin of its body."""

    id: str
    kind: str
    scope: str
    title: str
    aliases: tuple[str, ...]


BEGIN = 200
"""Characters of a body that stand for a title."""


@dataclass(frozen=True, slots=True)
class Titles(Question[list[Titled]]):
    """What all records of `kinds` in `scope` (and below) are called, ordered by id."""

    kinds: tuple[str, ...]
    scope: str = ""


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
