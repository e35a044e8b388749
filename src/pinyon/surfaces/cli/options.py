"""Options: what many commands share, and the store that they open."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from pinyon.engine import Engine, open_engine
from pinyon.surfaces.cli.catch_up import catch_up

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


def address_options(port: int) -> Callable[[F], F]:
    """Where a service answers, and whom: `host`, `port`, `require_token`, `hosts`, `origins`."""
    options = (
        click.option(
            "--host", default="127.0.0.1", show_default=True, help="The address to serve on."
        ),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=port,
            show_default=True,
            help="The port; 0 is any that is free.",
        ),
        click.option("--require-token", is_flag=True, help="Ask for a token on this machine too."),
        click.option(
            "--allow-host",
            "hosts",
            multiple=True,
            metavar="NAME",
            help="Another name that this server is called by; repeatable.",
        ),
        click.option(
            "--allow-origin",
            "origins",
            multiple=True,
            metavar="ORIGIN",
            help="A site whose pages may ask, like https://notes.example; repeatable.",
        ),
    )

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def examples(*lines: str) -> str:
    """The end of a command's help: each line as it is typed."""
    return "\n".join(
        ["\b", "Examples:" if len(lines) > 1 else "Example:", *(f"  {x}" for x in lines)]
    )


def reading(store: str | None) -> Engine:
    """The store for a command that writes no text: it must exist, and nothing is embedded."""
    return open_engine(store, create=False, background=False)


@contextmanager
def writing(store: str | None, *, create: bool = True) -> Iterator[Engine]:
    """The store for a command that writes text: made where there is none, if `create`. When the
    `with` ends, what was written is embedded for a moment: print the answer inside of it."""
    with open_engine(store, create=create, background=False) as engine:
        yield engine
        catch_up(engine)
