"""Progress: a bar on standard error while something long runs, and only on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pinyon.surfaces.cli.output import clean

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
