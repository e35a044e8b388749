"""Progress: a bar on standard error while something long runs, and only on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pinyon.surfaces.cli.output import clean

if TYPE_CHECKING:
    from pinyon.index.embed import Pace

Advance = Callable[[int, int, str], None]
"""What is done, of how much, and what comes next."""


@contextmanager
def bar(label: str) -> Iterator[Advance]:
    """Call what it yields as often as you like; it draws ten times a second."""
    if not sys.stderr.isatty():
        yield lambda done, total, following: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[following]}", style="dim"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(clean(label)), total=None, following="")

        def advance(done: int, total: int, following: str) -> None:
            shown = escape(clean(following)[-50:])
            progress.update(task, completed=done, total=total, following=shown)

        yield advance


@contextmanager
def pace_bar(label: str) -> Iterator[Callable[["Pace"], None]]:
    """A bar with the rate and the time that is left."""
    with bar(label) as advance:
        yield lambda pace: advance(
            pace.done, pace.total, pace_text(pace.total - pace.done, pace.rate)
        )


def pace_text(left: int, rate: float) -> str:
    """How fast it goes, and how long what is left takes: 39 a second, 2 min left."""
    if rate <= 0:
        return ""
    seconds = left / rate
    units = ((3600, "h"), (60, "min"), (1, "s"))
    size, unit = next((each for each in units if seconds >= 1.5 * each[0]), units[-1])
    return f"{rate:,.0f} a second, {seconds / size:,.0f} {unit} left"
