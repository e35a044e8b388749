"""Server: an embedding server on this machine that speaks the documented protocol, and fails on
request."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, dict[str, str], bytes] | None
"""Status, headers and body; None is no answer at all."""


@dataclass
class Server:
    """`script` is answered first, one reply per request; after it come good answers."""

    dims: int = 4
    script: list[Reply] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    url: str = ""

    def good(self, body: dict[str, Any]) -> Reply:
        """Last first, as the protocol allows: `index` says which text a vector belongs to."""
        data = [
            {"object": "embedding", "index": at, "embedding": vector(text, self.dims)}
            for at, text in enumerate(body["input"])
        ]
        return ok({"object": "list", "data": data[::-1], "model": body["model"], "usage": {}})


def vector(text: str, dims: int) -> list[float]:
    return [float(len(text) + 1), *(float(ord(letter)) for letter in text.ljust(dims)[: dims - 1])]


def ok(content: object) -> Reply:
    return 200, {"Content-Type": "application/json"}, json.dumps(content).encode()


def rows(*embeddings: object) -> Reply:
    return ok({"data": [{"index": at, "embedding": e} for at, e in enumerate(embeddings)]})


def refusal(status: int, message: str = "", **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, json.dumps({"error": {"message": message}}).encode()


@contextmanager
def running(kind: type[Server] = Server, **how: Any) -> Iterator[Server]:
    server = kind(**how)
    over = threading.Event()
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler(server, over))
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        over.set()
        http.shutdown()
        thread.join()
        http.server_close()


def handler(server: Server, over: threading.Event) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append(body)
            server.headers.append(dict(self.headers))
            server.paths.append(self.path)
            reply = server.script.pop(0) if server.script else server.good(body)
            self.close_connection = True
            if reply is None:
                over.wait()
                return
            status, headers, content = reply
            self.send_response(status)
            for name, value in {**headers, "Connection": "close"}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Says nothing: the requests are kept."""

    return Handler
