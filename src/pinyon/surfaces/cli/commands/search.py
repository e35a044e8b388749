"""search: find records by meaning and by words, with the reasons when asked."""

import sys
from typing import Any

import click

from pinyon.engine import MOST_HITS
from pinyon.model.record import KINDS, SEVERITIES
from pinyon.surfaces.cli.hits import answer_lines, answer_to_json
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import emit, emit_json, note, painter, width


def _channels(ctx: click.Context, param: click.Parameter, given: str | None) -> list[str] | None:
    if given is None:
        return None
    names = [name.strip() for name in given.split(",") if name.strip()]
    if not names:
        raise click.BadParameter("name at least one channel: lexical, vector, graph")
    return names


def _override(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    changes = {}
    for text in given:
        path, equals, value = text.partition("=")
        if not equals or not path.strip():
            raise click.BadParameter(f"{text!r} is not like rank.weights.lexical=2")
        changes[path.strip()] = _value(value.strip())
    return changes


def _value(text: str) -> Any:
    """A value of JSON or TOML, else the text itself."""
    import json
    import tomllib

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return table["value"] if len(table) == 1 else text


@click.command(
    epilog=examples(
        'pinyon search "how did we decide on retries"',
        "pinyon search retries --kind note --tag decision --since 2024-01-01",
        "pinyon search 'title:retry* AND NOT draft' --explain",
        "pinyon search --channels vector what to do when the server is down",
        "pinyon search --like retries --limit 5",
        'pinyon search retries --json | jq -r ".hits[].id"',
    )
)
@click.argument("query", nargs=-1)
@click.option(
    "--profile", default="default", metavar="NAME", show_default=True, help="How to search."
)
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1, MOST_HITS),
    default=10,
    metavar="N",
    show_default=True,
    help=f"The most hits, up to {MOST_HITS:,}.",
)
@click.option(
    "--mode",
    type=click.Choice(["scan", "full"]),
    help="scan: the beginning of each body; full: whole records; else what matched.",
)
@click.option(
    "--channels",
    metavar="NAMES",
    callback=_channels,
    help="Ask only these, with commas: lexical (words), vector (meaning), graph (edges).",
)
@click.option("--like", metavar="ID", help="Instead of words: find more like this record.")
@click.option("--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Any of these.")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Records with all of these.")
@click.option("--domain", "domains", metavar="TEXT", multiple=True, help="Any of these.")
@click.option(
    "--severity", "severities", type=click.Choice(SEVERITIES), multiple=True, help="Any of these."
)
@click.option("--author", "authors", metavar="NAME", multiple=True, help="Any of these.")
@click.option("--scope", default="", metavar="PATH", help="It and everything below.")
@click.option("--since", metavar="DATE", help="Created at this time or later.")
@click.option("--until", metavar="DATE", help="Created before this time.")
@click.option(
    "--set",
    "override",
    metavar="PATH=VALUE",
    multiple=True,
    callback=_override,
    help="Change the profile for this search, like rank.weights.lexical=2.",
)
@click.option("--explain", is_flag=True, help="Show why each hit is there, and the time it took.")
@store_option
@json_option
def command(
    query: tuple[str, ...],
    explain: bool,
    store: str | None,
    as_json: bool,
    mode: str | None,
    **how: Any,
) -> None:
    """Find records by meaning and by words.

    Any text is a question. AND, OR, NOT, NEAR, "a phrase", prefix* and field:word work where they
    make sense. A query that begins with a dash stands after --. Without a query, what changed last
    is listed. Where no model can be used, words alone are asked, and a warning says so.
    """
    if query and how["like"]:
        raise click.UsageError("give a query or --like, not both")
    with reading(store) as engine:
        answer = engine.search(" ".join(query), mode=mode or "match", **how)
    for line in (*answer.meta["warnings"], *answer.meta["changed"]):
        note(line)
    if as_json:
        emit_json(answer_to_json(answer))
        return
    lines = list(answer_lines(answer, painter(sys.stdout), width(), explain=explain))
    if lines:
        emit("\n".join(lines))
    if not answer.hits:
        given = (name for name in ("like", "query") if {**how, "query": query}[name])
        hint = "filtered" if any(how[name] for name in FILTERS) else next(given, "empty")
        note(f"nothing found ({HINTS[hint]})")


FILTERS = ("kinds", "tags", "domains", "severities", "authors", "scope", "since", "until")

HINTS = {
    "filtered": "try it without the filters",
    "query": "try other words; pinyon stats says what the store holds",
    "like": "nothing else has been embedded yet: pinyon embed",
    "empty": "the store is empty: pinyon index FOLDER, or pinyon save",
}
