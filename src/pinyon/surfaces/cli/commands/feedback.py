"""feedback: say whether a hit was right, so that the weights can follow."""

import click

from pinyon.store.questions import VERDICTS
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json


@click.command(
    epilog=examples(
        'pinyon feedback retries accepted --query "how often is a call repeated"',
        "pinyon feedback retries dismissed --profile vault",
    )
)
@click.argument("id")
@click.argument("verdict", metavar="|".join(VERDICTS), type=click.Choice(VERDICTS))
@click.option("--query", default="", metavar="TEXT", help="The question that the hit answered.")
@click.option(
    "--profile",
    default="default",
    metavar="NAME",
    show_default=True,
    help="Which profile found it.",
)
@store_option
@json_option
def command(
    id: str, verdict: str, query: str, profile: str, store: str | None, as_json: bool
) -> None:
    """Say whether a hit was right.

    accepted: it was what you looked for; modified: nearly, you had to change it; dismissed: it was
    not. A later verdict on the same record and question replaces the earlier one. With the question
    the verdict also says which signal was right: it is asked again, and what else it finds is what
    you passed over. From 30 verdicts on, the weights of the profile may follow: see
    pinyon profile learn.
    """
    with reading(store) as engine:
        engine.feedback(id, verdict, query=query, profile=profile)
    if as_json:
        emit_json({"id": id, "verdict": verdict, "query": query, "profile": profile})
    else:
        emit(clean(f"{verdict}: {id}"))
