"""Guarded: a service behind the guard, and ways to ask it, for the tests of the guard."""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx
from fastapi import Response
from starlette.types import Message, Receive, Scope, Send

from pinyon.access import Permit

LOCAL = "http://127.0.0.1:7598"


class Service:
    """What stands behind the guard: it notes who asked, and answers."""

    def __init__(self) -> None:
        self.permits: list[Permit] = []
        self.read = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.permits.append(scope["state"]["permit"])
        more = True
        while more:
            message = await receive()
            self.read += message.get("body", b"")
            more = message.get("more_body", False)
        await Response(b"{}", 200, {"Cache-Control": "public", "Vary": "Accept-Encoding"})(
            scope, receive, send
        )


def ask(
    app: Any,
    path: str = "/v1/stats",
    *,
    method: str = "GET",
    url: str = LOCAL,
    headers: Mapping[str, str] | None = None,
    content: Any = None,
) -> httpx.Response:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=True)
        async with httpx.AsyncClient(transport=transport, base_url=url) as client:
            return await client.request(method, path, headers=headers, content=content)

    return asyncio.run(asked())


def kind_of(answer: httpx.Response) -> str:
    """The type of the problem, which names the request and nothing of the inside."""
    said = answer.json()["error"]
    assert answer.headers["content-type"] == "application/json"
    assert said["request"] == answer.headers["x-request-id"]
    assert "Traceback" not in answer.text
    return str(said["type"])


def drive(
    app: Any, *received: Message, headers: list[tuple[bytes, bytes]] | None = None
) -> list[Message]:
    """What is sent to a client that sends these messages, then waits."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v1/search",
        "scheme": "http",
        "headers": [(b"host", b"localhost"), *(headers or ())],
    }
    waiting, sent = list(received), []

    async def receive() -> Message:
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(asyncio.wait_for(app(scope, receive, send), 10))
    return sent
