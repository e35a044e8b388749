"""config: list, get, set and unset what is configured in a store."""

import json

import click

from pinyon.engine import Engine
from pinyon.model.errors import UnknownSetting
from pinyon.profiles.configured import KEYS, PLAIN, PROFILES, value_at
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json, note


@click.group(
    epilog=examples(
        "pinyon config set profiles.brain.rank.weights.recency 0.3",
        "pinyon config set log_queries false",
        "pinyon config list",
    )
)
def command() -> None:
    """Change a profile or a setting of the store.

    The keys: profiles.NAME.PATH for one value of a profile, as `pinyon profile show NAME` names
    it; log_queries and track_use, true or false; log_days and log_most, whole numbers.
    """


@command.command("list", epilog=examples("pinyon config list --json"))
@store_option
@json_option
def list_(store: str | None, as_json: bool) -> None:
    """List what is set, in the store, and what was learnt."""
    with reading(store) as engine:
        known = engine.config()
    if as_json:
        emit_json(known)
    elif known:
        emit("\n".join(clean(f"{key} = {value}") for key, value in known.items()))
    else:
        note("nothing is set (pinyon config set KEY VALUE)")


@command.command(epilog=examples("pinyon config get log_days"))
@click.argument("key")
@store_option
@json_option
def get(key: str, store: str | None, as_json: bool) -> None:
    """Print the value of a key: as it is set, else what holds without it."""
    with reading(store) as engine:
        value = _value(engine, key)
    if as_json:
        emit_json({"key": key, "value": value})
    else:
        emit(clean(value))


@command.command(
    "set",
    context_settings={"ignore_unknown_options": True},  # so that -1 is a value, and refused as one
    epilog=examples(
        "pinyon config set profiles.brain.rank.weights.recency 0.3",
        "pinyon config set profiles.pages.retrieve.kinds '[\"page\"]'",
        "pinyon config set log_days 30",
    ),
)
@click.argument("key")
@click.argument("value")
@store_option
def set_(key: str, value: str, store: str | None) -> None:
    """Set a key. It is checked first, and counts from the next search on.

    Choosing a server as the reranker of a profile (profiles.NAME.rerank.model) means that you agree
    to send it your questions and what they find.
    """
    with reading(store) as engine:
        said = engine.configure(key, value)
        sent = _agreed(engine, key)
    if said:
        note(said)
    if sent:
        note(f"from now on a search that reranks sends its question and best hits to {sent}")


@command.command(epilog=examples("pinyon config unset profiles.brain.rank.weights.recency"))
@click.argument("key")
@store_option
def unset(key: str, store: str | None) -> None:
    """Take a key away, so that what holds without it counts again."""
    with reading(store) as engine:
        engine.configure(key, None)


def _agreed(engine: Engine, key: str) -> str:
    """The address that text is sent to from now on, where the key chooses a reranker; else ""."""
    name, _, path = key.removeprefix(PROFILES).partition(".")
    if not key.startswith(PROFILES) or path != "rerank.model":
        return ""
    from pinyon.reranking import agree

    return agree(engine.profile(name).rerank.model)


def _value(engine: Engine, key: str) -> str:
    known = engine.config()
    if key in known:
        return known[key]
    if key.startswith(PROFILES):
        name, _, path = key.removeprefix(PROFILES).partition(".")
        return json.dumps(value_at(engine.profile(name), path), ensure_ascii=False)
    if key not in PLAIN:
        raise UnknownSetting(f"no setting {key!r}", [*KEYS, *known])
    return PLAIN[key]
