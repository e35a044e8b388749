"""mcp: answer agents over MCP, on standard input and output or over HTTP."""

import sys

import click

from pinyon.engine import open_engine
from pinyon.surfaces.cli.options import address_options, examples, store_option
from pinyon.surfaces.cli.output import note
from pinyon.surfaces.mcp import SETS
from pinyon.surfaces.mcp.warm import warmed


@click.command(
    epilog=examples(
        "pinyon mcp",
        "pinyon mcp --store team.pinyon --tools all",
        "pinyon mcp --http --port 7599 --require-token",
    )
)
@click.option(
    "--tools",
    type=click.Choice(SETS),
    default="pinyon",
    show_default=True,
    help="Which tools: Pinyon's own, those of other systems by their names, or both.",
)
@click.option("--http", is_flag=True, help="Over HTTP, for many agents at once.")
@address_options(port=7599)
@store_option
def command(
    tools: str,
    http: bool,
    host: str,
    port: int,
    require_token: bool,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    store: str | None,
) -> None:
    """Serve agents over MCP.

    Without --http it speaks with the one agent that started it, over standard input and output, and
    ends with it. Claude Code learns of it by: claude mcp add pinyon -- pinyon mcp

    With --http any number of agents share it, at the address /mcp; who is not on this machine needs
    a token. --host, --port, --require-token and --allow-... count there only.
    """
    import logging

    logging.basicConfig(level=logging.WARNING, format="pinyon: %(message)s")
    if http:
        _over_http(store, tools, host, port, require_token, hosts, origins)
    else:
        _over_stdio(store, tools)


def _over_stdio(store: str | None, tools: str) -> None:
    if sys.stdin.isatty():
        note("this speaks MCP: let an agent start it (Ctrl-C ends it)")
    with open_engine(store) as engine, warmed(engine):
        # Not sooner: they take a second to load, and so does the model.
        from pinyon.surfaces.mcp.server import build
        from pinyon.surfaces.mcp.stdio import serve

        serve(build(engine, tools))


def _over_http(
    store: str | None,
    tools: str,
    host: str,
    port: int,
    require_token: bool,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
) -> None:
    from pinyon import settings
    from pinyon.access.gate import Gate
    from pinyon.surfaces.http.guard import Guard
    from pinyon.surfaces.http.serve import address, bound, loopback, serve

    where = settings.store_path(store).absolute()
    with bound(host, port) as listening:
        gate = Gate(where, required=require_token or not loopback(listening))
        gate.check()
        with open_engine(store) as engine, warmed(engine):
            from pinyon.surfaces.mcp.http import alone

            app = Guard(alone(engine, tools), gate, hosts=(host, *hosts), origins=origins)
            url = f"{address(listening)}/mcp"
            said = f"serving {where} over MCP on {url} (Ctrl-C ends it)"
            serve(app, listening, ready=lambda: note(said))
