"""Limits: the tiers and scopes of a permit, against what is asked for.

What can be told from names is told without touching the store. The name of the store's own tier,
and the scope of a record, stand in the store.
"""

from collections.abc import Iterable, Sequence

from pinyon.access.permit import Permit
from pinyon.engine import Engine
from pinyon.model.check import check_scope
from pinyon.model.errors import NotPermitted, UnknownRecord
from pinyon.model.record import Record


class Limits:
    """Raises NotPermitted for what lies outside, and UnknownRecord for a record that does."""

    def __init__(self, engine: Engine, permit: Permit) -> None:
        self._engine = engine
        self._permit = permit

    # scopes, by name

    def check_scope(self, scope: object) -> None:
        """Whether this scope may be used."""
        if self._permit.scopes and not self._permit.inside(check_scope("scope", scope)):
            raise NotPermitted(
                f"{self._permit.name} may not use the scope {scope!r}",
                remedy=f"use one of: {', '.join(self._permit.scopes)}",
            )

    def scopes(self, asked: Sequence[str]) -> Sequence[str]:
        """Those that are asked for, or all of its own."""
        if not self._permit.scopes:
            return asked
        named = [each for each in ([asked] if isinstance(asked, str) else asked) if each != ""]
        for each in named:
            self.check_scope(each)
        return named or self._permit.scopes

    def scope(self, asked: str) -> str:
        """One scope, where only one can be asked about."""
        if asked or not self._permit.scopes:
            self.check_scope(asked)
            return asked
        if len(self._permit.scopes) > 1:
            raise NotPermitted(
                f"{self._permit.name} may not see all scopes",
                remedy=f"name one: {', '.join(self._permit.scopes)}",
            )
        return self._permit.scopes[0]

    # tiers

    def tiers(self, asked: Sequence[str]) -> Sequence[str]:
        """Those that are asked for, or all of its own that there are."""
        allowed = self._permit.tiers
        if not allowed:
            return asked
        for each in [asked] if isinstance(asked, str) else asked:
            if each not in allowed:
                raise self._other_tier(each)
        # One that is gone would be refused with the names of all the others.
        there = [name for name in self._names() if name in (asked or allowed)]
        if not there:
            raise self._other_tier((*asked, *allowed)[0])
        return there

    def own(self) -> None:
        """Most methods speak of the store itself, which may be a tier that is closed."""
        if self._permit.tiers and self._engine.tier not in self._permit.tiers:
            raise self._other_tier(self._engine.tier)

    def whole(self) -> None:
        """Nothing of the store is closed."""
        if self._permit.scopes:
            raise NotPermitted(
                f"{self._permit.name} may not see the whole store",
                remedy="use a token that is not limited to scopes",
            )
        self.own()

    def below(self, asked: Sequence[str]) -> list[str]:
        """The store itself, and the tiers that give way where it has a record of the same id: in
        these, its records are those that were looked at."""
        names = self._names()
        own = self._engine.tier
        below = [name for name in names[names.index(own) :] if not asked or name in asked]
        if own not in below:
            raise self._other_tier(own)
        return below

    def _names(self) -> list[str]:
        """The highest first."""
        from pinyon.engine.tiers import tiers_in

        return [tier.name for tier in tiers_in(self._engine.config())]

    def _other_tier(self, name: str) -> NotPermitted:
        return NotPermitted(
            f"{self._permit.name} may not use the tier {name}",
            remedy=f"search in its own: {', '.join(self._permit.tiers)}",
        )

    # records

    def visible(self, *ids: str) -> list[Record]:
        """The records with these ids, in their order. Raises UnknownRecord for all that it cannot
        see together, so that nothing tells which of them exist."""
        self.own()
        if not self._permit.scopes:
            return self._engine.get(*ids)
        known = self.some(ids)
        missing = [id for id in ids if id not in known]
        if missing:
            raise UnknownRecord(missing)
        return [known[id] for id in ids]

    def some(self, ids: Iterable[str]) -> dict[str, Record]:
        """Those of the records that there are and that it can see."""
        wanted = list(dict.fromkeys(ids))
        while True:
            try:
                found = self._engine.get(*wanted)
            except UnknownRecord as error:
                wanted = [id for id in wanted if id not in error.ids]
            else:
                return {each.id: each for each in found if self._permit.inside(each.scope)}

    def check_free(self, id: str) -> None:
        """Whether a record may be written under this id. One of another scope cannot be written
        over, nor can one that was forgotten there: it would come back with its links."""
        if id in self.some([id]):
            return
        try:
            before = self._engine.history(id)
        except UnknownRecord:
            return
        elsewhere = not before or not self._permit.inside(before[-1].record.scope)
        if elsewhere or self._there(id):
            raise NotPermitted(
                f"{self._permit.name} may not write over {id!r}", remedy="choose another id"
            )

    def _there(self, id: str) -> bool:
        try:
            self._engine.get(id)
        except UnknownRecord:
            return False
        return True
