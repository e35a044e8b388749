"""Exchange: one request and its answer, as the guard lets them through.

Until the answer has begun, a refusal can take its place: also one that comes up only while the body
is read, whatever the service makes of that.
"""

import json
from asyncio import get_running_loop, timeout_at
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from starlette.types import Message, Receive, Send

from pinyon.surfaces.http import problems

Headers = list[tuple[bytes, bytes]]

CLOSING = {"Connection": "close"}
"""Where the rest of a body is not read."""


class Refusal(NamedTuple):
    """An answer that is given instead of what the service would say."""

    status: int
    message: str
    remedy: str = ""
    kind: str = "Refused"
    headers: Mapping[str, str] = MappingProxyType({})


class Refused(Exception):
    """`number` goes into the message."""

    def __init__(self, refusal: Refusal, number: float | None = None) -> None:
        super().__init__(refusal.kind)
        said = refusal.message if number is None else refusal.message.format(number)
        self.refusal = refusal._replace(message=said)


FAILED = Refusal(500, "something went wrong here", "the server's log says what", "Failed")
TOO_LARGE = Refusal(413, "the body is larger than {:,} bytes", "send less", "TooLarge", CLOSING)
TOO_SLOW = Refusal(408, "the body did not come within {:g} seconds", "", "TooSlow", CLOSING)


class Answer:
    """What is sent. A `refusal` takes the place of what the service would say, while nothing has
    been sent; so does a failure of its own, however it words it."""

    def __init__(self, send: Send, added: Headers) -> None:
        self._send = send
        self._added = added
        self._names = frozenset(name for name, _ in added) - {b"vary"}
        self.begun = False
        self.refusal: Refusal | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if message["status"] == 500 and not self.begun:
                self.refusal = self.refusal or FAILED
            if self.refusal is None:
                await self._begin(message["status"], message.get("headers", ()))
        elif self.begun:
            await self._send(message)

    async def refuse(self, refusal: Refusal, id: str) -> None:
        said = problems.problem(refusal.kind, refusal.message, remedy=refusal.remedy, request=id)
        body = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )
        headers = {"Content-Type": "application/json", **refusal.headers}
        await self.plain(refusal.status, headers, body)

    async def plain(self, status: int, headers: Mapping[str, str], body: bytes = b"") -> None:
        length = {} if status == 204 else {"Content-Length": str(len(body))}
        await self._begin(status, raw({**headers, **length}))
        await self._send({"type": "http.response.body", "body": body})

    async def _begin(self, status: int, headers: Iterable[tuple[bytes, bytes]]) -> None:
        own = [(name, value) for name, value in headers if name.lower() not in self._names]
        self.begun = True
        start = {"type": "http.response.start", "status": status, "headers": own + self._added}
        await self._send(start)


class Body:
    """What is received. Where it is too much, or takes too long, the answer is a refusal, whatever
    the service makes of it."""

    def __init__(self, receive: Receive, answer: Answer, most: int, timeout_s: float) -> None:
        self._receive = receive
        self._answer = answer
        self._most = most
        self._timeout_s = timeout_s
        self._until: float | None = None
        self._bytes = 0
        self._whole = False
        self.gone = False

    async def receive(self) -> Message:
        if self._whole:
            return self._seen(await self._receive())
        if self._until is None:
            self._until = get_running_loop().time() + self._timeout_s
        try:
            async with timeout_at(self._until):
                message = self._seen(await self._receive())
        except TimeoutError:
            raise self._refused(TOO_SLOW, self._timeout_s) from None
        self._bytes += len(message.get("body", b""))
        if self._bytes > self._most:
            raise self._refused(TOO_LARGE, self._most)
        self._whole = not message.get("more_body", False)
        return message

    def _seen(self, message: Message) -> Message:
        self.gone = self.gone or message["type"] == "http.disconnect"
        return message

    def _refused(self, refusal: Refusal, number: float) -> Refused:
        """The service may catch it: so the answer knows, too."""
        refused = Refused(refusal, number)
        self._answer.refusal = refused.refusal
        return refused


def raw(headers: Mapping[str, str]) -> Headers:
    """As ASGI wants them."""
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
