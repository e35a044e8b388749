"""Child: one peer builds, or is asked, in a process of its own, so that its memory is its own.

`python -m bench.peers.child PEER build|ask CASE INDEX` prints what was measured, as JSON.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.peers.case import Case
from bench.peers.peer import Peer, make
from pinyon.evaluate.metrics import mean, measure
from pinyon.evaluate.run import percentile

TOP = 10


def build(peer: Peer, case: Case) -> dict[str, Any]:
    """The documents and their vectors are read before the clock starts."""
    records, vectors = case.records(), case.vectors
    vectors.documents  # noqa: B018
    begun = time.perf_counter()
    peer.build(records, vectors)
    return {"records": len(records), "build_s": time.perf_counter() - begun}


def ask(peer: Peer, case: Case) -> dict[str, Any]:
    """One question after the other; the first one twice, for what an engine loads once."""
    asked = list(case.asked())
    spent_ms: list[float] = []
    values: list[dict[str, float]] = []
    for question, vector in [asked[0], *asked]:
        begun = time.perf_counter()
        ids = peer.ask(question.text, vector, question.scope, TOP)
        spent_ms.append((time.perf_counter() - begun) * 1e3)
        values.append(measure(ids, question.labels))
    found: dict[str, Any] = {
        "questions": len(asked),
        "p50_ms": percentile(spent_ms[1:], 50),
        "p95_ms": percentile(spent_ms[1:], 95),
    }
    if case.about.labelled:
        ndcg = mean([value["ndcg@10"] for value in values[1:]])
        found |= {"ndcg": ndcg.value, "ndcg_half": (ndcg.high - ndcg.low) / 2}
        found["recall"] = fmean(value["recall@10"] for value in values[1:])
    return found


STEPS: Mapping[str, Callable[[Peer, Case], dict[str, Any]]] = {"build": build, "ask": ask}


def peak_mb() -> float:
    """The most memory that this process ever held."""
    try:
        # Not getrusage: there a new process begins with the peak of the one that started it.
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # bytes, on macOS
    peaks = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(peaks[0]) / 1024


def main(name: str, step: str, case: str, index: str) -> None:
    folder = Path(index)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        peer = make(name, folder, Case(Path(case)))
    except ImportError as error:
        print(json.dumps({"missing": f"not installed: {error}"}))
        return
    found = STEPS[step](peer, Case(Path(case)))
    print(json.dumps({**found, f"{step}_mb": peak_mb()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
