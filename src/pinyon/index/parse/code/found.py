"""Found: the symbols of a file and what is said of them, as places in its bytes.

All offsets count bytes from 0, as the parser does; `end` is the first byte after.
"""

from typing import NamedTuple

CONTAINERS = frozenset({"class", "interface", "struct", "enum", "trait", "record", "module"})
"""What has members that are records of their own."""

MEMBERS = frozenset({"function", "method", "singleton"})

LEAVES = frozenset({"type", "macro", "concept"})

SYMBOLS = CONTAINERS | MEMBERS | LEAVES
"""The captures that become records."""

SPOKEN = {"singleton": "method"}
"""What a record calls itself, where it is not the name of the capture."""


class Symbol(NamedTuple):
    """`start` includes the comment above and decorators, `head` is where the signature begins and
    `body` where it ends. `names` lead from the outermost symbol to this one; `parent` is the number
    of the symbol that contains it, or -1. `comment` is what is said above it, `doc` inside."""

    kind: str
    names: tuple[str, ...]
    start: int
    head: int
    body: int
    end: int
    parent: int = -1
    namespace: tuple[str, ...] = ()
    comment: tuple[int, int] | None = None
    exported: bool = False

    @property
    def name(self) -> str:
        return self.names[-1]


class Base(NamedTuple):
    """The type `names` is said to extend or to implement `text`; `symbol` is -1 where it is not
    declared around the place that says so."""

    symbol: int
    names: tuple[str, ...]
    namespace: tuple[str, ...]
    relation: str
    text: str
    at: int


class Call(NamedTuple):
    """`own`: of a method of the same object."""

    symbol: int
    text: str
    own: bool
    at: int


class Import(NamedTuple):
    """What one import says: `source` as written, without quotes; `how` is a word that matters to
    the language ("static", "require_relative", "<"). `inside` are the modules around it."""

    source: str
    symbol: str = ""
    alias: str = ""
    how: str = ""
    wildcard: bool = False
    inside: tuple[str, ...] = ()
    at: int = 0


class Found(NamedTuple):
    """`quiet` are stretches that are no text of their own outside of symbols: imports count as
    nothing, and `headers` of blocks that only hold members are left out."""

    symbols: list[Symbol]
    docs: dict[int, tuple[int, int]]
    bases: list[Base]
    calls: list[Call]
    imports: list[Import]
    namespaces: list[tuple[str, ...]]
    quiet: list[tuple[int, int]]
    headers: list[tuple[int, int]]
    default: str
