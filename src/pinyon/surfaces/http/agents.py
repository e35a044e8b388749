"""Agents: MCP at one path of the service, made when the first agent comes.

The SDK takes longer to load than everything else together, and many services never see an agent.
"""

import asyncio
from contextlib import AbstractAsyncContextManager

from starlette.types import ASGIApp, Receive, Scope, Send

from pinyon.engine import Engine


class Agents:
    """An ASGI application; close it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._one_at_a_time = asyncio.Lock()
        self._app: ASGIApp | None = None
        self._open: asyncio.Task[None] | None = None
        self._over = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app or await self._begun()
        await app(scope, receive, send)

    async def close(self) -> None:
        """Release what agents use, where there were any."""
        self._over.set()
        if self._open:
            await self._open

    async def _begun(self) -> ASGIApp:
        async with self._one_at_a_time:
            if self._app is None:
                app, around = await asyncio.to_thread(self._made)
                ready = asyncio.Event()
                self._open = asyncio.create_task(self._kept_open(around, ready))
                await ready.wait()
                self._app = app
            return self._app

    def _made(self) -> tuple[ASGIApp, AbstractAsyncContextManager[None]]:
        from pinyon.surfaces.mcp.http import mounted

        app, lifespan = mounted(self._engine)
        return app, lifespan()

    async def _kept_open(
        self, around: AbstractAsyncContextManager[None], ready: asyncio.Event
    ) -> None:
        """In a task of its own: what is opened must be closed by the same one."""
        async with around:
            ready.set()
            await self._over.wait()
