"""Child: commands as new processes, as a shell starts them."""

import os
import subprocess
import time
from collections.abc import Sequence

NOT_OURS = {"PYTHONDONTWRITEBYTECODE", "OPENBLAS_NUM_THREADS"}
ENVIRONMENT = {key: os.environ[key] for key in os.environ if key not in NOT_OURS}
"""With bytecode, as every installed package has it: else the compiler would be measured. And with
all threads: only the bench itself counts CPU time."""

MOST_S = 120


def run(command: Sequence[str], most_s: float = MOST_S) -> subprocess.CompletedProcess[str]:
    """Raises when it fails or hangs: a failed search is a fast one."""
    return subprocess.run(
        command,
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        timeout=most_s,
    )


def in_turn(commands: Sequence[Sequence[str]], rounds: int) -> list[list[float]]:
    """The wall milliseconds of each command, `rounds` of them, after one that warms the disk."""
    for command in commands:
        run(command)
    times = [[_wall_ms(command) for command in commands] for _ in range(rounds)]
    return [list(column) for column in zip(*times, strict=True)]


def _wall_ms(command: Sequence[str]) -> float:
    begun = time.perf_counter_ns()
    run(command)
    return (time.perf_counter_ns() - begun) / 1e6
