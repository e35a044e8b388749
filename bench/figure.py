"""Figure: one number with its target beside it. Table: the figures of one section."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of `records` records. Without a target it only explains another."""

    records: int
    name: str
    value: float
    unit: str = ""
    most: float | None = None
    least: float | None = None

    @property
    def target(self) -> str:
        if self.most is not None:
            return f"<= {self.most:g}"
        return "" if self.least is None else f">= {self.least:g}"

    @property
    def verdict(self) -> str:
        """PASS, MISS, or nothing where there is no target."""
        if self.most is None and self.least is None:
            return ""
        above = self.most is not None and self.value > self.most
        below = self.least is not None and self.value < self.least
        return "MISS" if above or below else "PASS"


def table(title: str, figures: Sequence[Figure]) -> str:
    """A line a figure, in columns."""
    head = ("records", title, "value", "target", "")
    lines = [
        (f"{f.records:,}", f.name, f"{_shown(f.value)} {f.unit}".strip(), f.target, f.verdict)
        for f in figures
    ]
    widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]
    rule = tuple("-" * width for width in widths)
    return "\n".join(
        f"{count:>{widths[0]}}  {name:<{widths[1]}}  {value:>{widths[2]}}  {target:<{widths[3]}}"
        f"  {verdict}".rstrip()
        for count, name, value, target, verdict in (head, rule, *lines)
    )


def _shown(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
