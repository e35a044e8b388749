"""Named: whether a record has what the question names: a tag, a domain, an author, its title."""

from collections.abc import Sequence

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known


def tags(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """What both have of what either has (Jaccard); 0 where neither has any."""
    asked = known.tags
    return [_overlap(asked, one.tags) for one in facts] if asked else [0.0] * len(candidates)


def domain(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """1 if it is of a domain that is asked for."""
    return [float(one.domain in known.domains) for one in facts]


def name(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """1 if its author is named, or if it is an entity that is."""
    named, entities = known.names, known.entities
    return [float(one.id in entities or one.author in named) for one in facts]


def title(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """The share of the question's information that stands in its title or aliases."""
    return [candidate.evidence.title for candidate in candidates]


def _overlap(asked: frozenset[str], own: Sequence[str]) -> float:
    either = asked.union(own)
    return len(asked.intersection(own)) / len(either) if either else 0.0
