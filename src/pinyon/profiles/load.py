"""Load: a profile's file, what it inherits, and the changes of one call, checked and frozen."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_origin, get_type_hints

from pinyon.model.errors import UnknownProfile, UnknownSetting
from pinyon.model.profile import CHANNELS, FUSIONS, SIGNALS, Profile
from pinyon.model.query import FIELDS
from pinyon.model.record import KINDS
from pinyon.text.stop_lists import stop_list_names

SHIPPED = Path(__file__).parent

MOST = 1_000_000_000
"""The largest number that a profile can hold."""

LONGEST_NAME = 100

DEEPEST = 10
"""The most hops: further away everything is related to everything."""

File = tuple[Path, int]
"""A file and the time of its last change, in nanoseconds: together they name one content."""

Folders = Callable[[], Iterable[Path]]
"""Where profiles lie, nearest first; asked again for each file, so that it can be lazy."""


def shipped() -> Iterable[Path]:
    """The profiles that come with Pinyon, and nothing else."""
    return (SHIPPED,)


def load(
    name: str, folders: Folders = shipped, override: Mapping[str, Any] | None = None
) -> Profile:
    """The profile NAME.toml from the first of the `folders` that has it.

    `override` maps dotted paths to values: {"rank.weights.lexical": 2}. A file is read again when
    it has changed.
    """
    files = _files(name, folders)
    if not override:
        return _shared(name, files)
    table = _whole(files)
    for path, value in override.items():
        table = _changed(name, table, path.split("."), value)
    return _profile(name, table)


def names(folders: Folders = shipped) -> list[str]:
    """The profiles that there are."""
    return sorted({path.stem for folder in folders() for path in folder.glob("*.toml")})


def _files(name: str, folders: Folders) -> tuple[File, ...]:
    """The file of a profile and those that it inherits, nearest first. A file that inherits its own
    name inherits the next one of that name, at last the shipped one."""
    files: list[File] = []
    seen: list[Path] = []
    wanted: str | None = name
    while wanted is not None:
        path = _found(wanted, folders, seen)
        seen.append(path)
        files.append((path, path.stat().st_mtime_ns))
        wanted = _read(files[-1]).get("inherits")
    return tuple(files)


def _found(name: str, folders: Folders, seen: Sequence[Path]) -> Path:
    # A name is a name, not a path to somewhere else.
    if name.replace("-", "").replace("_", "").isalnum() and len(name) <= LONGEST_NAME:
        for folder in folders():
            path = folder / f"{name}.toml"
            if path not in seen and path.is_file():
                return path
    if any(path.stem == name for path in seen):
        raise UnknownSetting(f"{name}: inherits itself")
    raise UnknownProfile(name[:LONGEST_NAME], names(folders))


@lru_cache(maxsize=64)
def _read(file: File) -> Mapping[str, Any]:
    """The table of one file, checked by itself: a mistake is reported where it was made."""
    path, _ = file
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnknownSetting(f"{path} is not TOML: {error}") from None
    inherits = table.get("inherits", "")
    if not isinstance(inherits, str):
        raise UnknownSetting(f"{path.stem}: inherits must be the name of a profile")
    own = {key: value for key, value in table.items() if key != "inherits"}
    if "name" in own:
        raise UnknownSetting(f"{path.stem}: no setting name; a profile is called by its file")
    _section(Profile, path.stem, "", {**own, "name": path.stem})
    return MappingProxyType(table)


@lru_cache(maxsize=64)
def _shared(name: str, files: tuple[File, ...]) -> Profile:
    return _profile(name, _whole(files))


def _whole(files: Sequence[File]) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    for file in reversed(files):
        own = {key: value for key, value in _read(file).items() if key != "inherits"}
        whole = _merged(Profile, whole, own)
    return whole


def _merged(kind: Any, parent: Mapping[str, Any], child: Mapping[str, Any]) -> dict[str, Any]:
    """Sections are merged key by key; a value, also one that is a table, replaces its parent's."""
    hints = _hints(kind)
    merged = dict(parent)
    for key, value in child.items():
        section = _is_section(hints.get(key)) and isinstance(value, Mapping)
        merged[key] = _merged(hints[key], merged.get(key, {}), value) if section else value
    return merged


