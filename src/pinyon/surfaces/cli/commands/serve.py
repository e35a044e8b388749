"""serve: answer programs, agents and a web page over HTTP."""

import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pinyon import private, settings
from pinyon.engine import open_engine
from pinyon.surfaces.cli.options import address_options, examples, store_option
from pinyon.surfaces.cli.output import note

if TYPE_CHECKING:
    from pinyon.access.gate import Gate


@click.command(
    epilog=examples(
        "pinyon serve",
        "pinyon serve --open",
        "pinyon serve --port 8000 --allow-origin https://notes.example",
        "pinyon serve --host 0.0.0.0 --allow-host notes.example",
    )
)
@address_options(port=7598)
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
@click.option("--verbose", is_flag=True, help="Write a line for each request.")
@store_option
def command(
    host: str,
    port: int,
    require_token: bool,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    show: bool,
    verbose: bool,
    store: str | None,
) -> None:
    """Serve programs and a web page over HTTP.

    The page is at the address that is printed, the API below /v1 (described by /openapi.json), MCP
    at /mcp. On this machine nobody needs a token, until the store has one; on any other address
    everybody does. The store is made where there is none.
    """
    import logging

    from pinyon.surfaces.http.listen import address, bound
    from pinyon.surfaces.mcp.warm import warmed

    logging.basicConfig(level=logging.ERROR, format="pinyon: %(message)s")
    where = settings.store_path(store).absolute()
    with bound(host, port) as listening:
        gate = _gate(where, listening, require_token)
        with open_engine(store) as engine, warmed(engine):
            from pinyon.surfaces.http.app import build  # it takes a while, so what may fail is done
            from pinyon.surfaces.http.serve import serve

            built = build(
                engine,
                gate,
                hosts=(host, *hosts),
                origins=origins,
                told=note if verbose else None,
            )
            url = address(listening)

            def ready() -> None:
                note(f"serving {where} on {url} (Ctrl-C ends it)")
                _invite(url, gate, show)

            serve(built.app, listening, ready=ready, ending=built.stop)


def _gate(store: Path, listening: socket.socket, required: bool) -> "Gate":
    """Who may come in. Raises InvalidInput where nobody could."""
    from pinyon.access.gate import Gate
    from pinyon.surfaces.http.listen import loopback

    local = loopback(listening)
    gate = Gate(store, required=required or not local)
    if not local or not sys.stderr.isatty():  # else the owner gets a link
        gate.check()
    return gate


def _invite(url: str, gate: "Gate", show: bool) -> None:
    """The page, for whoever sits at the terminal: where tokens are needed, with one in the link."""
    link = f"{url}/#token={gate.invite()}" if gate.required else f"{url}/"
    if gate.required and sys.stderr.isatty():
        note(f"the page, for you: {link}")
    if show:
        import webbrowser

        webbrowser.open(_handed_over(link) if gate.required else link)


def _handed_over(link: str) -> str:
    """The address of a file that leads to the link, and that only its owner can read: what a
    program is started with, everybody on this machine can see."""
    page = settings.cache_folder().absolute() / "page.html"
    private.make_folder(page.parent)
    page.unlink(missing_ok=True)
    private.make_file(page)
    page.write_text(f'<meta http-equiv="refresh" content="0; url={link}">', encoding="utf-8")
    return page.as_uri()
