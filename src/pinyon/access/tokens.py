"""Tokens: who may ask a store from outside. They lie in the user's configuration folder, not in the
store: whoever has none that counts is refused before the store is touched.

Of a token only a digest is kept. It has 256 random bits, so a plain SHA-256 cannot be turned back.
"""

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pinyon import settings
from pinyon.access import kept
from pinyon.access.permit import CAPABILITIES, Permit
from pinyon.model.check import check_date, check_scope
from pinyon.model.errors import InvalidInput, NotRecognised, UnknownSetting

PREFIX = "pinyon"
"""What every token begins with, so that programs that look for secrets find it."""

UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_SPAN = re.compile(r"(\d{1,5})([hdw])")
REMEDY = "create one with pinyon token create, and send it as Authorization: Bearer TOKEN"


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token. `store` is the path of the file that it opens."""

    name: str
    id: str
    sha256: str
    capabilities: tuple[str, ...]
    tiers: tuple[str, ...]
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    store: str

    def expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now

    def permit(self) -> Permit:
        return Permit(self.name, frozenset(self.capabilities), self.tiers, self.scopes)


class Tokens:
    """Those of one store, by whichever name or link its file is called. What another process does
    to them is seen at once. Every method raises InvalidInput where they cannot be read."""

    def __init__(
        self,
        store: Path,
        *,
        folder: Path | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = os.path.realpath(store)
        self._file = kept.File(folder or settings.config_folder())
        self._clock = clock
        self._read: tuple[bytes | None, list[Token]] = (None, [])

    def create(
        self,
        name: str,
        capabilities: Sequence[str],
        *,
        scopes: Sequence[str] = (),
        tiers: Sequence[str] = (),
        expires_at: datetime | None = None,
    ) -> str:
        """The new token, which nobody can ever read again. Raises InvalidInput."""
        secret = secrets.token_urlsafe(32)
        now = self._clock()
        token = Token(
            name=_named("name", name),
            id=secrets.token_hex(6),
            sha256=_digest(secret),
            capabilities=_capable(capabilities),
            tiers=tuple(dict.fromkeys(_named("tier", each) for each in tiers)),
            scopes=tuple(dict.fromkeys(map(_scope, scopes))),
            created_at=now,
            expires_at=_later(expires_at, now),
            store=self._store,
        )
        with self._file.changing() as listed:
            if any(each.name == name for each in self._own(listed)):
                raise InvalidInput(
                    f"there is already a token {name!r} for this store",
                    remedy=f"choose another name, or: pinyon token revoke {name}",
                )
            listed.append(_written(token))
        return f"{PREFIX}_{token.id}_{secret}"

    def all(self) -> list[Token]:
        """In the order in which they were created, those that have expired too."""
        raw = self._file.read()
        if raw != self._read[0]:
            self._read = raw, self._own(self._file.parsed(raw))
        return list(self._read[1])

    def revoke(self, name: str) -> None:
        """From now on it opens nothing. Raises UnknownSetting."""
        with self._file.changing() as listed:
            own = self._own(listed)
            gone = {each.id for each in own if each.name == name}
            if not gone:
                raise UnknownSetting(f"no token {name!r}", [each.name for each in own])
            listed[:] = [each for each in listed if each["id"] not in gone]

    def permit(self, token: str) -> Permit:
        """What the token permits. Raises NotRecognised where it does not count."""
        prefix, _, rest = token.partition("_")
        id, _, secret = rest.partition("_")
        known = next((each for each in self.all() if each.id == id), None)
        right = hmac.compare_digest(_digest(secret), known.sha256 if known else "")
        if known is None or not right or prefix != PREFIX:
            raise NotRecognised("this token does not count, or no more", remedy=REMEDY)
        if known.expired(self._clock()):
            raise NotRecognised(f"the token {known.name!r} has expired", remedy=REMEDY)
        return known.permit()

    def _own(self, listed: Sequence[dict[str, Any]]) -> list[Token]:
        tokens = [self._file.understood(_token, each) for each in listed]
        return [each for each in tokens if each.store == self._store or self._same(each.store)]

    def _same(self, path: str) -> bool:
        try:
            return os.path.samefile(path, self._store)  # noqa: PTH121  (a link made since)
        except OSError:
            return False


def expiry(text: str, now: datetime) -> datetime:
    """The moment that 30d, 12h, 8w or a date means. Raises InvalidInput."""
    span = _SPAN.fullmatch(text)
    if span:
        return now + int(span[1]) * UNITS[span[2]]
    try:
        return check_date("expires", text)
    except InvalidInput:
        raise InvalidInput(
            f"{text!r} is no time to expire", remedy="write it like 30d, 12h, 8w or 2027-01-01"
        ) from None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _named(what: str, name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name!r} cannot be the {what} of a token",
            remedy="use letters, digits, -, _ and ., up to 64 of them",
        )
    return name


def _capable(given: Sequence[str]) -> tuple[str, ...]:
    unknown = [each for each in given if each not in CAPABILITIES]
    if unknown:
        raise UnknownSetting(f"no capability {unknown[0]!r}", CAPABILITIES)
    if not given:
        raise InvalidInput("this token could do nothing", remedy="give it search, write or admin")
    return tuple(each for each in CAPABILITIES if each in given)


def _scope(given: str) -> str:
    scope = check_scope("scope", given)
    if not scope:
        raise InvalidInput("a scope cannot be empty", remedy="leave it out to open every scope")
    return scope


def _later(date: datetime | None, now: datetime) -> datetime | None:
    if date is None:
        return None
    date = check_date("expires_at", date)
    if date <= now:
        raise InvalidInput(f"{date:%Y-%m-%d %H:%M} is over", remedy="give a time to come")
    return date


def _written(token: Token) -> dict[str, Any]:
    ends = token.expires_at
    return {
        "name": token.name,
        "id": token.id,
        "sha256": token.sha256,
        "capabilities": list(token.capabilities),
        "tiers": list(token.tiers),
        "scopes": list(token.scopes),
        "created_at": token.created_at.isoformat(),
        "expires_at": ends.isoformat() if ends else None,
        "store": token.store,
    }


def _token(given: dict[str, Any]) -> Token:
    """Raises whatever it runs into. What limits a token must be there: a field that was lost is
    not the same as one that is empty."""
    ends = given["expires_at"]
    texts = {name: given[name] for name in ("name", "id", "sha256", "store")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise TypeError
    return Token(
        **texts,
        capabilities=_capable(given["capabilities"]),
        tiers=tuple(_named("tier", each) for each in _list(given["tiers"])),
        scopes=tuple(_scope(each) for each in _list(given["scopes"])),
        created_at=check_date("created_at", given["created_at"]),
        expires_at=None if ends is None else check_date("expires_at", ends),
    )


def _list(given: Any) -> list[str]:
    if not isinstance(given, list):
        raise TypeError
    return given
