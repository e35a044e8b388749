"""Measure: one peer on one case, in two processes, and what became of it."""

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.child import run
from bench.peers.case import Case

MOST_S = 600
"""Of each of the two processes."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found of `peer` on `case`. With a `missing` reason, nothing was; without labels
    there is no quality. `ndcg_half` is half of the 95 % interval, `build_mb` and `ask_mb` are the
    peaks of the two processes."""

    peer: str
    case: str
    missing: str = ""
    records: int = 0
    questions: int = 0
    ndcg: float | None = None
    ndcg_half: float = 0.0
    recall: float | None = None
    build_s: float = 0.0
    p50_ms: float = 0.0
    p95_ms: float = 0.0
    disk_mb: float = 0.0
    build_mb: float = 0.0
    ask_mb: float = 0.0


def measured(peer: str, case: Case) -> Measured:
    """What a peer cannot do is a `missing` reason, never an exception."""
    name = case.about.name
    index = Path(tempfile.mkdtemp(prefix="index-", dir=case.folder.parent))
    try:
        built = _run(peer, "build", case, index)
        if "missing" in built:
            return Measured(peer, name, missing=built["missing"])
        disk_mb = sum(path.stat().st_size for path in index.rglob("*") if path.is_file()) / 1e6
        asked = _run(peer, "ask", case, index)
        if "missing" in asked:
            return Measured(peer, name, missing=asked["missing"])
    finally:
        shutil.rmtree(index, ignore_errors=True)
    return Measured(peer, name, disk_mb=disk_mb, **built, **asked)


def _run(peer: str, step: str, case: Case, index: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.peers.child", peer, step, str(case.folder), str(index)]
    try:
        done = run(command, MOST_S)
    except subprocess.TimeoutExpired:
        return {"missing": f"{step}: not done within {MOST_S // 60} minutes"}
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["no word"])[-1]
        return {"missing": f"{step}: {last}"}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
