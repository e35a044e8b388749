"""Pairs: weights fitted to what was preferred to what, adopted when they prove to be better."""

import math
from collections.abc import Sequence
from dataclasses import replace

from pinyon.learn.feedback import names_in
from pinyon.learn.held_back import LEAST_PAIRS, LEAST_QUESTIONS, Proof, fit_to, proven
from pinyon.learn.learned import (
    WEIGHTS,
    WITH_VECTORS,
    Learned,
    Weights,
    shares,
    unchanged,
    weights_of,
)
from pinyon.learn.lessons import Lesson, lessons
from pinyon.model.profile import SIGNALS, Profile
from pinyon.store.questions import Feedback

SURE = 0.0005
"""A gain that is likelier by chance is not adopted. So strict because it is asked again with every
tenth verdict: whoever judges blindly must not get other weights by asking often."""

DIGITS = 4


def by_pairs(given: Sequence[Feedback], profile: Profile) -> Learned:
    """From `learn.least` verdicts on. Fitted are the weights of the signals that differ between the
    hits of some pair. Of the others nothing is known, as of a channel that never answered: what
    they weigh keeps its ratio to what the profile's other signals weigh together.

    A profile with other weights where there are vectors is given one set for both: without vectors,
    their weight does not count anyway."""
    how, count = profile.learn, len(given)
    before = weights_of(profile)
    if not before:
        return unchanged(profile, count, "the profile ranks without weights")
    if count < how.least:
        return unchanged(profile, count, f"{count} of the {how.least} verdicts that are needed")
    import numpy as np

    start = before.get(WITH_VECTORS, before[WEIGHTS])
    names, read = _told_apart(lessons(given, names_in(profile)), names_in(profile))
    shipped = np.array([start.get(name, 0.0) for name in names])
    known = shipped.sum()
    pairs = sum(len(lesson.apart) for lesson in read)
    questions = len({lesson.question for lesson in read})
    proof = proven(read, shipped / known, how.towards) if known > 0 else None
    same = unchanged(profile, count, _why(proof, pairs, questions))
    told = replace(same, pairs=pairs, questions=questions)
    if proof is None:
        return told
    told = replace(
        told,
        ndcg_before=round(proof.before, DIGITS),
        ndcg_after=round(proof.after, DIGITS),
        chance=proof.chance,
    )
    if not _better(proof):
        return told
    fitted = fit_to(read, shipped / known, how.towards)
    weights = _whole(dict(zip(names, fitted.tolist(), strict=True)), start)
    return replace(told, adopted=True, after=dict.fromkeys(before, weights))


def _better(proof: Proof) -> bool:
    return proof.after > proof.before and proof.chance < SURE


def _why(proof: Proof | None, pairs: int, questions: int) -> str:
    if proof is None:
        return (
            f"too little to hold some of it back: {pairs:,} pairs of {questions:,} questions"
            f" ({LEAST_PAIRS} of {LEAST_QUESTIONS} are needed on each side)"
        )
    seen = f"nDCG {proof.before:.3f} to {proof.after:.3f} on what was held back"
    if proof.after <= proof.before:
        return f"no better: {seen}"
    odds = f"{proof.chance:.4f} that it is by chance"
    return f"better: {seen}, {odds}" if _better(proof) else f"not surely better: {seen}, {odds}"


def _told_apart(
    read: Sequence[Lesson], names: Sequence[str]
) -> tuple[tuple[str, ...], list[Lesson]]:
    """The signals that differ in some pair, and the lessons with these columns only."""
    seen = [any(lesson.apart[:, at].any() for lesson in read) for at in range(len(names))]
    kept = [lesson._replace(apart=lesson.apart[:, seen]) for lesson in read]
    return tuple(name for name, differs in zip(names, seen, strict=True) if differs), kept


def _whole(fitted: Weights, start: Weights) -> dict[str, float]:
    """With the weights of which nothing is known, as shares again. Those that did count stay in it:
    a 0 says that it does no longer."""
    ours = [name for name in fitted if name in start]
    ratio = math.fsum(fitted[name] for name in ours) / math.fsum(start[name] for name in ours)
    unknown = {name: weight * ratio for name, weight in start.items() if name not in fitted}
    whole = shares({**unknown, **fitted})
    order = [name for name in SIGNALS if whole.get(name, 0.0) > 0 or start.get(name, 0.0) > 0]
    return {name: round(whole[name], DIGITS) for name in order}
