"""Agents: the SDK's own client, asked without async; and the server in a process of its own."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

OLD, NEW = "legacy", "auto"
"""Clients that shake hands first, and those that bring who they are with every request."""

READY = re.compile(rb"pinyon: serving .* over MCP on (http://\S+/mcp) \(Ctrl-C ends it\)")
ENDS_S = 30.0


@dataclass(frozen=True)
class Agent:
    """A client that is connected."""

    client: Client
    portal: BlockingPortal

    def call(self, tool: str, /, **arguments: Any) -> types.CallToolResult:
        result = self.portal.call(self.client.call_tool, tool, arguments)
        assert isinstance(result, types.CallToolResult)
        return result

    def given(self, tool: str, /, **arguments: Any) -> Any:
        """What a tool gives, as JSON; the client has checked it against the tool's schema."""
        result = self.call(tool, **arguments)
        assert not result.is_error, text(result)
        return result.structured_content

    def refused(self, tool: str, /, **arguments: Any) -> str:
        """What a tool says when it cannot do it."""
        result = self.call(tool, **arguments)
        assert (result.is_error, result.structured_content) == (True, None)
        return text(result)

    def read(self, uri: str) -> str:
        (content,) = self.portal.call(self.client.read_resource, uri).contents
        assert isinstance(content, types.TextResourceContents)
        assert (content.uri, content.mime_type) == (uri, "application/json")
        return content.text


def text(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@contextmanager
def over_stdio(store: Path, *words: str, mode: str = NEW) -> Iterator[Agent]:
    """An agent that starts `pinyon mcp` for itself."""
    command = program(store, *words)
    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    with Path(os.devnull).open("w") as log:
        transport = stdio_client(server, errlog=log)
        with connected(Client(transport, mode=mode)) as agent:
            yield agent


@contextmanager
def connected(client: Client) -> Iterator[Agent]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(client) as entered,
    ):
        yield Agent(entered, portal)


def program(store: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "pinyon", "mcp", "--store", str(store), *words]


@dataclass
class Server:
    url: str
    child: subprocess.Popen[bytes]
    said: list[bytes]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        if self.child.poll() is None:
            self.child.send_signal(how)
        return self.child.wait(ENDS_S)


@contextmanager
def over_http(store: Path, *words: str) -> Iterator[Server]:
    """`pinyon mcp --http`, once it accepts connections; it must end well when it is told to."""
    child = subprocess.Popen(
        program(store, "--http", "--port", "0", *words),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    said: list[bytes] = []
    ready = threading.Event()

    def listen() -> None:
        assert child.stderr
        for line in child.stderr:
            said.append(line)
            if READY.search(line):
                ready.set()
        ready.set()

    ear = threading.Thread(target=listen, daemon=True)
    ear.start()
    try:
        assert ready.wait(ENDS_S), "the server does not start"
        found = READY.search(b"".join(said))
        assert found, b"".join(said).decode()
        server = Server(found[1].decode(), child, said)
        yield server
        assert server.stop() == 0, b"".join(said).decode()
    finally:
        if child.poll() is None:
            child.kill()
            child.wait(ENDS_S)
        ear.join(ENDS_S)
        assert child.stderr
        child.stderr.close()
