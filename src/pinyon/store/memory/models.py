"""Models: which one a store is searched with, and which one is to follow it."""

from collections.abc import Iterable
from dataclasses import replace

from pinyon.model.errors import InvalidInput
from pinyon.store.memory.queue import given_up, waiting
from pinyon.store.memory.state import State
from pinyon.store.questions import Model


def use(state: State, wanted: Model) -> None:
    """Search with this model: at once when no other is active, else as soon as it is full."""
    known = state.models.get(wanted.name, wanted)
    if known.dims != wanted.dims:
        raise InvalidInput(
            f"vectors of {wanted.name!r} have {known.dims} dimensions here, not {wanted.dims}",
            remedy="drop the model first",
        )
    active, filling = _in_state(state, "active"), _in_state(state, "filling")
    if filling and filling.name != wanted.name:
        _rest(state, filling)
    alone = active is None or active.name == wanted.name
    state.models[wanted.name] = replace(wanted, state="active" if alone else "filling", vectors=0)
    state.vectors.setdefault(wanted.name, {})
    switch(state)


def drop(state: State, names: Iterable[str]) -> None:
    """Take models away, with their vectors and what waits for them."""
    for name in names:
        for table in (state.models, state.vectors, state.tried):
            table.pop(name, None)


def switch(state: State) -> None:
    """The model that fills becomes the active one, if it is full: nothing waits for it but what was
    given up."""
    filling = _in_state(state, "filling")
    if filling is None:
        return
    name = filling.name
    if all(given_up(state, name, held.number) for _, held in waiting(state, name)):
        if active := _in_state(state, "active"):
            _rest(state, active)
        state.models[name] = replace(filling, state="active")


def _in_state(state: State, wanted: str) -> Model | None:
    return next((model for model in state.models.values() if model.state == wanted), None)


def _rest(state: State, model: Model) -> None:
    state.models[model.name] = replace(model, state="idle")
    state.tried.pop(model.name, None)
