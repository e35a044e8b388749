"""Judges: simulated people who judge answers, each by a taste of their own."""

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from pinyon.model.profile import LearnSection, Profile, RankSection
from pinyon.store.questions import Feedback

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
SHIPPED = {"lexical": 0.4, "vector": 0.6}
SEEN = ("lexical", "vector", "title", "recency", "importance", "tags")

Hits = Sequence[Mapping[str, float]]
Taste = Callable[[random.Random, Hits], int]
"""The place, among the hits of an answer, of the one that somebody judges."""

PAIRWISE = Profile("mine", rank=RankSection(weights=SHIPPED), learn=LearnSection(method="pairs"))


def blind(draw: random.Random, hits: Hits) -> int:
    """Any hit as well as any other."""
    return draw.randrange(len(hits))


def most(signal: str) -> Taste:
    """The hit with the most of one signal."""
    return lambda draw, hits: max(range(len(hits)), key=lambda place: hits[place][signal])


def least(signal: str) -> Taste:
    """The hit with the least of one signal."""
    return lambda draw, hits: min(range(len(hits)), key=lambda place: hits[place][signal])


def judged(
    taste: Taste, verdict: str = "accepted", *, seed: int = 1, questions: int = 60
) -> list[Feedback]:
    """One verdict for each question. Its answer has ten hits: the best, by the shipped weights, of
    thirty whose signals are random."""
    draw = random.Random(seed)
    given = []
    for number in range(questions):
        found = [{name: draw.random() for name in SEEN} for _ in range(30)]
        found.sort(key=lambda hit: -sum(SHIPPED[name] * hit[name] for name in SHIPPED))
        shown = found[:10]
        place = taste(draw, shown)
        given.append(
            Feedback(
                at=NOW + timedelta(minutes=number),
                id=f"record-{seed}-{number}",
                verdict=verdict,
                query=f"question {number}",
                profile="mine",
                signals=shown[place],
                passed=(*shown[:place], *shown[place + 1 :]),
            )
        )
    return given
