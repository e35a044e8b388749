"""Profile: the names and numbers that choose what the one pipeline does.

Each class is one section of a profile file; its fields are the keys that the section knows.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

CHANNELS = ("lexical", "vector", "graph")
SIGNALS = ("lexical", "vector", "graph")
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


class GraphSection(NamedTuple):
    """The graph as a channel: it finds what `depth` hops lead to from the best `top_k` of the other
    channels' finds. How a hop counts says the section expand."""

    depth: int = 1
    top_k: int = 5


class RetrieveSection(NamedTuple):
    """Which channels are asked, for how much, and of which records. Unless the caller names kinds,
    only `kinds` are found, or all but those in `without`. With `superseded` also what another
    record supersedes."""

    channels: tuple[str, ...] = ()
    overfetch: OverfetchSection = OverfetchSection()
    lexical: LexicalSection = LexicalSection()
    vector: VectorSection = VectorSection()
    graph: GraphSection = GraphSection()
    kinds: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    superseded: bool = False


class FuseSection(NamedTuple):
    """How the lists of several channels become one. `method`:

    - rrf       1 / (k + rank), and times 1 + `bonus` what several channels found
    - sum       the score between the channel's lowest (0) and its highest (1)
    - relative  the score by the channel's highest

    Each channel counts times its weight (1 where none is given). `normalise` divides by the best
    possible score, that of a record which every channel that was asked puts first. `complete` is
    the share of each list, from its best on, that is also scored by the channels that did not find
    it: 0 for none of it.
    """

    method: str = "rrf"
    k: float = 60
    weights: Mapping[str, float] = EMPTY
    bonus: float = 0.1
    normalise: bool = False
    complete: float = 0.5


class RankSection(NamedTuple):
    """The score is the sum of the signals, each times its weight. Without weights it stays as it
    was fused."""

    weights: Mapping[str, float] = EMPTY


class ExpandSection(NamedTuple):
    """The best `top_k` that score at least `min_score` stay, what `depth` hops lead to from them
    joins, and the best `max_results` with at least `min_score` are the answer. 0 is no limit, and
    no hop.

    Each hop multiplies the score by the `decay` of its relation ("other" for those not named; 0
    is not followed), or by `override` where it is not 0, and by the strength of its edge. The
    relations in `one_way` are not followed backwards, nor to what more than `popular` others have
    them with."""

    depth: int = 0
    top_k: int = 0
    min_score: float = 0
    max_results: int = 0
    decay: Mapping[str, float] = EMPTY
    override: float = 0
    one_way: tuple[str, ...] = ()
    popular: int = 0


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
    expand: ExpandSection = ExpandSection()
    present: PresentSection = PresentSection()
