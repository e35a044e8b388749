"""Profile: the names and numbers that choose what the one pipeline does.

Each class is one section of a profile file; its fields are the keys that the section knows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

CHANNELS = ("lexical",)
SIGNALS = ("lexical",)


@dataclass(frozen=True, slots=True)
class UnderstandSection:
    """How a question is read. `stop` names a list of text/stop, `terms` is the most asked for."""

    operators: bool = True
    stop: str = "prose"
    shortest: int = 2
    terms: int = 64


@dataclass(frozen=True, slots=True)
class OverfetchSection:
    """A channel is asked for max(factor x limit, least) records."""

    factor: float = 3
    least: int = 30


@dataclass(frozen=True, slots=True)
class LexicalSection:
    """`fields` are the ones searched, with their weights; `substring` is what is tried when no word
    is found."""

    fields: Mapping[str, float] = field(default_factory=dict)
    k1: float = 1.2
    b: float = 0.75
    substring: bool = True


@dataclass(frozen=True, slots=True)
class RetrieveSection:
    """Which channels are asked, and for how much."""

    channels: tuple[str, ...] = ()
    overfetch: OverfetchSection = field(default_factory=OverfetchSection)
    lexical: LexicalSection = field(default_factory=LexicalSection)


@dataclass(frozen=True, slots=True)
class RankSection:
    """The score is the sum of the signals, each times its weight."""

    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PresentSection:
    """What a hit shows: a snippet of about `words` words around the match, taken from the first of
    `cascade` that holds one; in mode "scan" the first `lead` characters of the body."""

    words: int = 32
    cascade: tuple[str, ...] = ("body", "tags", "title")
    lead: int = 120


@dataclass(frozen=True, slots=True)
class Profile:
    """One file of profiles/, with what it inherits filled in."""

    name: str
    about: str = ""
    understand: UnderstandSection = field(default_factory=UnderstandSection)
    retrieve: RetrieveSection = field(default_factory=RetrieveSection)
    rank: RankSection = field(default_factory=RankSection)
    present: PresentSection = field(default_factory=PresentSection)
