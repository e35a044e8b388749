"""Guard: what stands before the service: who asks, from where, how much, and what every answer has.

A page of another site must reach nothing: a browser sends its name in Origin and cannot lie about
Host, so neither a foreign script nor a foreign name that was made to lead here (DNS rebinding) gets
through. It is bare ASGI: a search takes about a millisecond, and every layer is paid by each one.
"""

import logging
import re
import secrets
from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

from pinyon.access.gate import Gate
from pinyon.access.permit import NOBODY, Permit
from pinyon.model.errors import NotPermitted
from pinyon.surfaces.http import problems
from pinyon.surfaces.http.exchange import (
    FAILED,
    TOO_LARGE,
    Answer,
    Body,
    Headers,
    Refusal,
    Refused,
    raw,
)

LOOPBACK = ("localhost", "127.0.0.1", "::1")

OPEN = ("/", "/favicon.ico", "/openapi.json", "/v1/health")
PAGE = "/page/"
"""What everybody may read: the page and its files, which hold nothing of the store."""

MOST_BYTES = 32 * 2**20
BODY_TIMEOUT_S = 30.0

COMMON = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
POLICY = "Content-Security-Policy"
SHUT = "default-src 'none'; frame-ancestors 'none'"
OF_THE_PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, If-None-Match, "
    "Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id, X-Request-Id",
    "Access-Control-Max-Age": "600",
}
EXPOSED = b"ETag, Location, Mcp-Session-Id, X-Request-Id"

_REQUEST = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:@/]+)(:\d{1,5})?", re.IGNORECASE)
_FOREIGN = (b"cross-site", b"same-site")

log = logging.getLogger(__name__)


UNCLEAR_HOST = Refusal(400, "there must be one Host header, with a name")
OTHER_HOST = Refusal(
    421,
    "this server is not called by that name",
    "call it by its own, or serve with --allow-host NAME",
)
OTHER_SITE = Refusal(
    403, "pages of other sites may not ask this server", "serve with --allow-origin ORIGIN"
)
TWO_TOKENS = Refusal(400, "there are several Authorization headers", "send one")


