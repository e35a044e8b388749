"""tier: search other stores beside the own one."""

import sys
from typing import TYPE_CHECKING

import click

from pinyon.engine import open_engine
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, note, painter

if TYPE_CHECKING:
    from pinyon.engine.tiers import TierInfo


@click.group(epilog=examples("pinyon tier add team ~/team.pinyon", "pinyon tier list"))
def command() -> None:
    """Search other stores beside this one."""


@command.command(
    epilog=examples(
        "pinyon tier add project .pinyon/store.pinyon",
        "pinyon tier add team /mnt/team.pinyon --priority 0.6",
    )
)
@click.argument("name")
@click.argument("path")
@click.option(
    "--priority",
    type=float,
    metavar="P",
    help="What its scores are multiplied by, up to 1; else project .8, team .6, others .5.",
)
@store_option
@json_option
def add(name: str, path: str, priority: float | None, store: str | None, as_json: bool) -> None:
    """Search the store at PATH too, from now on.

    Nothing is ever written to it. Where both stores have a record of the same id, the one of the
    higher priority counts. To change the priority of a tier, add it again.
    """
    with open_engine(store, background=False) as engine:
        tier = engine.add_tier(name, path, priority=priority)
    if as_json:
        emit_json(tier._asdict())
    else:
        emit(clean(f"{tier.name} ({tier.priority:g}): {tier.path}"))
    if tier.problem:
        note(f"it is not searched yet: {tier.problem}")


@command.command("list", epilog=examples("pinyon tier list", "pinyon tier list --json"))
@store_option
@json_option
def list_(store: str | None, as_json: bool) -> None:
    """List the tiers, the highest first, and whether each can be searched."""
    with reading(store) as engine:
        tiers = engine.tiers()
    if as_json:
        emit_json([tier._asdict() for tier in tiers])
        return
    emit("\n".join(_lines(tiers)))
    if len(tiers) == 1:
        note("there is no other tier (pinyon tier add NAME PATH)")


@command.command(
    epilog=examples("pinyon tier name project", "pinyon tier name project --priority 0.8")
)
@click.argument("name")
@click.option(
    "--priority",
    type=float,
    default=1.0,
    metavar="P",
    show_default=True,
    help="What its scores are multiplied by, up to 1.",
)
@store_option
@json_option
def name(name: str, priority: float, store: str | None, as_json: bool) -> None:
    """Give the store itself another name among its tiers than agent."""
    with open_engine(store, background=False) as engine:
        tier = engine.name_tier(name, priority=priority)
    if as_json:
        emit_json(tier._asdict())
    else:
        emit(clean(f"{tier.name} ({tier.priority:g}): {tier.path}"))


@command.command(epilog=examples("pinyon tier remove team"))
@click.argument("name")
@store_option
@json_option
def remove(name: str, store: str | None, as_json: bool) -> None:
    """Search a tier no more. Its file stays as it is."""
    with reading(store) as engine:
        engine.remove_tier(name)
    if as_json:
        emit_json({"removed": name})
    else:
        emit(clean(f"{name} is not searched any more"))


def _lines(tiers: "list[TierInfo]") -> list[str]:
    paint = painter(sys.stdout)
    widest = max(len(tier.name) for tier in tiers)
    lines = []
    for tier in tiers:
        about = f"{tier.records:,} records" if tier.state == "open" else tier.state
        style = "quiet" if tier.state == "open" else "problem"
        head = f"{paint('title', clean(tier.name).ljust(widest))}  {tier.priority:<4g}"
        lines.append(f"{head}  {paint(style, about)}  {clean(tier.path)}")
        if tier.problem:
            lines.append(f"{'':{widest}}  {clean(tier.problem)}")
    return lines
