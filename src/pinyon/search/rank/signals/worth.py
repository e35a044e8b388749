"""Worth: how much a record counts whatever is asked, and how well its kind suits the question."""

from collections.abc import Sequence

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known

MOST_IMPORTANT = 5


def severity(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """As the profile values it; 0 for a record without any."""
    return [how.severity.get(one.severity, 0.0) for one in facts]


def importance(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """Importance by the highest; of an entity how often it is mentioned, half of 1 for as often as
    the profile says."""
    return [
        one.mentions / (one.mentions + how.mentions)
        if one.kind == "entity" and one.mentions
        else one.importance / MOST_IMPORTANT * (one.kind != "entity")
        for one in facts
    ]


def doc_type(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """As the profile values it, 1 for a type that it does not name: made to multiply by."""
    return [how.doc_types.get(one.doc_type, 1.0) for one in facts]


def intent(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """How well kind and type suit the wish behind the question: made to multiply by."""
    kinds, doc_types = how.intent
    return [kinds.get(one.kind, 1.0) * doc_types.get(one.doc_type, 1.0) for one in facts]
