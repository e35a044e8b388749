"""Query: what is asked of a store, as plain data.

An expression is a tree over phrases; filters narrow every request before its limit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

FIELDS = ("id", "title", "aliases", "body", "context", "tags", "path")
"""The parts of a record that full text knows, in the order of the index's columns."""


class Filters(NamedTuple):
    """Several values of one filter mean any of them, except `tags`: all of them. A scope means it
    and everything below. `since` and `until` bound created_at: the first is included, the second
    is not. Nothing of a kind in `without` passes. With `at`, only what is valid at that moment
    does: from `valid_from` on, and before `valid_until`."""

    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    without: tuple[str, ...] = ()
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand side by side in one field. `text` is what the index's tokenizer is given,
    `stems` what it makes of it; with `prefix` the last stem is only the beginning of a word. Its
    information counts times `weight`. What stands `instead` of other stems of the question counts
    only so far as it says more than those of them that a record holds: twice said is said once."""

    text: str
    stems: tuple[str, ...]
    prefix: bool = False
    field: str = ""
    weight: float = 1.0
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Near:
    """All phrases in one field, with at most `distance` words between the first and the last."""

    phrases: tuple[Phrase, ...]
    distance: int = 10


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part matches."""

    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part matches."""

    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Without:
    """`keep` matches and `drop` does not."""

    keep: "Expression"
    drop: "Expression"


Expression = Phrase | Near | AnyOf | AllOf | Without


def phrases(expression: Expression) -> Iterator[Phrase]:
    """The phrases that a match may hold: all but those that it must not."""
    match expression:
        case Phrase():
            yield expression
        case Near(inner):
            yield from inner
        case AnyOf(parts) | AllOf(parts):
            for part in parts:
                yield from phrases(part)
        case Without(keep):
            yield from phrases(keep)


class Intent(NamedTuple):
    """A wish that a question may have, how much speaks for it, and how sure that is, in [0, 1]."""

    name: str
    score: float
    confidence: float


class Change(NamedTuple):
    """What was read differently: `written` as `read`. Why: "spelling", "acronym"."""

    written: str
    read: str
    why: str


class Query(NamedTuple):
    """A question as it was understood. `asked` is the expression as written, where it uses
    operators; `plain` are its words, any of them; `pieces` are the words as typed, for a search
    letter by letter. `period` is the time that it speaks of, the end not included. `route` is how
    it is best asked, `intents` are the likeliest wishes behind it, the first one heard, `changes`
    what was read differently. `cut` says that it was too long to be read to its end."""

    text: str
    asked: Expression | None
    plain: AnyOf | None
    pieces: tuple[str, ...]
    cut: bool = False
    period: tuple[datetime, datetime] | None = None
    route: str = ""
    intents: tuple[Intent, ...] = ()
    changes: tuple[Change, ...] = ()


class Counted(NamedTuple):
    """What BM25 knows of a collection: its number of documents, of stems in each field, and in how
    many documents each stem stands, or with True any that begins with it."""

    documents: int
    tokens: Mapping[str, int]
    df: Mapping[tuple[str, bool], int]


class Lexical(NamedTuple):
    """Full text by BM25. `fields` are the ones searched, each with its weight. With `half` the `b`
    follows from how long the texts of the store are: see text/bm25.

    With `among`, here and below, these ids are scored and no others: each that passes the filters,
    whether it matches or not, without a limit. So one channel can judge what another found.
    `counted` are the numbers to score with, where they are not those of the store itself."""

    expression: Expression
    fields: Mapping[str, float]
    k1: float = 1.2
    b: float = 0.75
    filters: Filters = Filters()
    limit: int = 30
    among: tuple[str, ...] | None = None
    half: float = 0.0
    counted: Counted | None = None


class Nearest(NamedTuple):
    """Meaning: the cosine of `vector` with the best passage of each record that `model` embedded.
    `vector` is float32 of length 1 (L2), as bytes. Nothing below `least`.

    The best of many is high by chance: `long`, by kind, is what each doubling of the passages of a
    record takes off its score. The `share` of a match is the cosine itself, but never below 0."""

    vector: bytes
    model: str
    least: float = -1.0
    filters: Filters = Filters()
    limit: int = 30
    among: tuple[str, ...] | None = None
    long: Mapping[str, float] = MappingProxyType({})


class Substring(NamedTuple):
    """Records that hold every one of `words`, letter by letter, anywhere in `fields`."""

    words: tuple[str, ...]
    fields: Mapping[str, float]
    filters: Filters = Filters()
    limit: int = 30


class Recent(NamedTuple):
    """What was changed last, newest first."""

    filters: Filters = Filters()
    limit: int = 30


class Important(NamedTuple):
    """What has an importance of at least `least`: the most important first, of equally important
    ones what was changed last."""

    filters: Filters = Filters()
    limit: int = 30
    least: int = 4


class Open(NamedTuple):
    """What has to be done: every task whose status is none of `done`. What is due first comes
    first, then what has no date, of that what was changed last."""

    filters: Filters = Filters()
    limit: int = 30
    done: tuple[str, ...] = ("done", "closed", "cancelled")


Request = Lexical | Nearest | Substring | Recent | Important | Open

TASK = "task"
"""The kind of what has to be done."""

UNDATED = -1e12
"""What the score of a task without a date begins at: that of others is minus the second that they
are due."""

STEP = 1e12
"""What one step of importance counts: more than the seconds of any date."""


class Match(NamedTuple):
    """`score` compares within its list only. `share` [0, 1] is how much of the query's information
    the record holds. `span` is the stretch of the body that matched best, where it is known; `via`
    the way that led to it, where edges did. `title` is the share of that information in the title
    or the aliases; `phrase` the share of the pairs of neighbouring words of the question that stand
    side by side in one field, 0 where it has a single word."""

    id: str
    score: float
    share: float
    span: tuple[int, int] | None = None
    via: str = ""
    title: float = 0.0
    phrase: float = 0.0


class RankedList(NamedTuple):
    """One channel's answer, best first, ties by id."""

    channel: str
    matches: tuple[Match, ...]


NAMES = "names"
"""The relation of a record to a placeholder (an id that begins with @) that stands for it."""


class Step(NamedTuple):
    """One hop: from `start` to `end`, along an edge or, where `incoming`, against one."""

    start: str
    end: str
    relation: str
    incoming: bool
    strength: float


class Neighbours(NamedTuple):
    """The hops from each of `ids` to other records.

    A placeholder is no end: a hop goes through it to the records that it stands for, with the
    product of both strengths; of several equal ways the strongest counts. So `names` is no relation
    here. With `relations` only these count. Those in `one_way` are not followed backwards and,
    unless `popular` is 0, not to a record or placeholder that more than so many edges of the same
    relation lead to. With `before`, edges that were made later do not count; one without a date
    was always there."""

    ids: tuple[str, ...]
    relations: tuple[str, ...] = ()
    one_way: tuple[str, ...] = ()
    popular: int = 0
    before: datetime | None = None
