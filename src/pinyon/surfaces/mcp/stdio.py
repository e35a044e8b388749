"""Standard input and output: one agent, which started this process.

Only the protocol goes to standard output. When the input ends, what was asked is answered first.
When the process is told to end, what was begun is done to its end, but nothing new.
"""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from threading import Semaphore, Thread
from typing import TYPE_CHECKING, Any, cast

import anyio
import mcp_types as types
from anyio import from_thread
from anyio.lowlevel import EventLoopToken, current_token
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

LAST_S = 10.0
"""How long answers may take after the input ended."""

AHEAD = 16
"""The most lines that are read before they are wanted."""

GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.RunFinishedError)

Item = SessionMessage | Exception


def serve(server: Server[Any]) -> None:
    """Answer until the input ends, or the process is told to."""
    anyio.run(_serve, server)


async def _serve(server: Server[Any]) -> None:
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_until_told, group.cancel_scope)
            # The reader of the SDK could not be called off while it waits for a line.
            lines = cast(Any, _lines())
            async with stdio_server(lines) as (read, write):
                await _Relay(read, write).run(server)
            group.cancel_scope.cancel()
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # nobody reads the answers any more


async def _until_told(scope: anyio.CancelScope) -> None:
    with (
        suppress(NotImplementedError),  # Windows: Ctrl-C ends it as it ends any program
        anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as told,
    ):
        async for _ in told:
            scope.cancel()


async def _lines() -> AsyncIterator[str]:
    send, receive = anyio.create_memory_object_stream[bytes](AHEAD)
    free = Semaphore(AHEAD)
    Thread(target=_read, args=(send, free, current_token()), daemon=True).start()
    async with receive:
        async for line in receive:
            free.release()
            if line.strip():
                yield line.decode("utf-8", "replace")


def _read(send: MemoryObjectSendStream[bytes], free: Semaphore, loop: EventLoopToken) -> None:
    """In a thread that nobody waits for: a line may never come."""
    with suppress(*GONE):
        with os.fdopen(os.dup(0), "rb") as given:
            for line in given:
                free.acquire()
                from_thread.run_sync(send.send_nowait, line, token=loop)
        from_thread.run_sync(send.close, token=loop)


class _Relay:
    """Stands between the transport and the server, and knows which requests have no answer yet."""

    def __init__(self, read: "ReadStream[Item]", write: "WriteStream[SessionMessage]") -> None:
        self._read = read
        self._write = write
        self._open: set[types.RequestId] = set()
        self._answered = anyio.Event()

    async def run(self, server: Server[Any]) -> None:
        into, read = anyio.create_memory_object_stream[Item]()
        write, out = anyio.create_memory_object_stream[SessionMessage]()
        async with anyio.create_task_group() as group:
            group.start_soon(self._requests, into)
            group.start_soon(self._answers, out)
            await server.run(read, write, server.create_initialization_options())

    async def _requests(self, into: MemoryObjectSendStream[Item]) -> None:
        async with into:
            async for item in self._read:
                if isinstance(item, Exception):
                    await self._write.send(_not_understood())
                    continue
                self._note(item.message)
                await into.send(item)
            with anyio.move_on_after(LAST_S):
                while self._open:
                    await self._answered.wait()
                    self._answered = anyio.Event()

    async def _answers(self, out: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with out, self._write:
            async for item in out:
                await self._write.send(item)
                self._note(item.message)

    def _note(self, message: types.JSONRPCMessage) -> None:
        match message:
            case types.JSONRPCRequest(id=id):
                self._open.add(id)
            case types.JSONRPCResponse(id=id) | types.JSONRPCError(id=id):
                self._closed(id)
            case types.JSONRPCNotification(method="notifications/cancelled", params=params):
                self._closed((params or {}).get("requestId"))

    def _closed(self, id: types.RequestId | None) -> None:
        self._open.discard(cast(types.RequestId, id))
        self._answered.set()


def _not_understood() -> SessionMessage:
    said = types.ErrorData(code=types.PARSE_ERROR, message="this line is no message of JSON-RPC")
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=said))
