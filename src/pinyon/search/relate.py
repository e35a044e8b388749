"""Relate: candidates in, each with the chance that it answers the question.

Relevance comes from what is known of a record and the question alone. What else was found, and how
a profile weighs it, changes the order of an answer but not how relevant a hit is.
"""

import math
from collections.abc import Mapping, Sequence
from operator import mul

from pinyon.model.hit import Candidate, Evidence
from pinyon.model.profile import RelevanceSection

FIRST = 10
"""The hits that decide whether an answer is one. Of later ones less is known: a channel does not
judge all that another one found."""


def relate(
    candidates: Sequence[Candidate], how: RelevanceSection, model: str = ""
) -> list[Candidate]:
    """In their order. `model` is the one whose cosines they have. What nothing is known of, because
    edges alone led to it or nothing was asked, keeps the relevance that it has."""
    chance = _Chance(how, model)
    return [
        candidate
        if (known := chance(candidate.evidence)) is None
        else candidate._replace(relevance=known)
        for candidate in candidates
    ]


def relevant(candidates: Sequence[Candidate], how: RelevanceSection) -> list[Candidate]:
    """Those that are relevant enough, in their order."""
    return [candidate for candidate in candidates if candidate.relevance >= how.least]


def on_topic(candidates: Sequence[Candidate], how: RelevanceSection) -> bool:
    """Whether they are an answer: one of the first is relevant enough, or holds every word that was
    asked for. A single word tells meaning little, but who finds it has found it."""
    first = candidates[:FIRST]
    return best(first) >= how.off_topic or any(one.evidence.share == 1 for one in first)


def best(candidates: Sequence[Candidate]) -> float:
    """The highest relevance of the first, which an answer is judged by; 0 where there are none."""
    return max((one.relevance for one in candidates[:FIRST]), default=0.0)


_WORDS, _MEANING = ("share", "title", "phrase"), ("cosine",)


class _Chance:
    """What is known of one hit in, its relevance out; None where nothing is known of it, or the
    profile has no weights for that."""

    def __init__(self, how: RelevanceSection, model: str) -> None:
        self._weights = {
            (True, False): _weights(how.words, _WORDS),
            (False, True): _weights(how.meaning, _MEANING),
            (True, True): _weights(how.both, (*_WORDS, *_MEANING)),
        }
        # A cosine on the scale that all models share: 0 is what is usual, 1 is the same text.
        usual = how.usual.get(model)
        self._scale = 0.0 if usual is None else 1 / max(1 - usual, 0.01)
        self._shift = how.unnamed if usual is None else -usual * self._scale

    def __call__(self, known: Evidence) -> float | None:
        share, title, phrase, cosine = known
        weights = self._weights.get((share is not None, cosine is not None))
        if weights is None:
            return None
        near = (cosine or 0.0) * self._scale + self._shift
        total = math.fsum(map(mul, weights, (1.0, share or 0.0, title, phrase, near)))
        # The logistic function, written so that no sum is too large for it.
        return (1 + math.tanh(total / 2)) / 2


def _weights(given: Mapping[str, float], names: Sequence[str]) -> tuple[float, ...] | None:
    """The bias and a weight for each field of Evidence; 0 for what is not to be counted."""
    if not given:
        return None
    counted = [given.get(name, 0.0) if name in names else 0.0 for name in Evidence._fields]
    return (given.get("bias", 0.0), *counted)
