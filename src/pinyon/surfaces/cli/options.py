"""Options: what many commands share, and the store that they open."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from pinyon.engine import Engine, open_engine

F = TypeVar("F", bound=Callable[..., Any])


def store_option(command: F) -> F:
    return click.option(
        "--store",
        metavar="FILE",
        help="The store; else PINYON_STORE, else the nearest .pinyon/ upward, else your own.",
    )(command)


def json_option(command: F) -> F:
    return click.option(
        "--json", "as_json", is_flag=True, help="Print JSON, for programs, instead of text."
    )(command)


def examples(*lines: str) -> str:
    """The end of a command's help: each line as it is typed."""
    return "\n".join(
        ["\b", "Examples:" if len(lines) > 1 else "Example:", *(f"  {x}" for x in lines)]
    )


def reading(store: str | None) -> Engine:
    """The store for a command that only reads, or changes what must exist: it is never made."""
    return open_engine(store, create=False)


def writing(store: str | None) -> Engine:
    """The store for a command that brings something in: made where there is none."""
    return open_engine(store, create=True)
