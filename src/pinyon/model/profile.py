"""Profile: the names and numbers that choose what the one pipeline does.

Each class is one section of a profile file; its fields are the keys that the section knows.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

CHANNELS = ("lexical", "vector", "graph")
SIGNALS = (
    *("lexical", "semantic", "vector", "graph", "severity", "decay", "recency", "importance"),
    *("tags", "domain", "doc_type", "intent", "agreement", "title", "time", "name"),
    "context",
)
RERANK = "rerank"
"""One more signal, that of the second reading: it is weighed by the section rerank, not by rank."""

SCALES = ("raw", "positive", "rank", "range", "best")
LEARNING = ("", "rate", "pairs")
EMPTY: Mapping[str, float] = MappingProxyType({})


TIMES = ("off", "signal", "filter")
ROUTES = ("keyword", "semantic", "identifier")
INTENTS = (
    *("add_feature", "fix_bug", "refactor", "security_audit", "understand"),
    *("find_spec", "find_decision"),
)
NO_CHANGES: Mapping[str, Mapping[str, Any]] = MappingProxyType({})


class UnderstandSection(NamedTuple):
    """How a question is read. `stop` names a list of text/stop, `terms` is the most asked for.

    With `fix`, words that no record holds are read as those that are spelt nearly like them; with
    `expand`, acronyms as what they stand for, and the other way round; with `intents`, the wish
    behind it is heard, unless `intent` says what it is. `time` is what becomes of a time that it
    speaks of: nothing (off), a signal, or a filter. `routes` say what a route changes in the
    profile, by path; what the caller changes himself stays his."""

    operators: bool = True
    stop: str = "prose"
    shortest: int = 2
    terms: int = 64
    fix: bool = True
    expand: bool = True
    intents: bool = True
    intent: str = ""
    time: str = "signal"
    routes: Mapping[str, Mapping[str, Any]] = NO_CHANGES


class OverfetchSection(NamedTuple):
    """A channel is asked for max(factor x limit, least) records."""

    factor: float = 3
    least: int = 30


class LexicalSection(NamedTuple):
    """`fields` are the ones searched, with their weights; `substring` is what is tried when no word
    is found. With `half`, a number of words, the `b` of a store follows from how long its texts
    are: one of that mean length has .5, one of longer texts more."""

    fields: Mapping[str, float] = EMPTY
    k1: float = 1.2
    b: float = 0.75
    half: float = 0
    substring: bool = True


class VectorSection(NamedTuple):
    """Nothing whose cosine is below `least` is found by meaning. `long`, by kind, is what each
    doubling of a record's passages takes off: the best of many is high by chance."""

    least: float = 0
    long: Mapping[str, float] = EMPTY


class GraphSection(NamedTuple):
    """The graph as a channel: it finds what `depth` hops lead to from the best `top_k` of the other
    channels' finds. How a hop counts says the section expand."""

    depth: int = 1
    top_k: int = 5


class RetrieveSection(NamedTuple):
    """Which channels are asked, for how much, and of which records. Unless the caller names kinds,
    only `kinds` are found, or all but those in `without`; those in `beside` are asked for apart, so
    that they take no other record's place. With `superseded` also what another record supersedes,
    with `expired` also what is no longer valid, or not yet. Where words find fewer than `small`
    records and the limit would leave out more than half of them, it is lifted."""

    channels: tuple[str, ...] = ()
    overfetch: OverfetchSection = OverfetchSection()
    lexical: LexicalSection = LexicalSection()
    vector: VectorSection = VectorSection()
    graph: GraphSection = GraphSection()
    kinds: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    superseded: bool = False
    expired: bool = False
    small: int = 0


class ContextSection(NamedTuple):
    """What edges of these `relations` lead to within `depth` hops stands around a record: it is a
    candidate too, and speaks for it by the signal context, each hop times `decay`. 0: nothing
    does."""

    relations: tuple[str, ...] = ()
    depth: int = 0
    decay: float = 0.5


class FuseSection(NamedTuple):
    """How the lists of several channels become one: by the sum of 1 / (`k` + rank), and times 1 +
    `bonus` what several of them found.

    Each channel counts times its weight (1 where none is given). `normalise` divides by the best
    possible score, that of a record which every channel that was asked puts first. `complete` is
    the share of each list, from its best on, that is also scored by the channels that did not find
    it: 0 for none of it.
    """

    k: float = 60
    weights: Mapping[str, float] = EMPTY
    bonus: float = 0.1
    normalise: bool = False
    complete: float = 0.5


class IntentSection(NamedTuple):
    """What suits the wish behind a question: how much more a kind or a type of document counts."""

    kinds: Mapping[str, float] = EMPTY
    doc_types: Mapping[str, float] = EMPTY


class TrustSection(NamedTuple):
    """How much the signals of words and meaning count follows how sure each of them is.

    A channel is sure whose first find stands far above its `depth`th: the lead of words is a share
    of their first score, that of meaning a share of the way from the usual cosine to 1. Where the
    lead of meaning, by that of words, is `even`, both count as they weigh. Else their odds change
    with the `slope`th power of it; 0: they never do. Where the first finds are of a kind in
    `kinds`, the odds of meaning are so many times as high."""

    slope: float = 0
    even: float = 1
    depth: int = 30
    kinds: Mapping[str, float] = EMPTY


