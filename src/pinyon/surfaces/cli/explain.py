"""Explain: why a hit is there, signal by signal, and how the answer came about."""

import math
from collections.abc import Iterator
from typing import Any

from pinyon.model.hit import Answer, Hit
from pinyon.model.profile import RERANK
from pinyon.surfaces.cli.hits import INDENT
from pinyon.surfaces.cli.output import Paint, clean

BAR = 20
"""Columns of the longest bar."""


class Explained:
    """One answer. The bars of a signal compare its hits; that of relevance is of 1."""

    def __init__(self, answer: Answer, paint: Paint) -> None:
        self.meta = answer.meta
        self.paint = paint
        self.weights = answer.meta["weights"]
        self.times = answer.meta.get("times", ())
        self.longest: dict[str, float] = {}
        for hit in answer:
            for name, value in hit.signals.items():
                self.longest[name] = max(self.longest.get(name, 0.0), abs(value))

    def hit(self, hit: Hit) -> Iterator[str]:
        """A bar for each signal with what it adds to the score, then who found it, and where."""
        widest = max(map(len, ("relevance", *hit.signals)))
        summed = self._summed(hit)

        def row(name: str, value: float, most: float, why: str) -> str:
            columns = min(BAR, round(BAR * abs(value) / most)) if most else 0
            bar = self.paint("bar", "█" * columns) + "·" * (BAR - columns)
            line = f"{INDENT}{name:<{widest}} {value:>8.3f} {bar} {self.paint('quiet', why)}"
            return line.rstrip()

        for name, value in hit.signals.items():
            yield row(name, value, self.longest[name], self._counts(name, value, summed=summed))
        yield row("relevance", hit.relevance, 1.0, self._found(hit))
        for name, text in (("via", hit.via), ("tier", hit.tier)):
            if text:
                yield f"{INDENT}{name:<{widest}} {self.paint('quiet', clean(text))}"

    def answer(self) -> Iterator[str]:
        """What was asked, what was left out and why, how long it took."""
        meta = self.meta
        asked = ", ".join(meta["channels"]) or "for no words"
        stages = ", ".join(f"{name} {ms:.1f}" for name, ms in meta["stages"].items())
        lines = [
            f"profile {meta['profile']}: {meta['returned']} of {meta['candidates']} candidates"
            f" at revision {meta['revision']}, asked {asked}",
            self._understood(),
            self._reread(),
            f"{meta['ms']:.1f} ms: {stages}",
            _listed("weights", {name: f"{weight:.3g}" for name, weight in self.weights.items()}),
            _listed(
                "trust", {name: f"x {times:.3g}" for name, times in meta.get("trust", {}).items()}
            ),
            _listed("filters", meta["filters"]),
            _listed("left out", meta["left_out"]),
            f"tiers: {', '.join(meta['tiers'])}" if meta["tiers"] else "",
            *(f"warning: {warning}" for warning in meta["warnings"]),
            *(f"changed: {change}" for change in meta["changed"]),
            f"next page: --cursor {meta['next']}" if meta["next"] else "",
        ]
        yield from (self.paint("quiet", clean(line)) for line in lines if line)

    def _understood(self) -> str:
        """The route, the likeliest wishes, and the time that the question speaks of."""
        meta = self.meta
        heard = (f"{one['name']} {one['score']:g}" for one in meta["intents"])
        parts = {
            "route": meta["route"],
            "wish": ", ".join(heard),
            "time": " to ".join(meta["period"]),
        }
        return "understood: " + "; ".join(f"{name} {text}" for name, text in parts.items() if text)

    def _reread(self) -> str:
        """How much was read again, by which model, and what came of it."""
        again = self.meta.get("rerank")
        if not again:
            return ""
        asked = "as it said before" if again["cached"] else f"{again['ms']:.1f} ms"
        read, moved = again["candidates"], again["moved"]
        return f"reranked: {read} read again by {again['model']}, {asked}; {moved} changed place"

    def _summed(self, hit: Hit) -> bool:
        """Whether the score is the sum of the weighted signals. It is not where lists were fused,
        where edges passed it on, or where a kind or a tier has a value of its own."""
        shares = {name: self.weights.get(name, 0) * value for name, value in hit.signals.items()}
        again = shares.pop(RERANK, 0)  # comes last, to what was multiplied
        factors = (hit.signals[name] for name in self.times if name in hit.signals)
        first = math.fsum(shares.values()) * math.prod(factors)
        return math.isclose(first + again, hit.score, rel_tol=1e-6)

    def _counts(self, name: str, value: float, *, summed: bool) -> str:
        """What a signal counts. One that edges pass on is a score already, unless it is weighed."""
        if name in self.times:
            return "multiplies the score"
        if name == "graph" and name not in self.weights:
            return "passed on"
        weight = self.weights.get(name, 0)
        adds = f", adds {weight * value:.3f}" if weight and (summed or name == RERANK) else ""
        return f"weight {weight:.3g}{adds}"

    def _found(self, hit: Hit) -> str:
        if not hit.sources:
            return "reached by edges" if hit.via else "changed last"
        found = ", ".join(f"{channel} at rank {rank}" for channel, rank in hit.sources.items())
        asked = len(self.meta["channels"])
        agree = f"; {len(hit.sources)} of {asked} channels agree" if asked > 1 else ""
        return f"found by {found}{agree}"


def _listed(name: str, values: dict[str, Any]) -> str:
    told = (f"{key} {_text(value)}" for key, value in values.items())
    return f"{name}: {', '.join(told)}" if values else ""


def _text(value: Any) -> str:
    return "/".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
