"""Named: whether a record has what the question names: a tag, a domain, an author, its title."""

from collections.abc import Sequence

from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known


def tags(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[float]:
    """What both have of what either has (Jaccard); 0 where neither has any."""
    asked = known.tags
    return [_overlap(asked, known.facts[candidate.id].tags) for candidate in candidates]


def domain(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[float]:
    """1 if it is of a domain that is asked for."""
    return [float(known.facts[candidate.id].domain in known.domains) for candidate in candidates]


def name(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[float]:
    """1 if its author is named."""
    return [float(known.facts[candidate.id].author in known.names) for candidate in candidates]


def title(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[float]:
    """The share of the question's information that stands in its title or aliases."""
    return [candidate.evidence.title for candidate in candidates]


def _overlap(asked: frozenset[str], own: Sequence[str]) -> float:
    either = asked.union(own)
    return len(asked.intersection(own)) / len(either) if either else 0.0
