"""Serve: an application on a socket, until Ctrl-C or a signal ends it."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from pinyon.surfaces.http.listen import address, bound, loopback

__all__ = ["address", "bound", "loopback", "serve"]

ENDING = (signal.SIGINT, signal.SIGTERM)

GRACE_S = 3
"""How long requests that were begun may go on when the service is told to end."""


def serve(
    app: ASGIApp,
    listening: socket.socket,
    *,
    ready: Callable[[], None],
    ending: Callable[[], None] = lambda: None,
) -> None:
    """Answer requests until the process is told to end. `ready` is called once they are answered,
    `ending` when no new ones are: it should end what else goes on."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # who asks is decided by its token
        timeout_graceful_shutdown=GRACE_S,
        ws="none",
        lifespan="on",
    )
    _Server(config, ready, ending).run([listening])


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ending()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As uvicorn does it, but no signal is raised again: to be told to end is no failure."""
        before = {each: signal.signal(each, self.handle_exit) for each in ENDING}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)
