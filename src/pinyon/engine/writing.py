"""Writing: the methods of an engine that change single records, and that say what to change."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pinyon.engine.opened import Opened
from pinyon.model.record import Edge, Record

if TYPE_CHECKING:
    from pinyon.index.changes import Changes
    from pinyon.store.contract import View


class Writing(Opened):
    """See Engine."""

    @cached_property
    def _changes(self) -> "Changes":
        from pinyon.index.changes import Changes

        return Changes(self._store, self._clock)

    def save(self, record: Record, *, replace: bool = False, duplicates: str = "keep") -> str:
        """Write a record and return its id: its own, or a new one made from its title. An id that
        is taken raises DuplicateRecord, unless `replace`.

        `duplicates` says what to do where others say the same (see `duplicates`), unless a known
        record is written over: "keep" saves without looking, "refuse" raises DuplicateText, "merge"
        writes what is new into the most alike and returns its id, "supersede" saves it in their
        place."""
        saved = self._changes.save(
            record, overwrite=replace, duplicates=duplicates, alike=self._alike
        )
        self._written()
        return saved

    def _alike(self, view: "View", record: Record) -> list[str]:
        from pinyon.search.duplicates import duplicates

        return [one.id for one in duplicates(view, record, now=self._clock())]

    def update(self, id: str, /, *, expected: int | None = None, **changes: Any) -> Record:
        """Change some fields of a record; the others stay. Returns it as it is now. Where it is not
        at the version that is `expected`, nothing is changed: StaleRecord."""
        updated = self._changes.update(id, changes, expected=expected)
        self._written()
        return updated

    def correct(self, id: str, /, why: str = "", **changes: Any) -> str:
        """Replace what was wrong: a new record with the changes on top of the old one, which stays
        but leaves every answer. The new one begins anew with its dates, mentions and use, and takes
        the links over. `why` is kept. Returns the new id. Raises SupersededRecord for a record that
        was corrected already, with the id of the latest."""
        corrected = self._changes.correct(id, changes, why)
        self._written()
        return corrected

    def tag(self, id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Record:
        """Add and remove tags of one record. Returns it as it is now."""
        return self._changes.tag(id, add, remove)

    def rename_tag(self, old: str, new: str) -> int:
        """Rename a tag on every record that has it. Returns how many had it."""
        return self._changes.rename_tag(old, new)

    def forget(self, *ids: str, purge: bool = False) -> None:
        """Take records out of every answer. They stay in the file, and `save` with the same id
        brings one back, unless `purge`: then nothing is left of them, and nothing is remembered of
        any text outside of the store. Raises BusyStore when they are purged, but somebody still
        reads the file as it was before."""
        if not purge:
            self._changes.forget(ids)
            return
        if "_tracker" in self.__dict__:
            self._tracker.flush()  # a question that names them goes with them
        own = self._changes.purge(ids)
        try:
            self._meaning.forget_texts()
        finally:
            self._store.scrub(own)

    def link(
        self, from_id: str, relation: str, to_id: str, *, strength: float = 1.0, evidence: str = ""
    ) -> Edge:
        """Join two records by an edge; one with the same ends and relation is written over."""
        return self._changes.link(Edge(from_id, relation, to_id, strength, evidence))

    def unlink(self, from_id: str, relation: str, to_id: str) -> None:
        """Remove an edge. Raises InvalidInput if there is none."""
        self._changes.unlink(Edge(from_id, relation, to_id))