class RankSection(NamedTuple):
    """The score is the sum of the signals, each times its weight. Without weights it stays as it
    was fused.

    Weights are shares: they are divided by the sum of those that count in this search. The weight
    of a channel that did not answer does not; where the vector channel did, `with_vectors` stands
    over `weights`. The signals in `times` multiply the score. A kind in `baseline` has this score,
    whatever its signals.

    `scale` says how the score of a channel becomes its signal:

    - raw       as it is
    - positive  as it is, but never below 0
    - rank      (k + 1) / (k + its rank), with the k of the fusion; 0 where the channel found it not
    - range     from 0, the lowest of the answer, to 1, the highest; 1 where all are equal
    - best      by the highest of the answer, never below 0

    `severity` and `doc_types` are the values of their signals; a record without any is 0, one of
    an unnamed type 1. Days: `half_life` of the signal decay, `fading` of recency; both give way to
    the record's own half-life, or to that of its type of memory in `half_lives` (0: it never
    fades). `mentions` are worth half an importance.
    """

    weights: Mapping[str, float] = EMPTY
    with_vectors: Mapping[str, float] = EMPTY
    times: tuple[str, ...] = ()
    scale: Mapping[str, str] = MappingProxyType({})
    baseline: Mapping[str, float] = EMPTY
    severity: Mapping[str, float] = EMPTY
    doc_types: Mapping[str, float] = EMPTY
    half_life: float = 365
    fading: float = 30
    half_lives: Mapping[str, float] = EMPTY
    mentions: float = 10
    trust: TrustSection = TrustSection()
    intent: IntentSection = IntentSection()


class RelevanceSection(NamedTuple):
    """The chance that a hit answers the question, in [0, 1]: 1 / (1 + exp(-sum)), the sum over what
    is known of it, each times its weight, and "bias". `words` counts where only words are known,
    `meaning` where only the cosine is, `both` where both are; without weights the relevance of a
    hit is the share that its channel gave it.

    Known of words: "share" of the question's information that the record holds, "title" that its
    title or aliases hold, "phrase" the share of neighbouring words that stand side by side there.
    Known of meaning: "cosine", from 0, the `usual` one of the model for texts that have nothing to
    do with each other, to 1. For a model that is not named there it is always `unnamed`.

    What is less relevant than `least` is left out; an answer whose best hit is less relevant than
    `off_topic` is none, unless a hit holds every word that was asked for."""

    words: Mapping[str, float] = EMPTY
    meaning: Mapping[str, float] = EMPTY
    both: Mapping[str, float] = EMPTY
    usual: Mapping[str, float] = EMPTY
    unnamed: float = 0
    least: float = 0
    off_topic: float = 0


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


class RerankSection(NamedTuple):
    """The best `candidates` are read again by a `model`, always with `use`, else where a caller
    asks for it: late (interaction), voyage, cohere, cross-encoder, auto, hf:OWNER/NAME or the path
    of a model's folder.

    Their score is then (1 - `weight`) of what it was and `weight` of the signal rerank, which goes
    from 0 to 1 over them, times .8 + .2 x length / `short` for texts of fewer characters. What is
    not read again has 0 of it, and so stays behind. When the last hundred took more than `slow_ms`
    (their 95th percentile), it is left out for a while.
    """

    use: bool = False
    model: str = ""
    candidates: int = 20
    weight: float = 0.3
    short: int = 100
    slow_ms: float = 500


class PresentSection(NamedTuple):
    """What a hit shows: a snippet of about `words` words around the match, taken from the first of
    `cascade` that holds one; in mode "scan" the first `lead` characters of the body. Where tokens
    are few, hits that share `alike` of their words are one."""

    words: int = 32
    cascade: tuple[str, ...] = ("body", "tags", "title")
    lead: int = 120
    alike: float = 0.8


class LearnSection(NamedTuple):
    """What feedback does to the weights, from `least` verdicts on. `method`:

    - ""     nothing
    - rate   the share of accepted answers moves the weight of `signal` by up to `most`, up or down
    - pairs  weights are fitted to what was preferred to what, and adopted when they are better on
             verdicts that were held back; `towards` holds them near the shipped ones
    """

    method: str = ""
    least: int = 30
    signal: str = "semantic"
    most: float = 0.15
    towards: float = 1


class TrackSection(NamedTuple):
    """What a search leaves behind: `use` counts what was returned, `log` keeps the question."""

    use: bool = True
    log: bool = True


class Profile(NamedTuple):
    """One file of profiles/, with what it inherits filled in."""

    name: str
    about: str = ""
    understand: UnderstandSection = UnderstandSection()
    retrieve: RetrieveSection = RetrieveSection()
    context: ContextSection = ContextSection()
    fuse: FuseSection = FuseSection()
    rank: RankSection = RankSection()
    relevance: RelevanceSection = RelevanceSection()
    expand: ExpandSection = ExpandSection()
    rerank: RerankSection = RerankSection()
    present: PresentSection = PresentSection()
    learn: LearnSection = LearnSection()
    track: TrackSection = TrackSection()
