"""brief: what matters now in a scope, without a question, within a number of tokens."""

import sys
from collections.abc import Iterator

import click

from pinyon.model.record import KINDS
from pinyon.search.brief import Brief, Section
from pinyon.surfaces.answers import brief_to_json
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import Paint, clean, emit, emit_json, note, painter

HEADINGS = {
    "important": "Important",
    "recent": "Changed last",
    "tasks": "To do",
    "conflicts": "Contradictions",
}


@click.command(
    epilog=examples(
        "pinyon brief",
        "pinyon brief --scope team/api --max-tokens 800",
        "pinyon brief --kind memory --kind task --json",
    )
)
@click.option("--scope", default="", metavar="PATH", help="It and everything below.")
@click.option("--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Any of these.")
@click.option(
    "--max-tokens",
    type=click.IntRange(min=0),
    default=2_000,
    metavar="N",
    show_default=True,
    help="The most that it may hold.",
)
@store_option
@json_option
def command(
    scope: str, kinds: tuple[str, ...], max_tokens: int, store: str | None, as_json: bool
) -> None:
    """Show what matters now, without a question.

    Important records, what was changed last, open tasks and contradictions, each record once,
    within a number of tokens: what an agent loads when it begins a task.
    """
    with reading(store) as engine:
        found = engine.brief(scope, max_tokens=max_tokens, kinds=kinds)
    if as_json:
        emit_json(brief_to_json(found))
        return
    if lines := list(_lines(found, painter(sys.stdout))):
        emit("\n".join(lines))
    else:
        note(f"nothing {'fits: give more --max-tokens' if _left(found) else 'matters yet'}")


def _lines(found: Brief, paint: Paint) -> Iterator[str]:
    """A heading a section, then two lines a record at most; sections without any are not shown."""
    shown = [section for section in found if section.items]
    for number, section in enumerate(shown):
        if number:
            yield ""
        yield from _section(section, paint)


def _section(section: Section, paint: Paint) -> Iterator[str]:
    yield paint("title", HEADINGS[section.name])
    for item in section:
        told = [clean(item.id), item.kind, clean(item.why)]
        if item.title and item.title != item.id:
            yield f"- {clean(item.title)}  {paint('quiet', '  '.join(told))}"
        else:
            yield f"- {clean(item.id)}  {paint('quiet', '  '.join(told[1:]))}"
        if item.line:
            yield f"  {clean(item.line)}"
    if section.left:
        yield paint("quiet", f"  and {section.left:,} more")


def _left(found: Brief) -> int:
    return sum(section.left for section in found)
