"""token: say who may ask from outside, and what they may do."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pinyon import settings
from pinyon.surfaces.cli.options import examples, json_option, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, note, painter

if TYPE_CHECKING:
    from pinyon.access.tokens import Token, Tokens


@click.group(
    epilog=examples(
        "pinyon token create reader --can search",
        "pinyon token list",
        "pinyon token revoke reader",
    )
)
def command() -> None:
    """Say who may ask, and what they may do.

    Without a token, everybody on this machine may do everything over HTTP. Once there is one, each
    request needs one. The shell, and `pinyon mcp` without --http, need none.
    """


@command.command(
    epilog=examples(
        "pinyon token create reader --can search",
        "pinyon token create agent --can search,write --scope team/api --expires 30d",
        "pinyon token create guest --can search --tier team --expires 2027-01-01",
    )
)
@click.argument("name")
@click.option(
    "--can",
    default="search",
    metavar="LIST",
    show_default=True,
    help="What it may do, with commas: search, write, admin.",
)
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    metavar="S",
    help="Only records of this scope and below. Can be given several times.",
)
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    metavar="T",
    help="Only this tier. Can be given several times.",
)
@click.option("--expires", metavar="WHEN", help="After 30d, 12h or 8w, or at a date.")
@store_option
@json_option
def create(
    name: str,
    can: str,
    scopes: tuple[str, ...],
    tiers: tuple[str, ...],
    expires: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Make a token, and print it: this once, and never again.

    search is to ask and to read; write is to save, change and forget; admin is to index folders, to
    change settings and to purge. None holds another one.
    """
    from pinyon.access.tokens import expiry

    tokens = _tokens(store)
    first = not tokens.all()
    token = tokens.create(
        name,
        [each.strip() for each in can.split(",") if each.strip()],
        scopes=scopes,
        tiers=tiers,
        expires_at=None if expires is None else expiry(expires, datetime.now(UTC)),
    )
    if as_json:
        emit_json({**_shown(next(x for x in tokens.all() if x.name == name)), "token": token})
    else:
        emit(token)
    note("keep it: it is not shown again")
    if first:
        note("from now on, every request over HTTP needs a token")
    if not settings.store_path(store).exists():
        note(f"there is no store at {settings.store_path(store)} yet")


@command.command("list", epilog=examples("pinyon token list", "pinyon token list --json"))
@store_option
@json_option
def list_(store: str | None, as_json: bool) -> None:
    """List the tokens of the store, but not their secrets."""
    tokens = _tokens(store).all()
    if as_json:
        emit_json([_shown(token) for token in tokens])
    elif tokens:
        emit("\n".join(_lines(tokens, datetime.now(UTC))))
    else:
        note("there is no token (pinyon token create NAME --can search)")


@command.command(epilog=examples("pinyon token revoke reader"))
@click.argument("name")
@store_option
@json_option
def revoke(name: str, store: str | None, as_json: bool) -> None:
    """Take a token away. A running server refuses it from the next request on."""
    _tokens(store).revoke(name)
    if as_json:
        emit_json({"revoked": name})
    else:
        emit(clean(f"{name} opens nothing any more"))


def _tokens(store: str | None) -> "Tokens":
    from pinyon.access.tokens import Tokens

    return Tokens(settings.store_path(store))


def _shown(token: "Token") -> dict[str, Any]:
    """Everything but the digest: whoever reads it learns nothing, but nobody needs it."""
    return {
        "name": token.name,
        "id": token.id,
        "capabilities": list(token.capabilities),
        "tiers": list(token.tiers),
        "scopes": list(token.scopes),
        "created_at": token.created_at.isoformat(),
        "expires_at": token.expires_at.isoformat() if token.expires_at else None,
        "store": token.store,
    }


def _lines(tokens: "list[Token]", now: datetime) -> list[str]:
    paint = painter(sys.stdout)
    widest = max(len(token.name) for token in tokens)
    lines = []
    for token in tokens:
        limits = [f"scope {scope}" for scope in token.scopes]
        limits += [f"tier {tier}" for tier in token.tiers]
        told = "  ".join([",".join(token.capabilities), *limits])
        name = paint("title", token.name.ljust(widest))
        lines.append(f"{name}  {clean(told)}  {_ends(token, now, paint)}".rstrip())
    return lines


def _ends(token: "Token", now: datetime, paint: Any) -> str:
    if token.expires_at is None:
        return ""
    over = token.expired(now)
    when = f"{token.expires_at:%Y-%m-%d %H:%M} UTC"
    return str(paint("problem", f"expired {when}") if over else paint("quiet", f"until {when}"))
