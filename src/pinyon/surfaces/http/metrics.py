"""Metrics: how the service fares, in the text that Prometheus reads.

Labels are route templates, methods and statuses: few, whatever is asked.
"""

import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate

BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD")

Labels = Mapping[str, str]
Sample = tuple[str, Labels, float]


class Metrics:
    """What was answered since the service began. Any number of threads may use it."""

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        self._timer = timer
        self._begun = timer()
        self._one_at_a_time = threading.Lock()
        self._answered: Counter[tuple[str, str, int]] = Counter()
        self._times: dict[str, list[int]] = {}
        self._sums: Counter[str] = Counter()

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answer. `route` must be a template, never a path as it was asked."""
        method = method if method in METHODS else "other"
        with self._one_at_a_time:
            self._answered[method, route, status] += 1
            buckets = self._times.setdefault(route, [0] * (len(BUCKETS_S) + 1))
            buckets[bisect_left(BUCKETS_S, seconds)] += 1
            self._sums[route] += seconds  # type: ignore[assignment]  # a Counter of seconds

    def text(self, version: str, gauges: Mapping[str, Iterable[tuple[Labels, float]]]) -> str:
        """All of it; `gauges` are those that the service knows, by the names in ABOUT."""
        with self._one_at_a_time:
            lines = [
                *_family("requests_total", self._counted()),
                *_family("request_seconds", self._histogram()),
            ]
        lines += _family("uptime_seconds", [("", {}, self._timer() - self._begun)])
        lines += _family("info", [("", {"version": version}, 1)])
        for name, samples in gauges.items():
            lines += _family(name, (("", labels, value) for labels, value in samples))
        return "\n".join([*lines, ""])

    def _counted(self) -> Iterator[Sample]:
        for (method, route, status), count in sorted(self._answered.items()):
            yield "", {"method": method, "route": route, "status": str(status)}, count

    def _histogram(self) -> Iterator[Sample]:
        for route, counts in sorted(self._times.items()):
            bounds = [*(f"{bound:g}" for bound in BUCKETS_S), "+Inf"]
            for bound, count in zip(bounds, accumulate(counts), strict=True):
                yield "_bucket", {"route": route, "le": bound}, count
            yield "_sum", {"route": route}, self._sums[route]
            yield "_count", {"route": route}, sum(counts)


ABOUT: Mapping[str, tuple[str, str]] = {
    "requests_total": ("counter", "Requests that were answered."),
    "request_seconds": ("histogram", "Time from the first byte of a request to its answer."),
    "uptime_seconds": ("gauge", "Time since the service began."),
    "info": ("gauge", "The version that runs."),
    "records": ("gauge", "Records that can be found, by kind."),
    "passages": ("gauge", "Passages of text in the store."),
    "passages_waiting": ("gauge", "Passages that wait to be embedded, by model."),
    "store_bytes": ("gauge", "The size of the store."),
    "jobs": ("gauge", "Jobs that are known, by state."),
}
"""Each metric with its type and what it says. Their names begin with pinyon_."""


def _family(name: str, samples: Iterable[Sample]) -> Iterator[str]:
    kind, about = ABOUT[name]
    yield f"# HELP pinyon_{name} {about}"
    yield f"# TYPE pinyon_{name} {kind}"
    for suffix, labels, value in samples:
        said = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        yield f"pinyon_{name}{suffix}{f'{{{said}}}' if said else ''} {value:.10g}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
