"""Memory: the most that a new process held while it opened a store and searched it once."""

import sys
from pathlib import Path

from bench.child import run

_SEARCH = """
import sys
import pinyon

with pinyon.open(sys.argv[1], create=False) as engine:
    answer = engine.search(sys.argv[2])
channels, warnings = answer.meta["channels"], answer.meta["warnings"]
if "vector" not in channels:
    sys.exit(f"not a hybrid search: {channels} {warnings}")

try:
    # Not getrusage: there a new process begins with the peak of the one that started it.
    with open("/proc/self/status") as status:
        peaks = [line.split()[1] for line in status if line.startswith("VmHWM:")]
    print(int(peaks[0]) / 1024)
except OSError:
    import resource

    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)  # bytes, on macOS
"""


def peak_mb(store: Path, question: str) -> float:
    """Of resident memory, everything that is mapped and touched included."""
    return float(run([sys.executable, "-c", _SEARCH, str(store), question]).stdout)
