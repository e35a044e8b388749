"""Permitted: an engine as one caller may use it. Every surface that others can reach asks this.

What a method takes stands in NEEDS. Capabilities, scopes and tiers by name are checked before the
store is touched. Whoever is limited to scopes sees nothing outside of them: a record elsewhere is a
record that does not exist. Only that an id is taken cannot be hidden from who wants to use it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinyon.access import seen
from pinyon.access.limits import Limits
from pinyon.access.needs import check, harmless
from pinyon.access.permit import OWNER, Permit
from pinyon.engine import Engine
from pinyon.model.errors import StaleRecord, SupersededRecord
from pinyon.model.hit import Answer
from pinyon.model.record import Edge, Record, Version
from pinyon.search.related import Related

if TYPE_CHECKING:
    from pinyon.engine.tiers import TierInfo
    from pinyon.index.embed import Embedded, Pace
    from pinyon.index.pipeline import Progress, Report
    from pinyon.model.profile import Profile
    from pinyon.search.brief import Brief
    from pinyon.search.conflicts import Conflict


class Permitted:
    """The methods of an engine, by their names. Raises NotPermitted."""

    def __init__(self, engine: Engine, permit: Permit = OWNER) -> None:
        self._engine = engine
        self._limits = Limits(engine, permit)
        self.permit = permit

    # asking

    def search(
        self,
        query: str = "",
        *,
        scope: str | Sequence[str] = "",
        tiers: Sequence[str] = (),
        like: str | None = None,
        **how: Any,
    ) -> Answer:
        """For a caller with scopes, no word is taken for misspelt and no acronym is expanded: both
        would tell what stands in records that it cannot see."""
        check(self.permit, "search")
        paths = how.get("override") or ()
        if isinstance(how.get("rerank"), str) or not all(harmless(p, self.permit) for p in paths):
            check(self.permit, "override")
        scopes = self._limits.scopes(scope)
        among = self._limits.tiers(tiers)
        if not self.permit.scopes:
            return self._engine.search(query, scope=scopes, tiers=among, like=like, **how)
        if like is not None:
            self._limits.visible(like)
            among = self._limits.below(among)
        how |= {"fix": False, "expand": False}
        answer = self._engine.search(query, scope=scopes, tiers=among, like=like, **how)
        return seen.answer(answer, self.permit)

    def brief(self, scope: str = "", **how: Any) -> "Brief":
        check(self.permit, "brief")
        scope = self._limits.scope(scope)
        self._limits.own()
        return self._engine.brief(scope, **how)

    def conflicts(self, scope: str = "") -> "list[Conflict]":
        """Those of which both sides can be seen."""
        check(self.permit, "conflicts")
        scopes = self._limits.scopes([scope])
        self._limits.own()
        found = {each: None for one in scopes for each in self._engine.conflicts(one)}
        if not self.permit.scopes:
            return list(found)
        known = self._limits.some(id for each in found for id in (each.one, each.other))
        return [each for each in found if each.one in known and each.other in known]

    # reading

    def get(self, *ids: str) -> list[Record]:
        check(self.permit, "get")
        return self._limits.visible(*ids)

    def history(self, id: str) -> list[Version]:
        """What it was before, without what it was while it lay in another scope."""
        check(self.permit, "history")
        self._reach(id)
        return [each for each in self._engine.history(id) if self.permit.inside(each.record.scope)]

    def related(
        self, id: str, *, relations: Sequence[str] = (), depth: int = 1, limit: int | None = None
    ) -> list[Related]:
        """To a caller with scopes, no way leads through what it cannot see."""
        check(self.permit, "related")
        self._reach(id)
        if not self.permit.scopes:
            return self._engine.related(id, relations=relations, depth=depth, limit=limit)
        return seen.related(self._engine, self.permit, id, relations, depth, limit)

    def values(self, field: str) -> dict[str, int]:
        """Of a caller with scopes, those of its newest records: see `seen.MOST`."""
        check(self.permit, "values")
        self._limits.own()
        if not self.permit.scopes:
            return self._engine.values(field)
        return seen.values(self._engine, self.permit, field)

    def profiles(self) -> "list[Profile]":
        check(self.permit, "profiles")
        return [self._engine.profile(name) for name in self._engine.profiles()]

    def tiers(self) -> "list[TierInfo]":
        """To a caller with scopes, neither how much they hold nor where they lie."""
        check(self.permit, "tiers")
        allowed = self.permit.tiers
        tiers = [tier for tier in self._engine.tiers() if not allowed or tier.name in allowed]
        if not self.permit.scopes:
            return tiers
        return [tier._replace(path="", records=0, problem="") for tier in tiers]

    def whole(self) -> Engine:
        """The engine itself, for what speaks of the whole store: its statistics."""
        check(self.permit, "whole")
        self._limits.whole()
        return self._engine

    # writing

    def save(self, record: Record, *, replace: bool = False, duplicates: str = "keep") -> str:
        check(self.permit, "save")
        self._limits.check_scope(record.scope)
        self._limits.own()
        if record.id and self.permit.scopes:
            self._limits.check_free(record.id)
        return self._engine.save(record, replace=replace, duplicates=duplicates)

    def update(self, id: str, /, *, expected: int | None = None, **changes: Any) -> Record:
        check(self.permit, "update")
        self._check_changes(changes)
        if not self.permit.scopes:
            self._limits.own()
            return self._engine.update(id, expected=expected, **changes)
        while True:
            (known,) = self._limits.visible(id)
            if expected not in (None, known.version):
                raise StaleRecord(id, expected or 0, known.version)
            try:
                # Only what was looked at is changed: it may have moved to another scope since.
                return self._engine.update(id, expected=known.version, **changes)
            except StaleRecord:
                if expected is not None:
                    raise

    def correct(self, id: str, /, why: str = "", **changes: Any) -> str:
        check(self.permit, "correct")
        self._check_changes(changes)
        if not self.permit.scopes:
            self._limits.own()
            return self._engine.correct(id, why, **changes)
        self._limits.visible(id)
        try:
            return self._engine.correct(id, why, **changes)
        except SupersededRecord as error:
            known = self._limits.some(error.latest)
            raise seen.superseded(id, [each for each in error.latest if each in known]) from None

    def forget(self, *ids: str, purge: bool = False) -> None:
        check(self.permit, "purge" if purge else "forget")
        self._reach(*ids)
        self._engine.forget(*ids, purge=purge)

    def link(self, from_id: str, relation: str, to_id: str, **how: Any) -> Edge:
        check(self.permit, "link")
        self._reach(from_id, to_id)
        return self._engine.link(from_id, relation, to_id, **how)

    def unlink(self, from_id: str, relation: str, to_id: str) -> None:
        check(self.permit, "unlink")
        self._reach(from_id, to_id)
        self._engine.unlink(from_id, relation, to_id)

    def feedback(self, id: str, verdict: str, **how: Any) -> None:
        check(self.permit, "feedback")
        self._reach(id)
        self._engine.feedback(id, verdict, **how)

    # looking after the store

    def index(
        self, path: str | Path, *, progress: "Callable[[Progress], None] | None" = None
    ) -> "Report":
        check(self.permit, "index")
        self._limits.whole()
        return self._engine.index(path, progress=progress)

    def embed(
        self,
        *,
        seconds: float | None = None,
        retry: bool = False,
        progress: "Callable[[Pace], None] | None" = None,
    ) -> "Embedded":
        check(self.permit, "embed")
        self._limits.own()
        return self._engine.embed(seconds=seconds, retry=retry, progress=progress)

    def check_job(self, what: str = "index") -> None:
        """Raises NotPermitted, before anything is begun, for a caller that may not have this done
        behind, nor look at what is."""
        check(self.permit, what)
        self._limits.whole()

    def config(self) -> dict[str, str]:
        check(self.permit, "config")
        self._limits.whole()
        return self._engine.config()

    def configure(self, key: str, value: str | None) -> str:
        check(self.permit, "configure")
        self._limits.whole()
        return self._engine.configure(key, value)

    def _check_changes(self, changes: dict[str, Any]) -> None:
        if "scope" in changes:
            self._limits.check_scope(changes["scope"])

    def _reach(self, *ids: str) -> None:
        """What it does not see, it cannot touch. Whether they exist at all, the engine says."""
        if self.permit.scopes:
            self._limits.visible(*ids)
        else:
            self._limits.own()
