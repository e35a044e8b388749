"""embed: let the store's model read what it has not read yet."""

from dataclasses import asdict

import click

from pinyon import settings
from pinyon.inference.contract import ModelError, NoModel
from pinyon.surfaces.cli.catch_up import counted, waiting
from pinyon.surfaces.cli.models import records_line
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import emit, emit_json, note
from pinyon.surfaces.cli.progress import pace_bar


@click.command(epilog=examples("pinyon embed", "pinyon embed --retry --seconds 60"))
@click.option("--retry", is_flag=True, help="Also what failed before and was given up.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Stop after this time; the rest waits.",
)
@store_option
@json_option
def command(retry: bool, seconds: float | None, store: str | None, as_json: bool) -> None:
    """Embed what waits to be found by meaning.

    Commands that write do this by themselves for a moment; this does the rest, with the model that
    is in use and with one that is to take its place. What is done stays done when it is stopped.
    Prints how many records of each kind are done.
    """
    with reading(store) as engine:
        with pace_bar("passages") as advance:
            done = engine.embed(seconds=seconds, retry=retry, progress=advance)
        known = engine.models()
    models = [each for each in known if each.state != "idle" and each.dims]
    if not models and (known or settings.default_model() == "none"):
        raise NoModel("no model is in use", remedy="choose one: pinyon model use granite")
    if done.reason and not done.done:
        raise ModelError(f"nothing was embedded: {done.reason}")
    if as_json:
        emit_json({**asdict(done), "models": [asdict(each) for each in models]})
    else:
        lines = [records_line(each) for each in models]
        emit("\n".join(lines or ["nothing to embed: the store is empty"]))
    if done.failed:
        note(f"{counted(done.failed, 'passage')} failed: {done.reason}")
    elif done.reason:
        note(done.reason)
    if (left := done.waiting - done.failed) > 0:
        again = "" if seconds else "; pinyon embed --retry tries again what failed before"
        note(f"{waiting(left)}{again}")
