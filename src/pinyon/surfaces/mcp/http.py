"""Streamable HTTP: any number of agents, each request by itself.

No session is kept: a request brings who asks and what, and has one answer. So agents come, go and
come back as they like, and nothing is left behind by one that vanished.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pinyon.engine import Engine
from pinyon.surfaces.mcp.server import build

MOST_BYTES = 32 * 1024 * 1024
"""Of one request: as much as the guard lets through."""

Lifespan = Callable[..., AbstractAsyncContextManager[None]]


def mounted(engine: Engine, chosen: str = "pinyon") -> tuple[ASGIApp, Lifespan]:
    """The application for one path, and what must be open around it. It belongs behind the guard,
    which checks Host and Origin and puts a permit into the state of each request."""
    manager = StreamableHTTPSessionManager(
        build(engine, chosen), stateless=True, json_response=True, max_request_body_size=MOST_BYTES
    )

    def lifespan(app: Any = None) -> AbstractAsyncContextManager[None]:
        return manager.run()

    return _Posts(manager), lifespan


def alone(engine: Engine, chosen: str = "pinyon") -> ASGIApp:
    """The same as an application by itself, at /mcp."""
    app, lifespan = mounted(engine, chosen)
    return Starlette(routes=[Route("/mcp", app)], lifespan=lifespan)


class _Posts:
    """An object, not a function: a route hands the whole request to it."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] != "POST":
            # Nothing is ever said without being asked, so there is no stream to listen to.
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        await self._manager.handle_request(scope, receive, send)
