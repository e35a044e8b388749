"""Tiers: other stores that are searched beside the one that is open, and where that is kept.

A setting of the open store names each of them: `tier.NAME`, with its path and its priority. They
are only ever read. With none configured, a search pays for one look at the settings.
"""

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pinyon.engine.opened import Opened
from pinyon.model.errors import InvalidInput, NotAStore, UnknownSetting

if TYPE_CHECKING:
    from pinyon.engine.guests import Guests
    from pinyon.store.contract import View

KEY = "tier"
"""The setting that names the store itself, and what the keys of the others begin with."""

OWN = "agent"
PRIORITIES: Mapping[str, float] = {"agent": 1.0, "project": 0.8, "team": 0.6}
OTHERS = 0.5
"""The priority of a tier with another name."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_REMOVE = "remove it first: pinyon tier remove {}"


class Tier(NamedTuple):
    """`path` is None for the store that is open. `problem` says why a setting cannot be used."""

    name: str
    priority: float
    path: Path | None = None
    problem: str = ""


class TierInfo(NamedTuple):
    """A tier as it is now. `state` is open, or a word for why it is not searched, which `problem`
    says in whole; `records` counts what can be found in it."""

    name: str
    path: str
    priority: float
    state: str = "open"
    records: int = 0
    problem: str = ""


def tiers_in(settings: Mapping[str, str]) -> list[Tier]:
    """All tiers, the highest first: by priority, then the store itself, then by name."""
    own = settings.get(KEY, OWN)
    named = {key.removeprefix(f"{KEY}."): key for key in settings if key.startswith(f"{KEY}.")}
    tiers = [_parsed(name, settings[key], own) for name, key in named.items()]
    if own not in named:
        tiers.append(Tier(own, 1.0))
    return sorted(tiers, key=lambda tier: (-tier.priority, tier.path is not None, tier.name))


def _parsed(name: str, text: str, own: str) -> Tier:
    import json

    usual = 1.0 if name == own else PRIORITIES.get(name, OTHERS)
    try:
        table = json.loads(text)
        priority = _checked(float(table.get("priority", usual)))
        return Tier(name, priority, None if name == own else Path(table["path"]))
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError, InvalidInput):
        if name == own:
            return Tier(name, usual)
        problem = f"its setting {KEY}.{name} cannot be read (pinyon tier remove {name})"
        return Tier(name, usual, Path(), problem)


def _checked(priority: object) -> float:
    if not (isinstance(priority, int | float) and math.isfinite(priority) and 0 < priority <= 1):
        raise InvalidInput(
            f"a priority of {priority} cannot be", remedy="give a number above 0, up to 1"
        )
    return float(priority)


class Tiering(Opened):
    """See Engine."""

    @cached_property
    def _guests(self) -> "Guests":
        from pinyon.engine.guests import Guests

        return Guests()

    def close(self) -> None:
        """Release the store, and those of other tiers."""
        if "_guests" in self.__dict__:
            self._guests.close()
        super().close()

    @contextmanager
    def _view(self, names: Sequence[str] = ()) -> Iterator["View"]:
        """One moment of the tiers with these names, or of all: of the store alone where it is the
        only one. Raises UnknownSetting for a name that no tier has."""
        with self._store.snapshot() as home:
            tiers = tiers_in(home.settings())
            chosen = _chosen(tiers, names)
            if len(tiers) == 1:
                yield home
            else:
                with self._together(home, chosen) as view:
                    yield view

    @contextmanager
    def _together(self, home: "View", tiers: Sequence[Tier]) -> Iterator["View"]:
        """A tier that cannot be opened is left out, and the view says why."""
        from pinyon.engine.guests import identity
        from pinyon.store.tiers import Member, TieredView

        members, entered, troubles = [], {}, []
        known = {identity(Path(self._name))} if self._name else set()
        try:
            for tier in tiers:
                if tier.path is None:
                    members.append(Member(tier.name, tier.priority, home))
                    continue
                try:
                    if tier.problem:
                        raise InvalidInput(tier.problem)
                    file = identity(tier.path)
                    if file and file in known:
                        raise InvalidInput(f"{tier.path} is searched already, as another tier")
                    guest = self._guests.enter(tier.path)
                except Exception as error:  # whatever is wrong with it, the search goes on
                    troubles.append(f"tier {tier.name} was left out: {error}")
                    continue
                known.add(file)
                entered[tier.name] = guest
                members.append(Member(tier.name, tier.priority, guest.view, guest.guard))
            view = TieredView(home, members, troubles)
            yield view
            for name in entered.keys() - set(view.tiers):  # they failed on the way
                self._guests.drop(entered[name].path)
        finally:
            # Not by an ExitStack: what the others raise is none of their business.
            for guest in entered.values():
                guest.leave()

    @property
    def tier(self) -> str:
        """The name of this store among the tiers."""
        with self._store.snapshot() as home:
            return home.settings().get(KEY, OWN)

    # configuration

    def tiers(self) -> list[TierInfo]:
        """All tiers as they are now, the highest first. Each is opened and counted."""
        with self._store.snapshot() as home:
            return [self._looked_at(tier, home) for tier in tiers_in(home.settings())]

    def add_tier(self, name: str, path: str | Path, *, priority: float | None = None) -> TierInfo:
        """Search the store at `path`, too, from now on, as the tier `name`. It need not exist yet.
        Of a known tier at the same path the priority is changed. Raises InvalidInput for what would
        be searched twice, and NotAStore."""
        usual = PRIORITIES.get(name, OTHERS) if priority is None else priority
        tier = Tier(_named(name), _checked(usual), _absolute(path))
        with self._store.snapshot() as home:
            self._check_new(tier, tiers_in(home.settings()))
            info = self._looked_at(tier, home)
        if info.state == "no store":
            raise NotAStore(info.problem)
        self._keep({f"{KEY}.{name}": {"path": str(tier.path), "priority": tier.priority}})
        return info

    def name_tier(self, name: str, *, priority: float = 1.0) -> TierInfo:
        """Call the store itself by this name among the tiers, with this priority."""
        with self._store.snapshot() as home:
            settings = home.settings()
            before = settings.get(KEY, OWN)
            others = {tier.name for tier in tiers_in(settings) if tier.path is not None}
            if _named(name) in others:
                raise InvalidInput(f"another tier is called {name!r}", remedy=_REMOVE.format(name))
            info = self._looked_at(Tier(name, _checked(priority)), home)
        self._keep({f"{KEY}.{before}": None, KEY: name, f"{KEY}.{name}": {"priority": priority}})
        return info

    def remove_tier(self, name: str) -> None:
        """Search it no more. Its file stays as it is. Raises UnknownSetting for an unknown name."""
        with self._store.snapshot() as home:
            tiers = tiers_in(home.settings())
        if name not in {tier.name for tier in tiers if tier.path is not None}:
            known = [tier.name for tier in tiers if tier.path is not None]
            raise UnknownSetting(f"no tier {name!r} that could be removed", known)
        self._keep({f"{KEY}.{name}": None})

    def _keep(self, settings: Mapping[str, str | Mapping[str, object] | None]) -> None:
        import json

        from pinyon.store.contract import Batch

        texts = {
            key: json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else value
            for key, value in settings.items()
        }
        self._store.commit(Batch(now=self._clock(), settings=texts))

    def _check_new(self, tier: Tier, known: Sequence[Tier]) -> None:
        assert tier.path is not None
        if self._name and _same(tier.path, Path(self._name)):
            raise InvalidInput(
                f"{tier.path} is the store itself", remedy="name the file of another store"
            )
        for other in known:
            same = other.path is not None and _same(tier.path, other.path)
            if other.name == tier.name and not same:
                remedy = "choose another name" if other.path is None else _REMOVE.format(other.name)
                raise InvalidInput(f"there is already a tier {other.name!r}", remedy=remedy)
            if other.name != tier.name and same:
                raise InvalidInput(
                    f"{tier.path} is already the tier {other.name!r}",
                    remedy=_REMOVE.format(other.name),
                )

    def _looked_at(self, tier: Tier, home: "View") -> TierInfo:
        from pinyon.engine.guests import state_of

        if tier.path is None:
            return TierInfo(tier.name, self._name, tier.priority, records=_count(home))
        info = TierInfo(tier.name, str(tier.path), tier.priority)
        if tier.problem:
            return info._replace(path="", state="misconfigured", problem=tier.problem)
        try:
            guest = self._guests.enter(tier.path)
            try:
                with guest.guard():
                    return info._replace(records=_count(guest.view))
            finally:
                guest.leave()
        except Exception as error:  # it is what this list is for
            return info._replace(state=state_of(error), problem=str(error))


def _chosen(tiers: Sequence[Tier], names: Sequence[str]) -> Sequence[Tier]:
    if isinstance(names, str):
        raise InvalidInput("tiers must be a list of names", remedy=f"write [{names!r}]")
    known = [tier.name for tier in tiers]
    for name in names:
        if name not in known:
            raise UnknownSetting(f"no tier {name!r}", known)
    return [tier for tier in tiers if tier.name in names] if names else tiers


def _named(name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name!r} cannot be the name of a tier",
            remedy="use letters, digits, - and _, up to 64 of them",
        )
    return name


def _absolute(path: str | Path) -> Path:
    """Where it is, wherever the next search is asked from. Links are kept."""
    if "\0" in str(path) or not str(path):
        raise InvalidInput(f"{str(path)!r} is no path", remedy="name the file of another store")
    try:
        return Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100  (takes .. away)
    except RuntimeError:
        raise InvalidInput(f"{path}: no such user", remedy="write the whole path") from None


def _same(one: Path, other: Path) -> bool:
    """Whether both are the same file, also by links; of what does not exist, the same path."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _count(view: "View") -> int:
    from pinyon.store.questions import Values

    return sum(view.survey(Values("kind")).values())
