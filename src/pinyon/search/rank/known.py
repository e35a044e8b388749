"""Known: what ranking knows beside the candidates, asked of the store where a signal needs it."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.facts import Facts, microseconds
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.model.query import Query, phrases
from pinyon.search.rank.weights import signals_in

if TYPE_CHECKING:
    from pinyon.model.ask import Ask
    from pinyon.store.contract import View

NEEDS: Mapping[str, tuple[str, ...]] = {
    "semantic": ("facts", "terms"),
    "severity": ("facts",),
    "decay": ("facts",),
    "recency": ("facts",),
    "importance": ("facts",),
    "tags": ("facts", "tags"),
    "domain": ("facts", "domains"),
    "doc_type": ("facts",),
    "intent": ("facts",),
    "time": ("facts",),
    "name": ("facts",),
}
"""What a signal needs of the store. The others come with the candidates."""

TERMS = ("title", "body", "context", "tags")
"""The fields that the signal semantic compares."""

_NO_FACTS: Mapping[str, Facts] = MappingProxyType({})
_NO_COUNTS: Mapping[str, int] = MappingProxyType({})
_NO_LENGTHS: Mapping[str, float] = MappingProxyType({})
_NOTHING: frozenset[str] = frozenset()


class Known(NamedTuple):
    """Dates are microseconds since 1970. `channels` are those that answered, `k` is that of the
    fusion. `tags`, `domains` and `names` are what the question names, and so are the ids in
    `entities`; `period_us` is the time that it speaks of, `stems` are its words. Of `documents`
    records, `df` hold each of them; `lengths` are those of the TF-IDF vectors of records that hold
    any. `trust` is what a channel's signal counts times in this search, `around` what stands around
    a record, and how much of it that is."""

    now_us: int
    channels: frozenset[str] = _NOTHING
    k: float = 60
    facts: Mapping[str, Facts] = _NO_FACTS
    tags: frozenset[str] = _NOTHING
    domains: frozenset[str] = _NOTHING
    names: frozenset[str] = _NOTHING
    entities: frozenset[str] = _NOTHING
    period_us: tuple[int, int] | None = None
    df: Mapping[str, int] = _NO_COUNTS
    documents: int = 0
    stems: tuple[str, ...] = ()
    lengths: Mapping[str, float] = _NO_LENGTHS
    trust: Mapping[str, float] = _NO_LENGTHS
    around: Mapping[str, Mapping[str, float]] = MappingProxyType({})

    @property
    def heard(self) -> frozenset[str]:
        """The channels that answered, and what else the question speaks of: see weights.SPOKEN."""
        spoken = {
            "time": self.period_us,
            "name": self.names or self.entities,
            "context": self.around,
        }
        return self.channels.union(name for name, of_what in spoken.items() if of_what)

    @property
    def tiers(self) -> Mapping[str, str]:
        """The store that each record came from, where several were asked."""
        return {id: facts.tier for id, facts in self.facts.items() if facts.tier}


def gather(
    view: "View",
    candidates: Sequence[Candidate],
    query: Query,
    ask: "Ask",
    channels: Sequence[str],
    k: float,
    how: RankSection,
    around: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
) -> Known:
    """Tags, domains and names are those that the caller filters by, else those that the words of
    the question name. What is asked of the past is ranked as of then."""
    stems = _stems(query)
    period = (
        (microseconds(query.period[0]), microseconds(query.period[1])) if query.period else None
    )
    now_us = microseconds(ask.as_of or ask.now)
    known = Known(now_us, frozenset(channels), k, period_us=period, stems=stems, around=around)
    if _asks_for("name", candidates, channels, how):
        from pinyon.search.rank.names import called

        names, entities = called(view, query.text, ask.filters.authors)
        known = known._replace(names=names, entities=entities)
    needs = _needs(view, candidates, known.heard, how)
    if not needs:
        return known
    ids = [candidate.id for candidate in candidates]
    if "terms" in needs:
        known = _counted(
            view, known._replace(facts=view.facts(ids, stems=stems, fields=TERMS)), query
        )
    else:
        known = known._replace(facts=view.facts(ids))
    given = ask.filters
    return known._replace(
        tags=_named(view, "tags", given.tags, stems) if "tags" in needs else _NOTHING,
        domains=_named(view, "domain", given.domains, stems) if "domains" in needs else _NOTHING,
    )


def _stems(query: Query) -> tuple[str, ...]:
    plain = phrases(query.plain) if query.plain else ()
    # What was added counts less, and is no word of the question.
    return tuple(stem for phrase in plain if phrase.weight >= 1 for stem in phrase.stems)


def _asks_for(
    signal: str, candidates: Sequence[Candidate], channels: Sequence[str], how: RankSection
) -> bool:
    """Whether a search that speaks of it would weigh it."""
    return signal in signals_in((*channels, signal), how) and any(
        candidate.signals for candidate in candidates
    )


def _needs(
    view: "View", candidates: Sequence[Candidate], heard: Collection[str], how: RankSection
) -> set[str]:
    needs = {"facts"} if view.tiers and candidates else set()
    if any(candidate.signals for candidate in candidates):
        needs |= {need for signal in signals_in(heard, how) for need in NEEDS.get(signal, ())}
        needs |= {"facts"} if how.baseline else set()
    return needs


def _counted(view: "View", known: Known, query: Query) -> Known:
    """What TF-IDF needs to know of the words of the question, and of the candidates with any."""
    if query.plain is None:
        return known
    # Imported here, as below: most searches ask the store nothing of itself.
    from pinyon.search.rank.tf_idf import lengths
    from pinyon.store.questions import CountedFor, Vocabulary

    documents = view.survey(CountedFor(query.plain)).documents
    holding = [id for id, facts in known.facts.items() if facts.terms]
    return known._replace(
        df=view.survey(Vocabulary(known.stems)),
        documents=documents,
        lengths=lengths(view, holding, TERMS, documents),
    )


def _named(view: "View", field: str, given: Sequence[str], stems: Sequence[str]) -> frozenset[str]:
    from pinyon.store.questions import Named

    return frozenset(given or view.survey(Named(field, frozenset(stems))))
