"""Measured: counts every answer, and how long it took, around the whole service."""

import time
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pinyon.surfaces.http.metrics import Metrics

Told = Callable[[str], None]


class Measured:
    """Calls `told` with a line for each answer, where there is one: no query string is in it."""

    def __init__(self, app: ASGIApp, metrics: Metrics, told: Told | None = None) -> None:
        self._app = app
        self._metrics = metrics
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 499  # the caller left before there was an answer

        async def answered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, answered)
        finally:
            took_s = time.perf_counter() - begun
            self._metrics.answered(scope["method"], _route(scope), status, took_s)
            if self._told:
                self._told(f"{scope['method']} {scope['path']} {status} {took_s * 1e3:.1f} ms")


def _route(scope: Scope) -> str:
    """The template of the path: there are few of them, and none holds an id."""
    route = getattr(scope.get("route"), "path_format", "")
    if route:
        return str(route)
    mounts = ("/page", "/mcp")
    return next((each for each in mounts if scope["path"].startswith(each)), "other")