class Guard:
    """`hosts` are the names that this server is called by, beside those of loopback; `origins`,
    like https://notes.example, are those whose pages may ask it. Puts `permit` and `request`, the
    id of the request, into the state of each."""

    def __init__(
        self,
        app: ASGIApp,
        gate: Gate,
        *,
        hosts: Iterable[str] = (),
        origins: Iterable[str] = (),
        most_bytes: int = MOST_BYTES,
        body_timeout_s: float = BODY_TIMEOUT_S,
    ) -> None:
        self._app = app
        self._gate = gate
        self._hosts = frozenset(each.lower().strip("[]") for each in (*LOOPBACK, *hosts))
        self._origins = frozenset(each.lower().rstrip("/") for each in origins)
        self._most_bytes = most_bytes
        self._body_timeout_s = body_timeout_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._guarded(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": "not spoken here"})

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = scope["headers"]
        asked = _first(given, b"x-request-id") or b""
        id = asked.decode() if _REQUEST.fullmatch(asked) else secrets.token_hex(8)
        added = [*_headers_of(scope["path"]), (b"x-request-id", id.encode()), *self._shared(given)]
        answer = Answer(send, added)
        body = Body(receive, answer, self._most_bytes, self._body_timeout_s)
        try:
            if self._asks_to_ask(scope):
                await answer.plain(204, PREFLIGHT)
                return
            permit = self._checked(scope)
            scope.setdefault("state", {}).update(permit=permit, request=id)
            await self._app(scope, body.receive, answer.send)
        except Refused as refused:
            answer.refusal = refused.refusal
        except Exception as error:  # whatever it is, the server lives and shows nothing of it
            if not body.gone and answer.refusal in (None, FAILED):
                log.error("request %s failed: %s", id, type(error).__name__, exc_info=error)
            answer.refusal = answer.refusal or FAILED
        if answer.refusal and not answer.begun and not body.gone:
            await answer.refuse(answer.refusal, id)

    def _checked(self, scope: Scope) -> Permit:
        """Raises Refused."""
        headers = scope["headers"]
        self._check_host(headers)
        self._check_origin(scope)
        length = _first(headers, b"content-length") or b"0"
        permit = NOBODY if _open(scope) else self._permit(headers)
        if not length.isdigit() or len(length) > 18 or int(length) > self._most_bytes:
            raise Refused(TOO_LARGE, self._most_bytes)
        return permit

    def _permit(self, headers: Headers) -> Permit:
        shown = [value for name, value in headers if name == b"authorization"]
        if len(shown) > 1:
            raise Refused(TWO_TOKENS)
        try:
            return self._gate.permit(shown[0].decode("latin-1") if shown else None)
        except NotPermitted as error:
            status = problems.status_of(error)
            challenge = 'Bearer error="invalid_token"' if shown else "Bearer"
            more = {"WWW-Authenticate": challenge} if status == 401 else {}
            kind = type(error).__name__
            said = Refusal(status, error.problem, error.remedy, kind, more)
            raise Refused(said) from None

    def _check_host(self, headers: Headers) -> None:
        hosts = [value for name, value in headers if name == b"host"]
        found = _HOST.fullmatch(hosts[0].decode("latin-1")) if len(hosts) == 1 else None
        if not found:
            raise Refused(UNCLEAR_HOST)
        host = found[1].lower().strip("[]").rstrip(".")
        if host not in self._hosts and found[0].lower() not in self._hosts:
            raise Refused(OTHER_HOST)

    def _check_origin(self, scope: Scope) -> None:
        """A page that shows an image from here, or the like, sends no Origin, but says that it is
        another site."""
        headers = scope["headers"]
        origin = _first(headers, b"origin")
        if origin is None:
            foreign = _first(headers, b"sec-fetch-site") in _FOREIGN and not _open(scope)
        else:
            host = _first(headers, b"host") or b""
            own = f"{scope.get('scheme', 'http')}://{host.decode('latin-1')}".lower()
            foreign = not self._shared_with(headers) and _text(origin) != own
        if foreign:
            raise Refused(OTHER_SITE)

    def _shared_with(self, headers: Headers) -> bytes:
        """The origin of the page that asks, where it is one of those that may."""
        origin = _first(headers, b"origin") if self._origins else None
        return origin if origin is not None and _text(origin) in self._origins else b""

    def _shared(self, headers: Headers) -> Headers:
        """What lets a page of another origin read the answer."""
        if not self._origins:
            return []
        vary = (b"vary", b"Origin")
        origin = self._shared_with(headers)
        named = (b"access-control-allow-origin", origin)
        return [vary, named, (b"access-control-expose-headers", EXPOSED)] if origin else [vary]

    def _asks_to_ask(self, scope: Scope) -> bool:
        """A browser asks before it lets a page of another origin ask. Raises Refused."""
        headers = scope["headers"]
        if (
            scope["method"] != "OPTIONS"
            or _first(headers, b"access-control-request-method") is None
        ):
            return False
        self._check_host(headers)
        self._check_origin(scope)
        return bool(self._shared_with(headers))


def _open(scope: Scope) -> bool:
    path: str = scope["path"]
    return scope["method"] in {"GET", "HEAD"} and (path in OPEN or path.startswith(PAGE))


def _first(headers: Headers, name: bytes) -> bytes | None:
    return next((value for each, value in headers if each == name), None)


def _text(origin: bytes) -> str:
    return origin.decode("latin-1").lower()


def _every(*more: tuple[str, str]) -> Headers:
    return raw({**COMMON, **dict(more)})


_PAGE_HEADERS = _every((POLICY, OF_THE_PAGE))
_OPEN_HEADERS = _every((POLICY, SHUT))
_OTHER_HEADERS = _every((POLICY, SHUT), ("Cache-Control", "no-store"))


def _headers_of(path: str) -> Headers:
    if path == "/" or path.startswith(PAGE):
        return _PAGE_HEADERS
    return _OPEN_HEADERS if path in OPEN else _OTHER_HEADERS
