"""Service: what HTTP adds to a search, and what fifty clients do to a server that one had alone."""

import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

import pinyon
from bench.child import ENVIRONMENT
from bench.clock import cpu_ms
from bench.figure import Figure
from bench.questions import questions
from bench.world import World
from pinyon.evaluate.run import percentile
from pinyon.model.errors import UnknownRecord

MOST_MS = 4.0
"""Of CPU, added to a search."""

QUESTIONS, ROUNDS = 30, 3
CLIENTS = 50
ALONE_S, TOGETHER_S = 5.0, 20.0
EVERY = 10
"""Of so many requests, one saves a record; the others search."""

MOST_S = 60.0
READY = re.compile(r"on http://127\.0\.0\.1:(\d+)")
HOW: Mapping[str, Any] = {"profile": "keyword", "track": False}


def service(world: World) -> list[Figure]:
    """CPU time of the server's process for the first; wall time for the load, which also has to
    share its machine with those who make it."""
    if not Path("/proc/self/schedstat").exists():
        print("service: left out, the CPU time of another process is not told here")
        return []
    with world.view() as view:
        halves = questions(view, world.profile.understand, QUESTIONS)
    asked = [question.text for half in halves.values() for question in half]
    with tempfile.TemporaryDirectory(dir=world.cache) as folder:
        path = Path(folder, "service.pinyon")
        shutil.copy(world.path, path)
        with _serving(path) as server:
            figures = _added(world, server, asked)
            load = _load(server, asked)
        return [*figures, *load.figures(world.records), _lost(path, world.records, load.saved)]


@dataclass(frozen=True, slots=True)
class Server:
    port: int
    pid: int

    def cpu_ms(self) -> float:
        """What all threads of it have used so far, to the nanosecond."""
        threads = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((each / "schedstat").read_text().split()[0]) for each in threads) / 1e6

    def connected(self) -> "closing[HTTPConnection]":
        return closing(HTTPConnection("127.0.0.1", self.port, timeout=MOST_S))


def _added(world: World, server: Server, asked: Sequence[str]) -> list[Figure]:
    """The same questions in turn: by the server over one connection, and in this process."""
    times: list[tuple[float, float]] = []
    with server.connected() as connection, world.engine() as engine:
        for text in [*asked] * (ROUNDS + 1):
            begun = server.cpu_ms()
            _post(connection, "/v1/search", {"query": text, **HOW})
            over_http = server.cpu_ms() - begun
            times.append((cpu_ms(partial(engine.search, text, **HOW)), over_http))
    warm = times[len(asked) :]
    size = world.records
    return [
        Figure(size, "search in the process (CPU)", median(ms for ms, _ in warm), "ms"),
        Figure(size, "search over HTTP (CPU of the server)", median(ms for _, ms in warm), "ms"),
        Figure(
            size,
            "over HTTP - in the process",
            median(http - own for own, http in warm),
            "ms",
            most=MOST_MS,
        ),
    ]


@dataclass
class Run:
    """What some clients did in so many seconds: how long each request took, and what failed."""

    seconds: float
    ms: list[float] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    server_ms: float = 0.0

    @property
    def rate(self) -> float:
        return len(self.ms) / self.seconds

    @property
    def cost_ms(self) -> float:
        """Of the server's CPU, for each request."""
        return self.server_ms / len(self.ms)


@dataclass(frozen=True, slots=True)
class Load:
    """One client, then fifty at once."""

    alone: Run
    together: Run

    @property
    def saved(self) -> list[str]:
        return self.alone.saved + self.together.saved

    def figures(self, size: int) -> list[Figure]:
        alone, together = self.alone, self.together
        p95_alone, p95_together = (percentile(run.ms, 95) for run in (alone, together))
        failed = len(alone.failed) + len(together.failed)
        return [
            Figure(size, "one client: requests/s", alone.rate),
            Figure(size, "one client: p95", p95_alone, "ms"),
            Figure(size, f"{CLIENTS} clients: requests/s", together.rate),
            Figure(size, f"{CLIENTS} clients: p95", p95_together, "ms"),
            Figure(size, f"requests/s, {CLIENTS} / one", together.rate / alone.rate),
            Figure(size, f"p95, {CLIENTS} / one", p95_together / p95_alone),
            Figure(size, f"CPU a request, {CLIENTS} / one", together.cost_ms / alone.cost_ms),
            Figure(size, "requests that failed", failed, most=0),
        ]


def _load(server: Server, asked: Sequence[str]) -> Load:
    return Load(_run(server, asked, 1, ALONE_S), _run(server, asked, CLIENTS, TOGETHER_S))


def _run(server: Server, asked: Sequence[str], clients: int, seconds: float) -> Run:
    run, over = Run(seconds), threading.Event()
    begun = server.cpu_ms()
    with ThreadPoolExecutor(clients) as threads:
        for at in range(clients):
            threads.submit(_client, server, asked[at % len(asked) :], f"{clients}-{at}", run, over)
        over.wait(seconds)
        over.set()
    run.server_ms = server.cpu_ms() - begun
    return run


def _client(
    server: Server, asked: Sequence[str], name: str, run: Run, over: threading.Event
) -> None:
    """Asks and saves, one after the other, until it is over."""
    with server.connected() as connection:
        for at, text in enumerate(cycle(asked)):
            if over.is_set():
                return
            begun = time.perf_counter_ns()
            try:
                if at % EVERY:
                    _post(connection, "/v1/search", {"query": text, **HOW})
                else:
                    saved = _post(connection, "/v1/records", {"id": f"{name}-{at}", "body": text})
                    run.saved.append(str(saved["id"]))
            except (OSError, HTTPException, ValueError) as error:
                run.failed.append(repr(error))
                connection.close()  # the next request opens it again
                continue
            run.ms.append((time.perf_counter_ns() - begun) / 1e6)


def _lost(path: Path, size: int, saved: Sequence[str]) -> Figure:
    """The server is gone: what it acknowledged must be in the file."""
    missing = 0
    with pinyon.open(path, background=False) as engine:
        try:
            engine.get(*saved)
        except UnknownRecord as error:
            missing = len(error.ids)
    return Figure(size, f"of {len(saved):,} saves, those that were lost", missing, most=0)


def _post(connection: HTTPConnection, path: str, body: Mapping[str, object]) -> dict[str, object]:
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    with connection.getresponse() as answer:
        document: dict[str, object] = json.loads(answer.read())
        if answer.status >= 400:
            raise ValueError(f"{answer.status}: {document}")
        return document


@contextmanager
def _serving(path: Path) -> Iterator[Server]:
    """`pinyon serve` on a free port, without a model: what is measured is not what it embeds."""
    child = subprocess.Popen(
        [sys.executable, "-m", "pinyon", "serve", "--store", str(path), "--port", "0"],
        env={**ENVIRONMENT, "PINYON_MODEL": "none"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr is not None
    try:
        ready = next(filter(None, map(READY.search, child.stderr)), None)
        if ready is None:
            raise RuntimeError("the server does not start")
        yield Server(int(ready[1]), child.pid)
        child.send_signal(signal.SIGKILL)  # what it acknowledged must survive this, too
    finally:
        with suppress(ProcessLookupError):
            child.kill()
        child.wait(MOST_S)
        child.stderr.close()
