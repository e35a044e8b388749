"""Opened: what every part of an engine works with: store, profiles, models, clock."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pinyon.profiles import load

if TYPE_CHECKING:
    from pinyon.meaning import Meaning, Searcher
    from pinyon.model.profile import Profile
    from pinyon.search.rerank import Reading
    from pinyon.store.contract import Store, View
    from pinyon.track import Tracker


class Opened:
    """One store, open. `name` stands for it among other processes."""

    def __init__(
        self,
        store: "Store",
        *,
        profile_folders: load.Folders = load.shipped,
        name: str = "",
        background: bool = False,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._profile_folders = profile_folders
        self._name = name
        self._background = background
        self._clock = clock

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the store. A second close does nothing. What searches left behind is written.
        What was just written is embedded for a moment; the rest waits in the store for whoever
        opens it next."""
        if "_tracker" in self.__dict__:
            self._tracker.close()
        if "_meaning" in self.__dict__:
            self._meaning.close()
        self._store.close()

    @cached_property
    def _meaning(self) -> "Meaning":
        from pinyon.meaning import Meaning

        return Meaning(self._store, self._clock, background=self._background)

    @cached_property
    def _tracker(self) -> "Tracker":
        from pinyon.track import Tracker

        return Tracker(self._store, background=self._background)

    def _searcher(self, view: "View") -> "Searcher | str":
        return self._meaning.searcher(view)

    def _read(
        self,
        question: str,
        texts: Mapping[str, str],
        profile: "Profile",
        revision: int,
        *,
        named: bool = False,
    ) -> "Reading":
        from pinyon import reranking

        return reranking.SHARED.read(question, texts, profile, revision, named=named)

    def _written(self) -> None:
        """What was written waits to be embedded."""
        if self._background:
            self._meaning.wake()
