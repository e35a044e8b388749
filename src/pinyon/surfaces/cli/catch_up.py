"""Catch up: what a command wrote is embedded for a moment, after its answer was printed.

A command that writes is done when its answer is out. Whatever happens from then on, what it wrote
is saved and found by its words, so nothing here is an error.
"""

import sys
from contextlib import suppress

from pinyon.engine import Engine
from pinyon.model.errors import PinyonError
from pinyon.surfaces.cli.output import note

SECONDS = 2.0
"""The longest that a user waits for their prompt; `pinyon embed` does the rest."""


def catch_up(engine: Engine) -> None:
    """Embed what waits, for at most SECONDS; say in one line what was not. Ctrl-C ends it."""
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        try:
            done = engine.embed(seconds=SECONDS)
        except (PinyonError, OSError) as problem:
            note(f"not embedded: {problem}; found by words only")
            return
        if done.reason:
            note(f"not embedded: {done.reason}; found by words only")
        elif done.waiting:
            note(f"{waiting(done.waiting)} (pinyon embed)")


def counted(count: int, noun: str) -> str:
    """1 passage, 1,234 passages."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def waiting(count: int) -> str:
    """How many passages wait, as a sentence."""
    return f"{counted(count, 'passage')} wait{'s' if count == 1 else ''} to be embedded"
