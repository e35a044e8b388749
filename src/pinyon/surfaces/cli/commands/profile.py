"""profile: list the profiles of search, and show one."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import click

from pinyon import settings
from pinyon.model.profile import Profile
from pinyon.profiles import load
from pinyon.profiles.configured import chosen, learnt
from pinyon.profiles.written import toml
from pinyon.surfaces.cli.learning import learn, reset
from pinyon.surfaces.cli.options import examples, json_option, reading, store_option
from pinyon.surfaces.cli.output import clean, emit, emit_json


@click.group(epilog=examples("pinyon profile list", "pinyon profile show default"))
def command() -> None:
    """List the profiles of search, and show one."""


command.add_command(learn)
command.add_command(reset)


@command.command("list", epilog=examples("pinyon profile list"))
@store_option
@json_option
def list_(store: str | None, as_json: bool) -> None:
    """List the profiles: those that come with Pinyon, and your own."""
    folders = _folders(store)
    profiles = [load.load(name, folders) for name in load.names(folders)]
    if as_json:
        emit_json([{"name": profile.name, "about": profile.about} for profile in profiles])
        return
    widest = max(len(profile.name) for profile in profiles)
    emit("\n".join(clean(f"{each.name:<{widest}}  {each.about}") for each in profiles))


@command.command(epilog=examples("pinyon profile show default > .pinyon/profiles/mine.toml"))
@click.argument("name")
@store_option
@json_option
def show(name: str, store: str | None, as_json: bool) -> None:
    """Show a profile with everything that it inherits, as a file that could be your own.

    What is configured in the store or was learnt from feedback is in it, and named at the end."""
    profile, known = _in_force(name, store)
    table = _plain(profile)
    del table["name"]
    set_here, found = chosen(known, name), learnt(known, name)
    if as_json:
        emit_json({"name": name, **table, "configured": set_here, "learnt": found})
        return
    said = [*_said("Configured in this store", set_here), *_said("Learnt from feedback", found)]
    emit("\n".join([*_toml("", table), *said]).strip())


def _in_force(name: str, store: str | None) -> tuple[Profile, dict[str, str]]:
    """The profile as a search of this store would use it, and the settings of the store. It can be
    read before there is one."""
    if not settings.store_path(store).exists():
        return load.load(name, _folders(store)), {}
    with reading(store) as engine:
        return engine.profile(name), engine.config()


def _folders(store: str | None) -> load.Folders:
    """A profile can be read before there is a store."""
    return partial(settings.profile_folders, settings.store_path(store))


def _said(title: str, found: Mapping[str, Any]) -> Iterator[str]:
    if found:
        yield f"\n# {title}:"
        for name, value in found.items():
            yield clean(f"#   {name} = {toml(value)}")


class _Section(dict[str, Any]):
    """A table with a heading of its own; other tables stand on one line."""


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return _Section({name: _plain(each) for name, each in value._asdict().items()})
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def _toml(path: str, table: Mapping[str, Any]) -> Iterator[str]:
    if path:
        yield f"\n[{path}]"
    for name, value in table.items():
        if not isinstance(value, _Section):
            yield f"{name} = {toml(value)}"
    for name, value in table.items():
        if isinstance(value, _Section):
            yield from _toml(f"{path}.{name}" if path else name, value)
