"""Cold: `pinyon search` from the shell against a Python that does nothing."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from bench.figure import Figure
from bench.world import World

AT_MOST = 8.0
"""Times `python -c pass`."""

ROUNDS = 15
WORD = "compiler"
ENVIRONMENT = {key: os.environ[key] for key in os.environ if key != "PYTHONDONTWRITEBYTECODE"}
"""With bytecode, as every installed package has it: else the compiler would be measured."""

HEAVY = ("numpy", "onnxruntime", "tokenizers")
"""What a keyword search must not import."""


def cold(world: World) -> list[Figure]:
    """Wall time, alternating. The console script is measured where it is installed."""
    if find_spec("pinyon.__main__") is None:
        print("cold: left out, there is no `python -m pinyon`", file=sys.stderr)
        return []
    arguments = ["search", WORD, "--store", str(world.path)]
    rivals = {"python -c pass": [sys.executable, "-c", "pass"]}
    rivals["python -m pinyon search"] = [sys.executable, "-m", "pinyon", *arguments]
    script = Path(sys.executable).with_name("pinyon")
    if script.exists():
        rivals["pinyon search"] = [str(script), *arguments]
    for command in rivals.values():
        _run(command)
    rounds = [[_wall_ms(command) for command in rivals.values()] for _ in range(ROUNDS)]
    empty, *searches = (list(column) for column in zip(*rounds, strict=True))
    size = world.records
    figures = [Figure(size, "python -c pass", median(empty), "ms")]
    for name, times in zip(list(rivals)[1:], searches, strict=True):
        ratio = median(times) / median(empty)
        figures += [
            Figure(size, name, median(times), "ms"),
            Figure(size, f"{name} / pass, median of {ROUNDS}", ratio, "x", most=AT_MOST),
            Figure(size, f"{name} / pass, best of {ROUNDS}", min(times) / min(empty), "x"),
        ]
    heavy = _imported([sys.executable, "-X", "importtime", "-m", "pinyon", *arguments])
    return [*figures, Figure(size, f"of {', '.join(HEAVY)} imported", len(heavy), most=0)]


def _wall_ms(command: Sequence[str]) -> float:
    begun = time.perf_counter_ns()
    _run(command)
    return (time.perf_counter_ns() - begun) / 1e6


def _run(command: Sequence[str]) -> str:
    """Its standard error; raises when it fails, for a failed search is a fast one."""
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, encoding="utf-8", env=ENVIRONMENT
    )
    return done.stderr


def _imported(command: Sequence[str]) -> set[str]:
    lines = _run(command).splitlines()
    packages = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
    return packages & set(HEAVY)
