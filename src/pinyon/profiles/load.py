"""Load: a profile's file, what it inherits, and the changes of one call, checked and frozen."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_origin

from pinyon.model.errors import UnknownProfile, UnknownSetting
from pinyon.model.hit import Evidence
from pinyon.model.profile import (
    CHANNELS,
    INTENTS,
    LEARNING,
    ROUTES,
    SCALES,
    SIGNALS,
    TIMES,
    Profile,
)
from pinyon.model.query import FIELDS
from pinyon.model.record import KINDS, SEVERITIES
from pinyon.text.stop_lists import stop_list_names

SHIPPED = Path(__file__).parent

MOST = 1_000_000_000
"""The largest number that a profile can hold."""

LONGEST_NAME = 100

DEEPEST = 10
"""The most hops: further away everything is related to everything."""

MOST_READ = 100
"""The most candidates that are read again: each of them costs time."""

KNOWN: Mapping[str, Sequence[str]] = {
    "understand.routes": ROUTES,
    "retrieve.channels": CHANNELS,
    "retrieve.kinds": KINDS,
    "retrieve.without": KINDS,
    "retrieve.beside": KINDS,
    "retrieve.lexical.fields": FIELDS,
    "retrieve.vector.long": KINDS,
    "fuse.weights": CHANNELS,
    "rank.weights": SIGNALS,
    "rank.with_vectors": SIGNALS,
    "rank.times": SIGNALS,
    "rank.scale": CHANNELS,
    "rank.baseline": KINDS,
    "rank.trust.kinds": KINDS,
    "rank.severity": SEVERITIES,
    "rank.intent.kinds": KINDS,
    "relevance.words": (*Evidence._fields, "bias"),
    "relevance.meaning": (*Evidence._fields, "bias"),
    "relevance.both": (*Evidence._fields, "bias"),
    "present.cascade": FIELDS,
}
"""The names that a list or a table of a profile may hold."""

SHARES = (
    *("retrieve.lexical.b", "retrieve.vector.least", "fuse.complete", "rank.baseline"),
    *("rank.severity", "relevance.least", "relevance.off_topic", "relevance.unnamed"),
    "relevance.usual",
    *(
        "context.decay",
        "expand.decay",
        "expand.override",
        "rerank.weight",
        "present.alike",
        "learn.most",
    ),
)
"""What is a share of something: from 0 to 1."""

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
    changes = tuple((path, _Change(value)) for path, value in (override or {}).items())
    return _shared(name, files, changes)


def changed(profile: Profile, changes: Mapping[str, Any], kept: Sequence[str] = ()) -> Profile:
    """The profile with values in the place of others, by path; not where the path, or a part of it
    or what it is a part of, is among `kept`. Raises UnknownSetting for what it does not know."""
    for path, value in changes.items():
        if not any(_overlap(path, own) for own in kept):
            profile = _replaced(profile, profile.name, path.split("."), path, value)
    return profile


def _overlap(one: str, other: str) -> bool:
    one, other = f"{one}.", f"{other}."
    return one.startswith(other) or other.startswith(one)


def _replaced(section: Any, name: str, parts: Sequence[str], path: str, value: Any) -> Any:
    first, *rest = parts
    if isinstance(section, Mapping):
        return MappingProxyType({**section, first: float(value)})
    kind: Any = type(section)
    hints = _hints(kind)
    if first not in hints:
        raise UnknownSetting(f"{name}: no setting {path}", section._fields)
    if not rest:
        return section._replace(**{first: _value(hints[first], name, path, value)})
    inner = _replaced(getattr(section, first), name, rest, path, value)
    return section._replace(**{first: inner})


def names(folders: Folders = shipped) -> list[str]:
    """The profiles that there are."""
    return sorted({path.stem for folder in folders() for path in folder.glob("*.toml")})


def is_name(name: str) -> bool:
    """Whether a profile can be called so: a name is a name, not a path to somewhere else."""
    return name.replace("-", "").replace("_", "").isalnum() and len(name) <= LONGEST_NAME


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
    if is_name(name):
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
    except (ValueError, RecursionError) as error:  # also what Python itself refuses to read
        raise UnknownSetting(f"{path} is not TOML: {error}") from None
    inherits = table.get("inherits", "")
    if not isinstance(inherits, str):
        raise UnknownSetting(f"{path.stem}: inherits must be the name of a profile")
    own = {key: value for key, value in table.items() if key != "inherits"}
    if "name" in own:
        raise UnknownSetting(f"{path.stem}: no setting name; a profile is called by its file")
    if path.parent != SHIPPED:  # those are checked by the tests
        _section(Profile, path.stem, "", {**own, "name": path.stem})
    return MappingProxyType(table)


class _Change:
    """A value that a cache can know again: by what it looks like, and so by its types."""

    __slots__ = ("looks", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.looks = repr(value)

    def __hash__(self) -> int:
        return hash(self.looks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Change) and self.looks == other.looks


@lru_cache(maxsize=64)
def _shared(
    name: str, files: tuple[File, ...], changes: tuple[tuple[str, _Change], ...]
) -> Profile:
    table = _whole(files)
    for path, change in changes:
        table = _changed(name, table, path.split("."), change.value)
    return _profile(name, table)


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
    for path, known in KNOWN.items():
        _known(f"{name}: {path}", _at(path)(profile), known)
    _known(f"{name}: rank.scale", profile.rank.scale.values(), SCALES)
    _known(f"{name}: learn.method", [profile.learn.method], LEARNING)
    _known(f"{name}: learn.signal", [profile.learn.signal], SIGNALS)
    _known(f"{name}: understand.time", [profile.understand.time], TIMES)
    _known(f"{name}: understand.intent", [profile.understand.intent], ("", *INTENTS))
    for changes in profile.understand.routes.values():
        changed(profile, changes)
    _known(f"{name}: understand.stop", [profile.understand.stop], stop_list_names())
    for path in SHARES:
        _share(f"{name}: {path}", _at(path)(profile))
    how = profile.retrieve
    if not how.lexical.fields:
        raise UnknownSetting(f"{name}: retrieve.lexical.fields names no field", FIELDS)
    if max(profile.expand.depth, how.graph.depth, profile.context.depth) > DEEPEST:
        raise UnknownSetting(f"{name}: a depth must be from 0 to {DEEPEST}")
    if profile.rank.trust.even <= 0 or profile.rank.trust.depth < 2:
        raise UnknownSetting(
            f"{name}: rank.trust.even must be above 0, rank.trust.depth at least 2"
        )
    if not 1 <= profile.rerank.candidates <= MOST_READ:
        raise UnknownSetting(f"{name}: rerank.candidates must be from 1 to {MOST_READ}")
    weights = profile.rank.weights
    if weights and not any(weights.values()):
        raise UnknownSetting(
            f"{name}: rank.weights are all 0, and nothing orders the answer",
            remedy="give one of them a weight above 0, or all of them up: rank.weights = {}",
        )
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
    # As they stand there: no section writes a type as text, and typing's own way is slow to begin.
    hints: dict[str, Any] = kind.__annotations__
    return hints


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
    if hint is Any:  # a value for some other setting: checked where it is put there
        return value
    accepted = (int, float) if hint is float else (hint,)
    if not isinstance(value, accepted) or (isinstance(value, bool) and hint is not bool):
        raise UnknownSetting(f"{name}: {path} must be {_NAMES[hint]}, not {value!r}")
    if hint in (int, float) and not 0 <= value <= MOST and not _biased(path, value):
        raise UnknownSetting(f"{name}: {path} must be from 0 to {MOST:,}, not {value!r}")
    return float(value) if hint is float else value


def _biased(path: str, value: float) -> bool:
    """A bias is what is believed before anything is known: mostly that it is not so."""
    return path.endswith(".bias") and -MOST <= value <= MOST


@cache
def _at(path: str) -> Callable[[Profile], Any]:
    return attrgetter(path)


def _share(where: str, value: Any) -> None:
    for key, share in value.items() if isinstance(value, Mapping) else (("", value),):
        if share > 1:
            name = f"{where}.{key}" if key else where
            raise UnknownSetting(f"{name} must be from 0 to 1, not {share:g}")


def _known(where: str, given: Iterable[str], known: Sequence[str]) -> None:
    for key in given:
        if key not in known:
            raise UnknownSetting(f"{where}: no {key!r}", known)
