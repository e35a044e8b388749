"""Scrub: what was purged leaves the questions, and what is known of files."""

from collections.abc import Collection
from dataclasses import replace

from pinyon.store.contract import PURGE
from pinyon.store.memory.state import State
from pinyon.store.questions import FileState
from pinyon.text.fields import stems_of


def scrub(state: State, own: Collection[str]) -> State:
    """The next moment. Leaves the given state alone."""
    after = state.copy()
    held = {stem for id in state.live() for stem in state.lines[id].split()}

    def named(text: str) -> bool:
        return any(stem in own and stem not in held for stem in stems_of(text))

    after.settings.pop(PURGE, None)
    after.log = tuple(one for one in state.log if not named(one.text))
    after.feedback = {key: one for key, one in state.feedback.items() if not named(one.query)}
    after.files = {
        folder: {path: _without_gone(file, state) for path, file in files.items()}
        for folder, files in state.files.items()
    }
    return after


def _without_gone(file: FileState, state: State) -> FileState:
    there = state.records
    return replace(
        file,
        ids=tuple(id for id in file.ids if id in there),
        edges=tuple(
            (a, relation, b)
            for a, relation, b in file.edges
            if a in there and (b.startswith("@") or b in there)
        ),
    )
