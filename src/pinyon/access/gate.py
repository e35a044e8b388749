"""Gate: who calls. What a request says of itself in, a permit out, or a refusal."""

import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pinyon.access.permit import OWNER, Permit
from pinyon.access.tokens import PREFIX, REMEDY, Tokens
from pinyon.model.errors import InvalidInput, NotPermitted, NotRecognised

SCHEME = "bearer"

log = logging.getLogger(__name__)


class Gate:
    """For one store, as long as a process serves it. Where the store has no token, whoever can
    reach it is its owner, unless tokens are `required`. Once it has one, even an expired one, every
    request needs one, until the process ends. Raises InvalidInput where they cannot be read."""

    def __init__(
        self,
        store: Path,
        *,
        required: bool = False,
        folder: Path | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.tokens = Tokens(store, folder=folder, clock=clock)
        self._clock = clock
        self._invited: list[str] = []
        self._required = bool(self.tokens.all()) or required

    @property
    def required(self) -> bool:
        """Whether a request needs a token now."""
        return self._required or self._look()

    def check(self) -> None:
        """Raises InvalidInput where every request needs a token and there is none that counts."""
        now = self._clock()
        if self.required and all(each.expired(now) for each in self.tokens.all()):
            raise InvalidInput(
                "this store has no token, and here every request needs one",
                remedy="pinyon token create NAME --can search",
            )

    def invite(self) -> str:
        """A token of the owner, for the page. It is kept nowhere and ends with the process."""
        secret = secrets.token_urlsafe(32)
        token = f"{PREFIX}_page_{secret}"
        self._invited.append(_digest(token))
        return token

    def permit(self, authorization: str | None) -> Permit:
        """What the caller may do, by its Authorization header. Raises NotRecognised; NotPermitted
        where tokens cannot be read. One that does not count is refused even where none is needed:
        whoever was limited yesterday is not the owner today."""
        if authorization is None:
            if self.required:
                raise NotRecognised("who asks must show a token", remedy=REMEDY)
            return OWNER
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != SCHEME:
            raise NotRecognised("only tokens are known here", remedy=REMEDY)
        token = token.strip()
        if any(hmac.compare_digest(_digest(token), each) for each in self._invited):
            return OWNER
        try:
            return self.tokens.permit(token)
        except InvalidInput as unreadable:
            raise _closed(unreadable) from None

    def _look(self) -> bool:
        """Whether the store has a token, or had one since the process began."""
        if not self._required:
            try:
                self._required = bool(self.tokens.all())
            except InvalidInput as unreadable:
                raise _closed(unreadable) from None
        return self._required


def _closed(problem: InvalidInput) -> NotPermitted:
    """Where the file lies is told to the owner, not to whoever asks."""
    log.error("nobody is let in: %s", problem)
    return NotPermitted(
        "nobody is let in: the tokens cannot be read",
        remedy="the owner sees why: pinyon token list",
    )


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
