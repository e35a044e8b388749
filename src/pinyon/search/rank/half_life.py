"""Half-life: how fast a record fades, and what is left of it."""

from collections.abc import Mapping

from pinyon.model.facts import DAY_US, Facts
from pinyon.model.profile import RankSection


def half_life_of(facts: Facts, half_lives: Mapping[str, float], otherwise: float) -> float:
    """In days; 0 means that it never fades. The record's own, else that of its type of memory."""
    if facts.half_life is not None:
        return facts.half_life
    return half_lives.get(facts.memory_type, otherwise)


def faded(days: float, half_life: float) -> float:
    """What is left of 1 after so many days, in [0, 1]; all of it where the days lie ahead."""
    return 0.5 ** (days / half_life) if half_life and days > 0 else 1.0


def strength_at(now_us: int, facts: Facts, how: RankSection) -> float:
    """The strength of a record, in [0, 1]: it fades from its last use on, or its last change."""
    since_us = facts.updated_us if facts.used_us is None else facts.used_us
    half_life = half_life_of(facts, how.half_lives, how.fading)
    return facts.strength * faded((now_us - since_us) / DAY_US, half_life)
