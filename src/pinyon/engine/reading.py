"""Reading: the methods of an engine that read without a question: by id, by field, by number."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pinyon.engine.tiers import Tiering
from pinyon.model.errors import InvalidInput, UnknownRecord, UnknownSetting
from pinyon.model.record import Record, Version
from pinyon.search.given import given_date
from pinyon.search.related import Related, related

if TYPE_CHECKING:
    from pinyon.model.use import Use
    from pinyon.search.conflicts import Conflict
    from pinyon.search.duplicates import Duplicate
    from pinyon.store.contract import View
    from pinyon.store.questions import Counts
    from pinyon.track import QueryStats


DEEPEST = 5
"""The most hops from a record that `related` goes."""


class Reading(Tiering):
    """See Engine."""

    def get(self, *ids: str) -> list[Record]:
        """The records with these ids, in their order. Raises UnknownRecord if one is missing."""
        with self._store.snapshot() as view:
            return _found(view, ids)

    def history(self, id: str) -> list[Version]:
        """What a record was before each of its changes, oldest first."""
        from pinyon.store.questions import History

        with self._store.snapshot() as view:
            if id not in view.fetch([id], forgotten=True):
                raise UnknownRecord([id])
            return view.survey(History(id))

    def related(
        self, id: str, *, relations: Sequence[str] = (), depth: int = 1, limit: int | None = None
    ) -> list[Related]:
        """The edges around this record, up to `depth` hops away, and the records that they lead to:
        nearest first, then strongest."""
        if type(depth) is not int or not 1 <= depth <= DEEPEST:
            raise InvalidInput(f"depth must be a whole number from 1 to {DEEPEST}")
        if limit is not None and (type(limit) is not int or limit < 1):
            raise InvalidInput("limit must be a whole number above 0")
        with self._store.snapshot() as view:
            _found(view, [id])
            return related(view, id, relations, depth=depth, most=limit)

    def values(self, field: str) -> dict[str, int]:
        """Each value of tags, domain, kind, author or scope, with the number of its records."""
        from pinyon.store.questions import Values

        known = ("tags", "domain", "kind", "author", "scope")
        if field not in known:
            raise UnknownSetting(f"no values of {field!r}", known)
        with self._store.snapshot() as view:
            return view.survey(Values(field))

    def stats(self) -> "Counts":
        """How much the store holds."""
        from pinyon.store.questions import Size

        with self._store.snapshot() as view:
            return view.survey(Size())

    def questions(self, *, since: datetime | str | None = None) -> "QueryStats":
        """What was asked, as far as it is kept: how often, how long it took, what found nothing."""
        from pinyon.store.questions import Log
        from pinyon.track import summary

        with self._store.snapshot() as view:
            return summary(view.survey(Log(given_date("since", since))))

    def use(self, *ids: str) -> "dict[str, Use]":
        """How records were used, and how well they are remembered; those that never were used are
        left out."""

        with self._store.snapshot() as view:
            return view.uses(ids)

    def folders(self) -> dict[str, str]:
        """The folders that were indexed: name to path."""
        from pinyon.store.questions import Folders

        with self._store.snapshot() as view:
            return view.survey(Folders())

    def duplicates(
        self, record: Record | str, *, least: float = 0.8, disagreeing: bool = False
    ) -> "list[Duplicate]":
        """The records of the same kind and scope that share at least `least` [0, 1] of their words
        with a record, or with the one of this id; most alike first. With `disagreeing` also those
        that differ in a number, a date or a negation."""
        from pinyon.model.check import recheck
        from pinyon.search.duplicates import duplicates

        if type(least) not in (int, float) or not 0 < least <= 1:
            raise InvalidInput("least must be a number above 0 and at most 1")
        if not isinstance(record, (str, Record)):
            raise InvalidInput("what to compare must be a record or an id")
        with self._store.snapshot() as view:
            if isinstance(record, str):
                known = view.fetch([record]).get(record)
                if known is None:
                    raise UnknownRecord([record])
            else:
                known = recheck(record)
            return duplicates(view, known, now=self._clock(), least=least, disagreeing=disagreeing)

    def conflicts(self, scope: str = "") -> "list[Conflict]":
        """The pairs of records in this scope, and below, that contradict each other and both stand.
        One ends with `correct`, `forget`, a link `supersedes`, or, where it was linked, `unlink`.
        """
        from pinyon.model.check import check_scope
        from pinyon.search.conflicts import conflicts
        from pinyon.search.duplicates import duplicates

        now = self._clock()

        def alike(view: "View", record: Record) -> list[str]:
            return [one.id for one in duplicates(view, record, now=now, disagreeing=True)]

        scope = check_scope("scope", scope)
        with self._store.snapshot() as view:
            return conflicts(view, now=now, scope=scope, alike=alike)


def _found(view: "View", ids: Sequence[str]) -> list[Record]:
    records = view.fetch(ids)
    missing = [id for id in ids if id not in records]
    if missing:
        raise UnknownRecord(missing)
    return [records[id] for id in ids]
