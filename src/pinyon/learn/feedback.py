"""Feedback: what is kept of a verdict on a hit, so that weights can be learnt from it later."""

from collections.abc import Collection, Mapping, Sequence

from pinyon.model.errors import InvalidInput, UnknownSetting
from pinyon.model.hit import Hit
from pinyon.model.profile import Profile
from pinyon.store.questions import VERDICTS

LEARNABLE = (
    *("lexical", "vector", "graph", "title", "agreement", "recency", "importance", "decay"),
    *("severity", "tags", "domain", "name"),
)
"""The signals that any profile with weights can learn to weigh, beside those that it weighs."""

LIKED = ("accepted", "modified")

SHOWN = 10
"""The hits of an answer that somebody who judges it has seen; as many are kept of a deeper one."""

DEEPER = 50
"""Where a judged record is not among them, it is looked for among so many."""

LONGEST = 10_000
"""Characters of a question; a search reads no more of it."""

TINY = 1e-12
"""A weight that makes ranking compute a signal, and does not change the order."""


def check_verdict(verdict: str) -> None:
    """Raises UnknownSetting, with those that there are."""
    if verdict not in VERDICTS:
        raise UnknownSetting(f"no verdict {verdict!r}", VERDICTS)


def question_of(query: str) -> str:
    """The question as it is kept: spaces around and between its words do not make it another."""
    if not isinstance(query, str):
        raise InvalidInput("the query must be text")
    clean = query.encode("utf-8", "replace").decode().replace("\0", " ")
    return " ".join(clean.split())[:LONGEST].rstrip()


def names_in(profile: Profile) -> tuple[str, ...]:
    """The signals that are kept of a hit: those that learning may weigh."""
    return tuple(dict.fromkeys((*LEARNABLE, *_weighed(profile))))


def weighing(profile: Profile) -> dict[str, float]:
    """What to change in a profile, by path, so that its hits have all these signals, in the order
    that they have without it. Nothing where it ranks without weights: there are none to learn."""
    if not profile.rank.weights:
        return {}
    missing = [name for name in names_in(profile) if name not in _weighed(profile)]
    weights = {f"rank.weights.{name}": TINY for name in missing}
    # A 0 there stands over the weight above.
    zeros = [name for name in missing if name in profile.rank.with_vectors]
    return weights | {f"rank.with_vectors.{name}": TINY for name in zeros}


def others(hits: Sequence[Hit], id: str, verdict: str, verdicts: Mapping[str, str]) -> list[Hit]:
    """The hits that a judged one is compared with: all that were shown, above and below it alike,
    but those with a verdict to the same effect, by `verdicts` on this question.

    Not only those above: then whoever chooses blindly would seem to prefer what ranks low. Of a
    deeper answer as many as are else shown, evenly from its first to its last.
    """
    same = LIKED if verdict in LIKED else ("dismissed",)
    apart = [hit for hit in hits if hit.id != id and verdicts.get(hit.id) not in same]
    if len(apart) <= SHOWN:
        return apart
    step = len(apart) / SHOWN
    return [apart[int((place + 0.5) * step)] for place in range(SHOWN)]


def signals_of(hit: Hit, names: Collection[str]) -> dict[str, float]:
    """Those that are not 0; six digits are more than any weight could tell apart."""
    kept = {name: round(hit.signals.get(name, 0.0), 6) for name in names}
    return {name: value for name, value in kept.items() if value}


def _weighed(profile: Profile) -> list[str]:
    weights = {**profile.rank.weights, **profile.rank.with_vectors}
    return [name for name, weight in weights.items() if weight > TINY]
