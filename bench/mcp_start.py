"""MCP start: from the start of `pinyon mcp` to its first answer, against a script that only imports
the SDK, loads the model and embeds the question."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from bench import bare_agent
from bench.child import ENVIRONMENT
from bench.figure import Figure
from bench.meaning import granite_files, with_vectors
from bench.world import World

AT_MOST = 2.0
"""Times the script."""

ROUNDS = 7
QUESTION = "how is a file closed when an error occurs"

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
ASKED: Sequence[dict[str, Any]] = (
    {"id": 0, "method": "initialize", "params": HELLO},
    {"method": "notifications/initialized"},
    {
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": QUESTION, "explain": True}},
    },
)


def mcp_start(world: World) -> list[Figure]:
    """Wall time, alternating; the agent asks at once, as soon as the process is there."""
    store = str(with_vectors(world).path)
    files = granite_files()
    bare = [bare_agent.__file__, str(files.graph), str(files.tokenizer), QUESTION]
    ours = ["-m", "pinyon", "mcp", "--store", store]
    asked = b"".join(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n" for each in ASKED)

    def rounds() -> tuple[float, float]:
        return _until(bare, b"", lambda line: b"mcp" in line), _until(ours, asked, _answered)

    rounds()  # warms the disk
    base, taken = zip(*(rounds() for _ in range(ROUNDS)), strict=True)
    ratio = median(taken) / median(base)
    size = world.records
    return [
        Figure(size, "import the SDK, embed one question, bare", median(base), "ms"),
        Figure(size, "pinyon mcp, start to first answer", median(taken), "ms"),
        Figure(size, f"pinyon mcp / bare, median of {ROUNDS}", ratio, "x", most=AT_MOST),
        Figure(size, f"pinyon mcp / bare, best of {ROUNDS}", min(taken) / min(base), "x"),
    ]


def _answered(line: bytes) -> bool:
    """Whether this is the answer to the question; it must be one by meaning too."""
    said = json.loads(line)
    if said.get("id") != 1:
        return False
    answer = said["result"]["structuredContent"]
    assert "vector" in answer["meta"]["channels"], answer["meta"]
    return bool(answer["hits"])


def _until(words: Sequence[str], given: bytes, wanted: Callable[[bytes], bool]) -> float:
    """The wall milliseconds from the start of a Python to the line that is wanted."""
    begun = time.perf_counter_ns()
    with subprocess.Popen(
        [sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(given)
        child.stdin.flush()
        if not any(wanted(line) for line in child.stdout):
            raise RuntimeError(f"no answer from {' '.join(words)}")
        taken = (time.perf_counter_ns() - begun) / 1e6
        child.stdin.close()
        child.wait()
    return taken
