"""search: find records by meaning and by words, with the reasons when asked."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from pinyon.engine import MOST_HITS
from pinyon.model.hit import Answer
from pinyon.model.profile import INTENTS, TIMES
from pinyon.model.record import KINDS, SEVERITIES
from pinyon.search.given import GROUPS, SORTS
from pinyon.surfaces.answers import answer_to_json
from pinyon.surfaces.cli.hits import answer_lines
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
    from pinyon.profiles.configured import typed

    changes = {}
    for text in given:
        path, equals, value = text.partition("=")
        if not equals or not path.strip():
            raise click.BadParameter(f"{text!r} is not like rank.weights.lexical=2")
        changes[path.strip()] = typed(value.strip())
    return changes


@click.command(
    epilog=examples(
        'pinyon search "how did we decide on retries"',
        "pinyon search retries --kind note --tag decision --since 2024-01-01",
        "pinyon search 'title:retry* AND NOT draft' --explain",
        "pinyon search --channels vector what to do when the server is down",
        "pinyon search --like retries --limit 5",
        "pinyon search retries --max-tokens 2000 --group file",
        "pinyon search 'who may sign in without a password' --rerank",
        "pinyon search retries --as-of 2024-05-01",
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
@click.option("--fix/--no-fix", default=True, help="Whether words may be taken for misspelt.")
@click.option("--expand/--no-expand", default=True, help="Whether acronyms are expanded.")
@click.option("--intent", type=click.Choice(INTENTS), help="What the wish is.")
@click.option(
    "--time",
    type=click.Choice(TIMES),
    help="What a time in the question does: nothing, prefer it, or nothing else.",
)
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
@click.option("--as-of", metavar="DATE", help="What was there, and valid, at this time.")
@click.option("--superseded", is_flag=True, help="Also what another record supersedes.")
@click.option("--expired", is_flag=True, help="Also what is no longer valid, or not yet.")
@click.option("--tier", "tiers", metavar="NAME", multiple=True, help="Only in any of these tiers.")
@click.option(
    "--min-relevance",
    type=click.FloatRange(0, 1),
    metavar="R",
    help="Nothing less relevant, from 0 to 1; 0 shows all that was found.",
)
@click.option("--rerank", is_flag=True, help="Read the best again, by the profile's reranker.")
@click.option(
    "--reranker",
    metavar="NAME",
    help="The same, by this one: late, cross-encoder, voyage, cohere, auto, hf:OWNER/NAME or a"
    " folder. Naming a server sends it this question and the best hits.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="The best answer that fits into so many tokens: copies folded, long texts cut.",
)
@click.option(
    "--group",
    type=click.Choice(GROUPS[1:]),
    help="One hit for each file, or for each record with its parts.",
)
@click.option(
    "--sort",
    type=click.Choice(SORTS),
    default="score",
    show_default=True,
    help="date: the newest of the best first.",
)
@click.option("--cursor", default="", metavar="TEXT", help="Go on after a page: its meta.next.")
@click.option(
    "--track/--no-track", default=True, help="Whether the search counts as use and is logged."
)
@click.option(
    "--set",
    "override",
    metavar="PATH=VALUE",
    multiple=True,
    callback=_override,
    help="Change the profile for this search, like rank.weights.lexical=2.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Show why each hit is there, what was left out, and the time it took.",
)
@store_option
@json_option
def command(
    query: tuple[str, ...],
    explain: bool,
    store: str | None,
    as_json: bool,
    mode: str | None,
    group: str | None,
    intent: str | None,
    time: str | None,
    rerank: bool,
    reranker: str | None,
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
        answer = engine.search(
            " ".join(query),
            mode=mode or "match",
            group=group or "",
            intent=intent or "",
            time=time or "",
            rerank=reranker or rerank,
            **how,
        )
        # Before the store is closed: what a search leaves behind is written then.
        _print(answer, explain=explain, as_json=as_json, scan=mode == "scan")
        if not answer.hits and not as_json:
            note(f"nothing {_nothing(answer.meta, {**how, 'query': query})}")


def _print(answer: Answer, *, explain: bool, as_json: bool, scan: bool) -> None:
    for line in (*answer.meta["warnings"], *answer.meta["changed"]):
        note(line)
    if as_json:
        emit_json(answer_to_json(answer))
        return
    shown = answer_lines(answer, painter(sys.stdout), width(), explain=explain, scan=scan)
    if lines := list(shown):
        emit("\n".join(lines))


def _nothing(meta: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """Why there is no hit, as far as it can be told, and what to do about it."""
    for why, hint in LEFT_OUT.items():
        if meta["left_out"].get(why):
            return hint
    asked = (name for name in ("cursor", "like", "query") if given[name])
    return f"found ({HINTS['filtered' if any(map(given.get, FILTERS)) else next(asked, 'empty')]})"


FILTERS = (
    *("kinds", "tags", "domains", "severities", "authors", "scope", "since", "until"),
    *("as_of", "tiers"),
)

LEFT_OUT = {
    "off topic": "relevant found (try other words, or --min-relevance 0 to see the nearest)",
    "less relevant than asked for": "so relevant found (try other words, or --min-relevance 0)",
    "no room": "fits into so few tokens (give more --max-tokens)",
}
"""What the reasons mean for an answer that is empty."""

HINTS = {
    "cursor": "that was the last page",
    "filtered": "try it without the filters",
    "query": "try other words; pinyon stats says what the store holds",
    "like": "nothing else has been embedded yet: pinyon embed",
    "empty": "the store is empty: pinyon index FOLDER, or pinyon save",
}
