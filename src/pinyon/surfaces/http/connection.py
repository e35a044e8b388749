"""Connection: a server that is asked for JSON; what goes wrong is one of our errors.

The token goes into the Authorization header and nowhere else: no error and no `repr` shows it.
Redirects are not followed: they would carry it to somebody else.
"""

import ipaddress
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import httpx

from pinyon.inference import contract
from pinyon.model import errors
from pinyon.model.errors import InvalidInput, NotPermitted, NotRecognised, PinyonError
from pinyon.surfaces.http.problems import FIELDS

Found = TypeVar("Found")
Pairs = Sequence[tuple[str, str | int]]

BY_STATUS: Mapping[int, type[PinyonError]] = {
    400: InvalidInput,
    401: NotRecognised,
    403: NotPermitted,
    413: InvalidInput,
    422: InvalidInput,
}
"""What an error is where the server calls it by a name that we do not know."""

REST_S = 4.0
"""How long a connection is kept that nobody uses: less than the five seconds of the server, so
that none is used in the moment when it is closed."""

MOST_CONNECTIONS = 100

NONSENSE = (KeyError, TypeError, ValueError, AttributeError, RecursionError, InvalidInput)
"""What reading runs into where an answer is not what it should be."""


class NoServer(PinyonError):
    """The server is away, or what answers at its address is none of ours."""


class Connection:
    """Any number of threads may share one."""

    def __init__(self, url: str, token: str | None, timeout_s: float) -> None:
        self.url = _checked_url(url)
        self.local = _local(httpx.URL(self.url).host)
        self._token = _checked_token(token)
        self._timeout_s = timeout_s
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if self.local:  # to pack and unpack takes longer than to carry it through memory
            headers["Accept-Encoding"] = "identity"
        self._pool = httpx.Client(
            headers=headers,
            timeout=timeout_s,
            follow_redirects=False,
            trust_env=not self.local,  # no proxy of the environment stands between
            limits=httpx.Limits(
                max_connections=MOST_CONNECTIONS,
                max_keepalive_connections=MOST_CONNECTIONS,
                keepalive_expiry=REST_S,
            ),
        )

    def ask(
        self,
        read: Callable[[Any], Found],
        method: str,
        path: str,
        *,
        query: Pairs = (),
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Found:
        """What `read` makes of the JSON of the answer. Raises the error that the server names, or
        NoServer."""
        content = None if body is None else _written(body)
        kind = {} if body is None else {"Content-Type": "application/json"}
        try:
            answer = self._pool.request(
                method,
                f"{self.url}{path}",
                params=list(query),
                content=content,
                headers={**kind, **(headers or {})},
            )
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as problem:
            self._fail(problem)
        except UnicodeEncodeError:
            raise InvalidInput("half a surrogate pair is no text") from None
        if not answer.is_success:
            raise self._refusal(answer)
        return self.read(read, answer.content)

    def events(self, read: Callable[[Any], Found], path: str) -> Iterator[Found]:
        """The data of each server-sent event, until the server ends the stream, or says nothing
        for too long: then it is worth asking how things are."""
        try:
            with self._pool.stream("GET", f"{self.url}{path}") as answer:
                if not answer.is_success:
                    answer.read()
                    raise self._refusal(answer)
                for line in answer.iter_lines():
                    name, _, value = line.partition(":")
                    if name == "data":
                        yield self.read(read, value)
        except (httpx.ReadTimeout, httpx.RemoteProtocolError):
            return
        except httpx.HTTPError as problem:
            self._fail(problem)

    def read(self, read: Callable[[Any], Found], text: str | bytes) -> Found:
        """What `read` makes of JSON. Raises NoServer where it makes nothing of it."""
        try:
            return read(json.loads(text))
        except NONSENSE:
            raise self._nonsense() from None

    def close(self) -> None:
        self._pool.close()

    def _fail(self, problem: Exception) -> NoReturn:
        if isinstance(problem, httpx.TimeoutException):
            said = f"{self.url} did not answer in {self._timeout_s:g} s"
            raise NoServer(said, remedy="try again, or connect with a longer timeout_s") from None
        if isinstance(problem, RuntimeError):  # how httpx says that it was closed
            raise NoServer("this client is closed", remedy="connect anew") from None
        raise NoServer(
            f"{self.url} cannot be reached: {type(problem).__name__}",
            remedy="start it with pinyon serve, or check the address",
        ) from None

    def _refusal(self, answer: httpx.Response) -> PinyonError:
        try:
            said = json.loads(answer.content)["error"]
            return self.error(said, answer.status_code)
        except NONSENSE:
            return self._nonsense(f" (status {answer.status_code})")

    def error(self, said: Mapping[str, Any], status: int = 0) -> PinyonError:
        """The error that a server speaks of: of the class that it names, with its fields."""
        name = said["type"]
        kind = getattr(errors, name, None) or getattr(contract, name, None)
        if not (isinstance(kind, type) and issubclass(kind, PinyonError)):
            kind = BY_STATUS.get(status, PinyonError)
        made = kind.__new__(kind)
        PinyonError.__init__(
            made, self._hidden(said["message"]), remedy=self._hidden(said.get("remedy", ""))
        )
        for field in said.keys() & set(FIELDS):
            value = said[field]
            setattr(made, field, tuple(value) if isinstance(value, list) else value)
        return made

    def _hidden(self, text: str) -> str:
        return str(text).replace(self._token, "***") if self._token else str(text)

    def _nonsense(self, why: str = "") -> NoServer:
        return NoServer(
            f"what answers at {self.url} is no Pinyon, or one of another version{why}",
            remedy="check the address, and the version of both",
        )


def _written(body: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput("this cannot be sent as JSON", remedy="give plain values") from None


def _checked_url(url: str) -> str:
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError):
        raise InvalidInput("this is no address", remedy="write http://127.0.0.1:7598") from None
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise InvalidInput("this is no address", remedy="write http://127.0.0.1:7598")
    if parsed.userinfo or parsed.query or parsed.fragment:
        raise InvalidInput(
            "an address has neither a name nor a question in it", remedy="give the token as token="
        )
    return str(parsed).rstrip("/")


def _checked_token(token: str | None) -> str:
    if token and not (token.isascii() and token.isprintable() and " " not in token):
        raise NotRecognised(
            "the token has a character that no token has", remedy="copy it again, without blanks"
        )
    return token or ""


def _local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
