"""Writing: the methods of an engine that change single records and edges."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pinyon.engine.opened import Opened
from pinyon.model.record import Edge, Record

if TYPE_CHECKING:
    from pinyon.index.changes import Changes


class Writing(Opened):
    """See Engine."""

    @cached_property
    def _changes(self) -> "Changes":
        from pinyon.index.changes import Changes

        return Changes(self._store, self._clock)

    def save(self, record: Record, *, replace: bool = False) -> str:
        """Write a record and return its id: its own, or a new one made from its title. An id that
        is taken raises DuplicateRecord, unless `replace`."""
        saved = self._changes.save(record, overwrite=replace)
        self._written()
        return saved

    def update(self, id: str, /, **changes: Any) -> Record:
        """Change some fields of a record; the others stay. Returns it as it is now."""
        updated = self._changes.update(id, changes)
        self._written()
        return updated

    def tag(self, id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Record:
        """Add and remove tags of one record. Returns it as it is now."""
        return self._changes.tag(id, add, remove)

    def rename_tag(self, old: str, new: str) -> int:
        """Rename a tag on every record that has it. Returns how many had it."""
        return self._changes.rename_tag(old, new)

    def forget(self, *ids: str, purge: bool = False) -> None:
        """Take records out of every answer. They stay in the file, and `save` with the same id
        brings one back, unless `purge`: then nothing is left of them."""
        if not purge:
            self._changes.forget(ids, purge=False)
            return
        from pinyon.meaning import digests, forget_texts

        known = digests(self._store, ids)
        self._changes.forget(ids, purge=True)
        forget_texts(known)

    def link(
        self, from_id: str, relation: str, to_id: str, *, strength: float = 1.0, evidence: str = ""
    ) -> Edge:
        """Join two records by an edge; one with the same ends and relation is written over."""
        return self._changes.link(Edge(from_id, relation, to_id, strength, evidence))

    def unlink(self, from_id: str, relation: str, to_id: str) -> None:
        """Remove an edge. Raises InvalidInput if there is none."""
        self._changes.unlink(Edge(from_id, relation, to_id))
