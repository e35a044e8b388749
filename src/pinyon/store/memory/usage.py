"""Usage: how records were used, which questions were asked, and what was thought of the answers."""

from collections.abc import Iterable
from dataclasses import replace

from pinyon.model.use import Asked, Noted, Use
from pinyon.store.memory.state import Identity, State
from pinyon.store.questions import Feedback, Feedbacks, Log


def note(state: State, noted: Noted) -> State:
    """The next moment. Leaves the given state alone."""
    after = state.copy()
    for id, use in noted.used.items():
        if id in after.records:
            after.uses[id] = _added(after.uses.get(id), use)
    since = noted.keep_since
    log = [asked for asked in (*state.log, *noted.asked) if since is None or asked.at >= since]
    kept = _newest_first(log)[: noted.keep]
    after.log = tuple(reversed(kept))
    return after


def _added(before: Use | None, use: Use) -> Use:
    if before is None:
        return use
    return use._replace(times=before.times + use.times, reviews=before.reviews + use.reviews)


def _newest_first(log: Iterable[Asked]) -> list[Asked]:
    """Of two that were asked at the same time, first the one that was written later."""
    return sorted(log, key=lambda asked: asked.at)[::-1]


def give(state: State, given: Iterable[Feedback]) -> None:
    """Write feedback over that with the same identity."""
    for one in given:
        kept = replace(one, signals=dict(one.signals), passed=tuple(map(dict, one.passed)))
        state.feedback[_identity(kept)] = kept


def rename(state: State, old: str, new: str) -> None:
    """What came of a record goes with it to its new id."""
    if old in state.uses:
        state.uses[new] = state.uses.pop(old)
    for known in [known for known in state.feedback if known[2] == old]:
        moved = replace(state.feedback.pop(known), id=new)
        state.feedback[_identity(moved)] = moved


def _identity(given: Feedback) -> Identity:
    return (given.profile, given.query, given.id)


def uses(state: State, ids: Iterable[str]) -> dict[str, Use]:
    """Of those that were used."""
    return {id: state.uses[id] for id in ids if id in state.uses}


def log(state: State, question: Log) -> list[Asked]:
    """See the question."""
    since = question.since
    asked = [asked for asked in state.log if since is None or asked.at >= since]
    return _newest_first(asked)[: question.limit]


def feedbacks(state: State, question: Feedbacks) -> list[Feedback]:
    """See the question."""
    given = [one for one in state.feedback.values() if one.profile == question.profile]
    return sorted(given, key=lambda one: (one.at, one.query, one.id))
