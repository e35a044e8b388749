"""Rate: the share of accepted answers moves the weight of one signal, the others make room."""

import math
from collections.abc import Sequence

from pinyon.learn.learned import Learned, Weights, unchanged, weights_of
from pinyon.model.profile import LearnSection, Profile
from pinyon.store.questions import Feedback

WORTH = {"accepted": 1.0, "modified": 0.5, "dismissed": 0.0}


def by_rate(given: Sequence[Feedback], profile: Profile) -> Learned:
    """From `learn.least` verdicts on, whatever they are about: half of them accepted leaves the
    weights as they are, all or none moves that of `learn.signal` by `learn.most`."""
    how, count = profile.learn, len(given)
    before = weights_of(profile)
    if not before:
        return unchanged(profile, count, "the profile ranks without weights")
    if count < how.least:
        return unchanged(profile, count, f"{count} of the {how.least} verdicts that are needed")
    rate = math.fsum(WORTH.get(each.verdict, 0.0) for each in given) / count
    after = {path: moved(weights, rate, how) for path, weights in before.items()}
    why = f"{rate:.0%} of {count:,} verdicts are accepted"
    return Learned(profile.name, how.method, True, why, before, after, count, rate)


def moved(weights: Weights, rate: float, how: LearnSection) -> dict[str, float]:
    """Weights that sum to 1 in, weights that sum to 1 out. One that is alone stays."""
    old = weights.get(how.signal, 0.0)
    if old >= 1:
        return dict(weights)
    new = min(max(old + (2 * rate - 1) * how.most, 0.0), 1.0)
    scale = (1 - new) / (1 - old)
    # At most 1: the last one that counts may be rounded up.
    others = {name: min(weight * scale, 1.0) for name, weight in weights.items()}
    return others | {how.signal: new}
