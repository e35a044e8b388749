"""Output: text and JSON on standard output, notes on standard error, nothing that a terminal obeys.

Records come from anywhere: an escape sequence in one must never reach a terminal.
"""

import os
import re
import sys
from collections.abc import Callable
from typing import Any, TextIO

import click

from pinyon import settings

Paint = Callable[[str, str], str]
"""The name of a style and a text in, the text in that style out."""

STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "mark": {"fg": "yellow", "bold": True},
    "quiet": {"dim": True},
    "bar": {"fg": "green"},
    "command": {"fg": "cyan", "bold": True},
    "problem": {"fg": "red"},
}

_ESCAPES = r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?"
_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


def emit(text: str) -> None:
    """Text for people, on standard output."""
    click.echo(text)


def emit_json(document: Any) -> None:
    """One JSON document on standard output: a line of its own, or indented on a terminal."""
    import json  # most searches from a shell show text

    click.echo(
        json.dumps(document, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None),
        color=True,  # as it is: JSON is for programs
    )


def note(text: str) -> None:
    """A warning, or what was done, on standard error."""
    click.echo(f"pinyon: {clean(text)}", err=True)


def width() -> int:
    """The columns of the terminal, or 80."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):  # a pipe, a file
        return 80


def painter(stream: TextIO) -> Paint:
    """Colours where the stream shows them, else the bare text."""
    if settings.colour(stream):
        return lambda style, text: click.style(text, **STYLES[style])
    return lambda style, text: text


def clean(text: str) -> str:
    """On one line, without escape sequences and control characters."""
    return text if text.isprintable() else " ".join(clean_lines(text).split())


def clean_lines(text: str) -> str:
    """Without escape sequences and control characters, except tabs and the ends of lines."""
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(_CONTROLS, "", re.sub(_ESCAPES, "", lines))
