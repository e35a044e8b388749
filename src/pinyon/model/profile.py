"""Profile: the names and numbers that choose what the one pipeline does.

Each class is one section of a profile file; its fields are the keys that the section knows.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

CHANNELS = ("lexical", "vector")
SIGNALS = ("lexical", "vector")
FUSIONS = ("rrf", "sum", "relative")
EMPTY: Mapping[str, float] = MappingProxyType({})


class UnderstandSection(NamedTuple):
    """How a question is read. `stop` names a list of text/stop, `terms` is the most asked for."""

    operators: bool = True
    stop: str = "prose"
    shortest: int = 2
    terms: int = 64


class OverfetchSection(NamedTuple):
    """A channel is asked for max(factor x limit, least) records."""

    factor: float = 3
    least: int = 30


class LexicalSection(NamedTuple):
    """`fields` are the ones searched, with their weights; `substring` is what is tried when no word
    is found."""

    fields: Mapping[str, float] = EMPTY
    k1: float = 1.2
    b: float = 0.75
    substring: bool = True


class VectorSection(NamedTuple):
    """Nothing whose cosine is below `least` is found by meaning."""

    least: float = 0


class RetrieveSection(NamedTuple):
    """Which channels are asked, and for how much."""

    channels: tuple[str, ...] = ()
    overfetch: OverfetchSection = OverfetchSection()
    lexical: LexicalSection = LexicalSection()
    vector: VectorSection = VectorSection()


class FuseSection(NamedTuple):
    """How the lists of several channels become one. `method`:

    - rrf       1 / (k + rank), and times 1 + `bonus` what several channels found
    - sum       the score between the channel's lowest (0) and its highest (1)
    - relative  the score by the channel's highest

    Each channel counts times its weight (1 where none is given). `normalise` divides by the best
    possible score, that of a record which every channel that was asked puts first. With `complete`
    each channel also scores what only another one found.
    """

    method: str = "rrf"
    k: float = 60
    weights: Mapping[str, float] = EMPTY
    bonus: float = 0.1
    normalise: bool = False
    complete: bool = True


class RankSection(NamedTuple):
    """The score is the sum of the signals, each times its weight. Without weights it stays as it
    was fused."""

    weights: Mapping[str, float] = EMPTY


class PresentSection(NamedTuple):
    """What a hit shows: a snippet of about `words` words around the match, taken from the first of
    `cascade` that holds one; in mode "scan" the first `lead` characters of the body."""

    words: int = 32
    cascade: tuple[str, ...] = ("body", "tags", "title")
    lead: int = 120


class Profile(NamedTuple):
    """One file of profiles/, with what it inherits filled in."""

    name: str
    about: str = ""
    understand: UnderstandSection = UnderstandSection()
    retrieve: RetrieveSection = RetrieveSection()
    fuse: FuseSection = FuseSection()
    rank: RankSection = RankSection()
    present: PresentSection = PresentSection()
