"""Queue: which passages wait for a model, who works on them, and what came of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pinyon.model.errors import InvalidInput
from pinyon.store.contract import MOST_ATTEMPTS, Failure, Task, Vector
from pinyon.store.memory.state import Held, State, Tried


def lease(
    state: State, model: str, owner: str, *, now: datetime, until: datetime, limit: int
) -> tuple[State, list[Task]]:
    """The next moment, and what was handed out in it. Leaves the given state alone."""
    tried = dict(state.tried.get(model, {}))
    free = [
        (id, held)
        for id, held in waiting(state, model)
        if not given_up(state, model, held.number)
        and (held.number not in tried or tried[held.number].until <= now)
    ]
    free.sort(key=lambda found: -found[1].number)
    handed = free[: max(limit, 0)]
    for _, held in handed:
        before = tried.get(held.number, Tried(until))
        tried[held.number] = before._replace(owner=owner, until=until)
    tasks = [Task(held.number, held.digest, id, held.text) for id, held in handed]
    return replace(state, tried={**state.tried, model: tried}), tasks


def waiting(state: State, model: str) -> list[tuple[str, Held]]:
    """Each passage that has no vector of the model, with the id of its record, those included that
    were given up. Nothing waits for a model that is idle, unknown or without dimensions."""
    known = state.models.get(model)
    if known is None or known.state == "idle" or known.dims == 0:
        return []
    done = state.vectors[model]
    return [
        (id, held)
        for id, all_of_it in state.passages.items()
        for held in all_of_it
        if held.number not in done
    ]


def given_up(state: State, model: str, number: int) -> bool:
    """Whether a passage failed so often that it is not handed out any more."""
    tried = state.tried.get(model, {}).get(number)
    return tried is not None and tried.attempts >= MOST_ATTEMPTS


def keep_vectors(state: State, model: str, vectors: Sequence[Vector]) -> None:
    """Leaves out what came too late. Raises InvalidInput for a model that nobody used and for a
    vector that is not of its size."""
    if model not in state.models:
        raise InvalidInput(f"the store knows no model {model!r}", remedy="use the model first")
    dims = state.models[model].dims
    digests = {
        held.number: held.digest for all_of_it in state.passages.values() for held in all_of_it
    }
    for vector in vectors:
        if len(vector.vector) != dims * 4:
            raise InvalidInput(
                f"a vector of {model!r} has {dims * 4} bytes, not {len(vector.vector)}",
                remedy="embed with the model that the store uses",
            )
        if digests.get(vector.passage) == vector.digest:
            state.vectors[model][vector.passage] = vector.vector
            state.tried.get(model, {}).pop(vector.passage, None)


def note_failures(state: State, model: str, failures: Sequence[Failure]) -> None:
    """Leaves out what does not wait any more."""
    digests = {held.number: held.digest for _, held in waiting(state, model)}
    tried = state.tried.setdefault(model, {})
    for failure in failures:
        if digests.get(failure.passage) == failure.digest:
            before = tried.get(failure.passage, Tried(failure.retry_at))
            freed = before._replace(owner="", until=failure.retry_at)
            if failure.reason:
                freed = freed._replace(attempts=before.attempts + 1, reason=failure.reason)
            tried[failure.passage] = freed


def retry(state: State, model: str) -> None:
    """Hand out again what failed, counting its attempts anew; what somebody holds stays his."""
    tried = state.tried.get(model, {})
    for number, before in list(tried.items()):
        if before.owner:
            tried[number] = before._replace(attempts=0, reason="")
        else:
            del tried[number]
