"""Call: one request: who asks, and the answer as JSON, made in a thread.

The engine is not async: a pool of threads asks it. A request that takes too long is answered
without its result: what it reads is broken off, what it writes is whole or not there.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request, Response

from pinyon.access import Permitted
from pinyon.engine import Engine
from pinyon.model import patience
from pinyon.model.errors import OutOfTime
from pinyon.surfaces.http.jobs import Jobs
from pinyon.surfaces.http.metrics import Metrics
from pinyon.surfaces.operations import OPERATIONS, shapes

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Service:
    """What all requests share."""

    engine: Engine
    jobs: Jobs
    metrics: Metrics
    threads: Executor
    timeout_s: float


class Call:
    """One request, and the engine as its caller may use it."""

    def __init__(self, request: Request) -> None:
        self.service: Service = request.app.state.service
        self.engine = Permitted(self.service.engine, request.scope["state"]["permit"])

    async def ask(self, name: str, asked: shapes.Shape, status: int = 200) -> Response:
        """What an operation answers."""
        return await self.answer(lambda: OPERATIONS[name].run(self.engine, asked), status)

    async def answer(
        self,
        work: Callable[[], Any],
        status: int = 200,
        headers: Callable[[Any], Mapping[str, str]] = lambda found: {},
    ) -> Response:
        """What `work` gives, as JSON; `headers` are made of what it gives."""

        def answered() -> Response:
            found = work()
            return reply(found, status, headers(found))

        return await self.done(answered)

    async def done(self, work: Callable[[], Found]) -> Found:
        """What `work` gives, in a thread. Raises OutOfTime."""
        stop = threading.Event()

        def waited_for() -> Found:
            with patience.within(None, stop):
                return work()

        begun = asyncio.get_running_loop().run_in_executor(self.service.threads, waited_for)
        try:
            await asyncio.wait([begun], timeout=self.service.timeout_s)
        finally:
            stop.set()
        if begun.done():
            return begun.result()
        begun.cancel()  # if it is not its turn yet, it is never done
        raise OutOfTime(
            f"it took longer than {self.service.timeout_s:g} seconds",
            remedy="ask for less, or again when there is less to do",
        )


async def _call(request: Request) -> Call:
    # async, so that no thread is asked for it
    return Call(request)


Caller = Annotated[Call, Depends(_call)]
"""The parameter of an endpoint that is the call."""


def reply(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A document as an answer."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), status, headers, "application/json")
