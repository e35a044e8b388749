"""Plot: how good against how fast, as one SVG: a panel for each collection, a point a profile.

Written by hand, because a plot of some points needs no library. The colours follow the reader's
light or dark setting, and each profile has a shape too, for who cannot tell colours apart.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 250, 190
"""Of the area of one panel in which points stand."""

LEFT, TOP, RIGHT, BOTTOM = 52, 44, 18, 48
"""Around it: numbers and names of the axes, the name of the collection."""

ACROSS = 3
"""Panels side by side; more begin a new row."""

ROW = 20
"""Height of one row of the legend."""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56a0d3", "#8a6fd1", "#7f7f7f")
"""Okabe and Ito's, as far as they can be seen on white and on black."""

SHAPES = (
    '<circle r="5"/>',
    '<rect x="-4.5" y="-4.5" width="9" height="9"/>',
    '<path d="M0 -6 L5.5 4.5 L-5.5 4.5 Z"/>',
    '<path d="M0 -6.5 L6.5 0 L0 6.5 L-6.5 0 Z"/>',
    '<path d="M0 6 L5.5 -4.5 L-5.5 -4.5 Z"/>',
)

STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #222222; }
  text.name { font-weight: 600; font-size: 13px; }
  .end { text-anchor: end; } .middle { text-anchor: middle; }
  .ground { fill: #ffffff; } text.quiet { fill: #666666; }
  .grid { stroke: #dddddd; } .frame { stroke: #666666; fill: none; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #14171a; } text { fill: #e8e8e8; } text.quiet { fill: #a0a0a0; }
    .grid { stroke: #33383d; } .frame { stroke: #a0a0a0; }
  }
"""


@dataclass(frozen=True, slots=True)
class Point:
    """One profile on one collection: `value` [0, 1] with its interval, at so many milliseconds."""

    collection: str
    profile: str
    ms: float
    value: float
    low: float
    high: float


def plot(points: Sequence[Point], measure: str) -> str:
    """The SVG. All panels share their axes: milliseconds by powers of ten, and the measure."""
    collections = list(dict.fromkeys(point.collection for point in points))
    profiles = list(dict.fromkeys(point.profile for point in points))
    axes = _Axes.around(points)
    across = min(ACROSS, len(collections))
    panel = (LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM)
    wide = max(across * panel[0], 320)
    rows = math.ceil(len(collections) / across)
    legend = list(_legend(profiles, wide))
    high = rows * panel[1] + ROW * (1 + max(row for row, _ in legend)) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
        f'height="{high}" role="img">',
        f"<title>{escape(measure)} against milliseconds a question</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{wide}" height="{high}"/>',
    ]
    for number, collection in enumerate(collections):
        row, column = divmod(number, across)
        parts.append(f'<g transform="translate({column * panel[0]} {row * panel[1]})">')
        parts.extend(axes.drawn(collection, measure))
        for point in points:
            if point.collection == collection:
                parts.extend(axes.placed(point, profiles.index(point.profile)))
        parts.append("</g>")
    parts.append(f'<g transform="translate(0 {rows * panel[1] + ROW / 2})">')
    parts.extend(mark for _, mark in legend)
    return "\n".join([*parts, "</g>", "</svg>", ""])


@dataclass(frozen=True, slots=True)
class _Axes:
    """What both axes reach from and to; across by the logarithm of the milliseconds."""

    left: float
    right: float
    low: float
    high: float

    @staticmethod
    def around(points: Sequence[Point]) -> "_Axes":
        """A little more than all of them need, and never less than a decade or a fifth."""
        logs = [math.log10(max(point.ms, 0.01)) for point in points]
        middle, half = (min(logs) + max(logs)) / 2, max(max(logs) - min(logs), 0.8) / 2 + 0.1
        low = max(0.0, math.floor(min(point.low for point in points) * 10) / 10)
        high = min(1.0, math.ceil(max(point.high for point in points) * 10) / 10)
        return _Axes(middle - half, middle + half, max(0.0, min(low, high - 0.2)), max(high, 0.2))

    def across(self, ms: float) -> float:
        share = (math.log10(max(ms, 0.01)) - self.left) / (self.right - self.left)
        return LEFT + share * WIDTH

    def down(self, value: float) -> float:
        return TOP + (self.high - value) / (self.high - self.low) * HEIGHT

    def drawn(self, collection: str, measure: str) -> Iterator[str]:
        """The empty panel."""
        yield f'<text class="name" x="{LEFT}" y="{TOP - 14}">{escape(_short(collection))}</text>'
        for ms in _ticks_ms(self.left, self.right):
            x = f"{self.across(ms):.1f}"
            yield f'<line class="grid" x1="{x}" y1="{TOP}" x2="{x}" y2="{TOP + HEIGHT}"/>'
            yield f'<text class="quiet middle" x="{x}" y="{TOP + HEIGHT + 17}">{ms:g}</text>'
        for value in _ticks(self.low, self.high):
            y = self.down(value)
            yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}"/>'
            yield f'<text class="quiet end" x="{LEFT - 7}" y="{y + 4:.1f}">{value:.1f}</text>'
        yield f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}"/>'
        middle = LEFT + WIDTH / 2
        yield f'<text class="middle" x="{middle}" y="{TOP + HEIGHT + 36}">p50, ms a question</text>'
        turned = f"translate(14 {TOP + HEIGHT / 2}) rotate(-90)"
        yield f'<text class="middle" transform="{turned}">{escape(measure)}</text>'

    def placed(self, point: Point, number: int) -> Iterator[str]:
        """A point with its interval; its numbers are shown where the pointer rests."""
        x, y = self.across(point.ms), self.down(point.value)
        ends = f'y1="{self.down(point.low):.1f}" y2="{self.down(point.high):.1f}"'
        said = f"{point.profile}: {point.value:.3f} [{point.low:.3f}, {point.high:.3f}]"
        yield f"<g><title>{escape(said)}, {point.ms:,.1f} ms</title>"
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" {ends} stroke="{_colour(number)}"/>'
        yield f"{_mark(number, x, y)}</g>"


def _legend(profiles: Sequence[str], wide: int) -> Iterator[tuple[int, str]]:
    """The row of each profile, and its mark with its name."""
    x, row = float(LEFT), 0
    for number, profile in enumerate(profiles):
        name = _short(profile)
        needed = 34 + 7.2 * len(name)
        if x + needed > wide and x > LEFT:
            x, row = LEFT, row + 1
        y = row * ROW
        text = f'<text x="{x + 12:.1f}" y="{y + 4}">{escape(name)}</text>'
        yield row, f"{_mark(number, x, y)}{text}"
        x += needed


def _mark(number: int, x: float, y: float) -> str:
    shape = SHAPES[number % len(SHAPES)]
    return f'<g transform="translate({x:.1f} {y:.1f})" fill="{_colour(number)}">{shape}</g>'


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _ticks(low: float, high: float) -> list[float]:
    """Tenths, or fifths where there are many."""
    step = 1 if high - low <= 0.61 else 2
    first, last = round(low * 10), round(high * 10)
    return [tenths / 10 for tenths in range(first, last + 1) if tenths % step == 0]


def _ticks_ms(left: float, right: float) -> list[float]:
    """1, 2 and 5 of each power of ten; 1 alone where there are many."""
    digits = (1, 2, 5) if right - left <= 2 else (1,)
    powers = range(math.floor(left), math.ceil(right) + 1)
    # By text: 10.0 ** -1 * 2 is not 0.2.
    marks = (float(f"{digit}e{power}") for power in powers for digit in digits)
    return [ms for ms in marks if left <= math.log10(ms) <= right]


def _short(name: str) -> str:
    """So much of a name as a panel has room for."""
    return name if len(name) <= 34 else f"{name[:33]}…"
