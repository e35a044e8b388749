"""Query: what is asked of a store, as plain data.

An expression is a tree over phrases; filters narrow every request before its limit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

FIELDS = ("id", "title", "aliases", "body", "context", "tags", "path")
"""The parts of a record that full text knows, in the order of the index's columns."""


class Filters(NamedTuple):
    """Several values of one filter mean any of them, except `tags`: all of them. `scope` means it
    and everything below. `since` and `until` bound created_at: the first is included, the second
    is not."""

    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    scope: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand side by side in one field. `text` is what the index's tokenizer is given,
    `stems` what it makes of it; with `prefix` the last stem is only the beginning of a word."""

    text: str
    stems: tuple[str, ...]
    prefix: bool = False
    field: str = ""


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


class Query(NamedTuple):
    """A question as it was understood. `asked` is the expression as written, where it uses
    operators; `plain` are its words, any of them; `pieces` are the words as typed, for a search
    letter by letter. `cut` says that it was too long to be read to its end."""

    text: str
    asked: Expression | None
    plain: AnyOf | None
    pieces: tuple[str, ...]
    cut: bool = False


class Lexical(NamedTuple):
    """Full text by BM25. `fields` are the ones searched, each with its weight.

    With `among`, here and below, these ids are scored and no others: each that passes the filters,
    whether it matches or not, without a limit. So one channel can judge what another found."""

    expression: Expression
    fields: Mapping[str, float]
    k1: float = 1.2
    b: float = 0.75
    filters: Filters = Filters()
    limit: int = 30
    among: tuple[str, ...] | None = None


class Nearest(NamedTuple):
    """Meaning: the cosine of `vector` with the best passage of each record that `model` embedded.
    `vector` is float32 of length 1 (L2), as bytes. Nothing below `least`."""

    vector: bytes
    model: str
    least: float = -1.0
    filters: Filters = Filters()
    limit: int = 30
    among: tuple[str, ...] | None = None


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


Request = Lexical | Nearest | Substring | Recent


class Match(NamedTuple):
    """`score` compares within its list only. `share` [0, 1] is how much of the query's information
    the record holds. `span` is the stretch of the body that matched best, where it is known."""

    id: str
    score: float
    share: float
    span: tuple[int, int] | None = None


class RankedList(NamedTuple):
    """One channel's answer, best first, ties by id."""

    channel: str
    matches: tuple[Match, ...]
