"""Methods: the ways to learn from feedback, by the name that a profile calls them."""

from collections.abc import Callable, Mapping, Sequence

from pinyon.learn.learned import Learned, unchanged
from pinyon.learn.pairs import by_pairs
from pinyon.learn.rate import by_rate
from pinyon.model.profile import Profile
from pinyon.store.questions import Feedback


def learn(given: Sequence[Feedback], profile: Profile) -> Learned:
    """What feedback says of the weights of a profile, which is given as it is without learning."""
    return METHODS[profile.learn.method](given, profile)


def due(count: int, profile: Profile) -> bool:
    """Whether it is time to learn, after so many verdicts."""
    more = count - profile.learn.least
    return profile.learn.method in AT_ONCE or (more >= 0 and more % EACH == 0)


def _nothing(given: Sequence[Feedback], profile: Profile) -> Learned:
    return unchanged(profile, len(given), "the profile does not learn (learn.method)")


METHODS: Mapping[str, Callable[[Sequence[Feedback], Profile], Learned]] = {
    "": _nothing,
    "rate": by_rate,
    "pairs": by_pairs,
}

AT_ONCE = ("rate",)
"""Cheap enough for every verdict."""

EACH = 10
"""The others learn with each so many verdicts."""
