"""Serving: a real `pinyon serve` in a process of its own, on a port that the system chooses."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

READY = re.compile(rb"pinyon: serving .* on (http://\S+) \(Ctrl-C ends it\)")
STARTS_S = 60.0
ENDS_S = 20.0


@dataclass
class Serving:
    """A server that accepts connections. `said` is what it wrote to standard error so far."""

    url: str
    child: subprocess.Popen[bytes]
    said: list[bytes] = field(default_factory=list)

    @property
    def pid(self) -> int:
        return self.child.pid

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it and return its exit code. A second time does nothing."""
        if self.child.poll() is None:
            self.child.send_signal(how)
        return self.child.wait(ENDS_S)


@contextmanager
def serving(store: Path, *words: str, **environment: str) -> Iterator[Serving]:
    """`pinyon serve` over a store, with further words of the command line. It must end well, unless
    the test ended it by itself."""
    child = subprocess.Popen(
        [sys.executable, "-m", "pinyon", "serve", "--store", str(store), "--port", "0", *words],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    said: list[bytes] = []
    url = threading.Event()
    found: list[str] = []

    def listen() -> None:
        assert child.stderr
        for line in child.stderr:
            said.append(line)
            if match := READY.search(line):
                found.append(match[1].decode())
                url.set()
        url.set()  # it ended

    ear = threading.Thread(target=listen, daemon=True)
    ear.start()
    try:
        assert url.wait(STARTS_S), "the server does not start"
        assert found, b"".join(said).decode()
        server = Serving(found[0], child, said)
        yield server
        ended_by_test = child.poll() is not None
        code = server.stop()
        assert ended_by_test or code == 0, b"".join(said).decode()
    finally:
        if child.poll() is None:
            child.kill()
            child.wait(ENDS_S)
        ear.join(ENDS_S)
        if child.stderr:
            child.stderr.close()