def _changed(
    name: str, table: Mapping[str, Any], path: Sequence[str], value: Any
) -> dict[str, Any]:
    if len(path) == 1:
        return {**table, path[0]: value}
    inner = table.get(path[0], {})
    if not isinstance(inner, Mapping):
        raise UnknownSetting(f"{name}: {path[0]} has no parts")
    return {**table, path[0]: _changed(name, inner, path[1:], value)}


def _profile(name: str, table: Mapping[str, Any]) -> Profile:
    profile: Profile = _section(Profile, name, "", {**table, "name": name})
    how = profile.retrieve
    _known(f"{name}: retrieve.channels", how.channels, CHANNELS)
    _known(f"{name}: retrieve.kinds", how.kinds, KINDS)
    _known(f"{name}: retrieve.without", how.without, KINDS)
    _known(f"{name}: retrieve.lexical.fields", how.lexical.fields, FIELDS)
    _known(f"{name}: fuse.method", [profile.fuse.method], FUSIONS)
    _known(f"{name}: fuse.weights", profile.fuse.weights, CHANNELS)
    _known(f"{name}: rank.weights", profile.rank.weights, SIGNALS)
    _known(f"{name}: present.cascade", profile.present.cascade, FIELDS)
    _known(f"{name}: understand.stop", [profile.understand.stop], stop_list_names())
    if not how.lexical.fields:
        raise UnknownSetting(f"{name}: retrieve.lexical.fields names no field", FIELDS)
    if how.lexical.b > 1:
        raise UnknownSetting(f"{name}: retrieve.lexical.b must be from 0 to 1")
    expand = profile.expand
    for key, share in {**expand.decay, "override": expand.override}.items():
        if share > 1:
            raise UnknownSetting(f"{name}: expand: {key} must be from 0 to 1, not {share:g}")
    if max(expand.depth, how.graph.depth) > DEEPEST:
        raise UnknownSetting(f"{name}: a depth must be from 0 to {DEEPEST}")
    return profile


def _section(kind: Any, name: str, path: str, table: Mapping[str, Any]) -> Any:
    hints = _hints(kind)
    values = {}
    for key, value in table.items():
        here = f"{path}.{key}" if path else key
        if key not in hints:
            known = [field for field in kind._fields if field != "name"]
            raise UnknownSetting(f"{name}: no setting {here}", known)
        values[key] = _value(hints[key], name, here, value)
    return kind(**values)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _is_section(hint: Any) -> bool:
    return isinstance(hint, type) and hasattr(hint, "_fields")


def _value(hint: Any, name: str, path: str, value: Any) -> Any:
    if _is_section(hint):
        if not isinstance(value, Mapping):
            raise UnknownSetting(f"{name}: {path} is a section, not a value")
        return _section(hint, name, path, value)
    if get_origin(hint) is tuple:
        if not isinstance(value, (list, tuple)):
            raise UnknownSetting(f"{name}: {path} must be a list")
        return tuple(_value(get_args(hint)[0], name, path, item) for item in value)
    if get_origin(hint) is Mapping:
        if not isinstance(value, Mapping):
            raise UnknownSetting(f"{name}: {path} must be a table")
        inner = get_args(hint)[1]
        checked = {key: _value(inner, name, f"{path}.{key}", item) for key, item in value.items()}
        return MappingProxyType(checked)
    return _scalar(hint, name, path, value)


_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


def _scalar(hint: Any, name: str, path: str, value: Any) -> Any:
    accepted = (int, float) if hint is float else (hint,)
    if not isinstance(value, accepted) or (isinstance(value, bool) and hint is not bool):
        raise UnknownSetting(f"{name}: {path} must be {_NAMES[hint]}, not {value!r}")
    if hint in (int, float) and not 0 <= value <= MOST:
        raise UnknownSetting(f"{name}: {path} must be from 0 to {MOST:,}, not {value!r}")
    return float(value) if hint is float else value


def _known(where: str, given: Any, known: Sequence[str]) -> None:
    for key in given:
        if key not in known:
            raise UnknownSetting(f"{where}: no {key!r}", known)
