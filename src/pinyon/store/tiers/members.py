"""Members: the tiers of one search, the highest first, and which of them holds a record.

A tier that fails is left out from then on, and `troubles` says why. The store that is open is none
of those: without it there is no search.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, TypeVar

from pinyon.model.query import Filters
from pinyon.store.contract import View

T = TypeVar("T")
EVERYTHING = Filters()


class Member(NamedTuple):
    """One tier at one moment. `guard` puts what its store raises into our words."""

    name: str
    priority: float
    view: View
    guard: Callable[[], AbstractContextManager[None]] = nullcontext


class Members:
    """A tier is spoken of by its place in the order."""

    def __init__(self, home: View, members: Sequence[Member], troubles: Iterable[str]) -> None:
        self.home = home
        self.troubles = list(troubles)
        self._members = tuple(members)
        self._standing = list(range(len(self._members)))
        self._owners: dict[str, int] = {}

    def __getitem__(self, at: int) -> Member:
        return self._members[at]

    @property
    def standing(self) -> tuple[int, ...]:
        """The places of those that have not failed."""
        return tuple(self._standing)

    def ask(self, at: int, call: Callable[[View], T]) -> T | None:
        """What one tier answers, or None where it fails, now or before."""
        name, _, view, guard = self._members[at]
        if view is self.home:
            return call(view)
        if at not in self._standing:
            return None
        try:
            with guard():
                return call(view)
        except Exception as error:  # whatever is wrong with another file, this search goes on
            self._standing.remove(at)
            self.trouble(f"tier {name} was left out: {str(error) or type(error).__name__}")
            return None

    def each(self, call: Callable[[View], T]) -> list[T]:
        """What each of those answers that do not fail, the highest first."""
        answers = [self.ask(at, call) for at in self.standing]
        return [answer for answer in answers if answer is not None]

    def trouble(self, text: str) -> None:
        """Said once."""
        if text not in self.troubles:
            self.troubles.append(text)

    # whose a record is

    def shared(self, ids: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
        """Each place with those of the ids that are its own; places without any are left out."""
        own: dict[int, list[str]] = {}
        for id, at in self.owners(ids).items():
            own.setdefault(at, []).append(id)
        yield from sorted(own.items())

    def owners(self, ids: Iterable[str]) -> dict[str, int]:
        """The place of the highest tier that holds each of the ids; those that none holds are left
        out."""
        asked = dict.fromkeys(ids)
        for at in self.standing:
            unknown = [id for id in asked if id not in self._owners]
            self._owners.update(dict.fromkeys(self._held(at, unknown), at))
        return {id: self._owners[id] for id in asked if id in self._owners}

    def lost(self, ids: Iterable[str]) -> list[str]:
        """Those of the ids whose tier has failed since they were found there."""
        return [id for id in ids if self._owners.get(id, -1) not in (-1, *self._standing)]

    def settle(self, found: Mapping[str, int]) -> Mapping[str, int]:
        """The owners of records of which it is known that the tier at this place holds them: only
        those above it are asked."""
        unknown = {id: at for id, at in found.items() if id not in self._owners}
        for higher in self.standing:
            held = self._held(higher, [id for id, at in unknown.items() if at > higher])
            unknown.update(dict.fromkeys(held, higher))
        self._owners.update(unknown)
        return self._owners

    def _held(self, at: int, ids: Sequence[str]) -> set[str]:
        if not ids:
            return set()
        return self.ask(at, lambda view: view.passing(ids, EVERYTHING)) or set()
