"""Settings: the only reader of the environment. Where things lie, which model a store begins with,
and to whom this user agreed to send text.

A key in the environment sends nothing anywhere: a server is asked only when its address stands in
the user's own list, wherever the store comes from.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO

from pinyon import private
from pinyon.model.errors import InvalidInput
from pinyon.profiles.load import SHIPPED

FOLDER = ".pinyon"
"""A folder of this name holds the store of the project around it."""

STORE = "store.pinyon"

ALLOWED = "allowed.json"
"""In the user's configuration folder: a list of the addresses that text may be sent to."""


def store_path(
    given: str | None = None,
    *,
    environment: Mapping[str, str] = os.environ,
    here: Path | None = None,
) -> Path:
    """The named file, else PINYON_STORE, else the nearest .pinyon/ upward, else the user's own."""
    named = given or environment.get("PINYON_STORE")
    if named:
        return _expanded(named)
    here = (here or Path.cwd()).absolute()
    for folder in (here, *here.parents):
        if (folder / FOLDER).is_dir():
            return folder / FOLDER / STORE
    # Imported here: it costs as much as a search, and most searches know their store.
    import platformdirs

    return Path(platformdirs.user_data_dir("pinyon", appauthor=False)) / STORE


def profile_folders(store: Path, *, environment: Mapping[str, str] = os.environ) -> Iterator[Path]:
    """Where profiles lie: beside the store, in the folder that PINYON_PROFILES names, the shipped
    ones, then the user's configuration folder, which is asked only for what no other has."""
    yield store.parent / "profiles"
    named = environment.get("PINYON_PROFILES")
    if named:
        yield _expanded(named)
    yield SHIPPED
    yield config_folder(environment=environment) / "profiles"


def config_folder(*, environment: Mapping[str, str] = os.environ) -> Path:
    """What the user has set: PINYON_CONFIG, else the folder that the system has for it."""
    named = environment.get("PINYON_CONFIG")
    if named:
        return _expanded(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("pinyon", appauthor=False))


def cache_folder(*, environment: Mapping[str, str] = os.environ) -> Path:
    """What can be made or fetched again: PINYON_CACHE, else the folder that the system has for it.
    Models and the vectors of known texts lie there."""
    named = environment.get("PINYON_CACHE")
    if named:
        return _expanded(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("pinyon", appauthor=False))


def default_model(*, environment: Mapping[str, str] = os.environ) -> str:
    """The model of a store that names none: PINYON_MODEL, else the one that comes with Pinyon.
    "none" is no model: records are found by words only."""
    named = environment.get("PINYON_MODEL", "").strip()
    if named:
        return named
    from pinyon.inference.models import known

    return known().default


def automatic_model(*, environment: Mapping[str, str] = os.environ) -> str:
    """What "auto" stands for: the first provider whose key is set, else the default model."""
    from pinyon.inference.models import known

    keyed = (name for name in known().providers if provider_key(name, environment=environment))
    return next(keyed, default_model(environment=environment))


def hub_address(*, environment: Mapping[str, str] = os.environ) -> str | None:
    """The hub that repositories are pulled from, where it is not the usual one: HF_ENDPOINT, as
    other programs read it too."""
    return environment.get("HF_ENDPOINT", "").strip() or None


def provider_key(provider: str, *, environment: Mapping[str, str] = os.environ) -> str | None:
    """The key of the provider or reranker with this name, out of the variable that models.toml
    names; None where it is not set."""
    from pinyon.inference.models import known

    found = known().providers.get(provider) or known().rerankers.get(provider)
    return (environment.get(found.key, "").strip() if found else "") or None


def allowed(url: str, *, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this user agreed to send text to this address. A list that cannot be read allows
    nothing."""
    return _address(url) in _agreed(config_folder(environment=environment) / ALLOWED)


def allow(url: str, *, environment: Mapping[str, str] = os.environ) -> None:
    """Keep that this user agreed to send text to this address. Nobody else can read the list."""
    import json
    import tempfile

    path = config_folder(environment=environment) / ALLOWED
    addresses = sorted({*_agreed(path), _address(url)})
    try:
        private.make_folder(path.parent)
        handle, near = tempfile.mkstemp(dir=path.parent, prefix=f".{ALLOWED}.")  # mode 0600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(addresses, file, indent=1)
            Path(near).replace(path)
        finally:
            Path(near).unlink(missing_ok=True)
    except OSError as problem:
        raise InvalidInput(
            f"your consent cannot be kept in {path}: {problem.strerror}",
            remedy="make the folder writable, or name another one with PINYON_CONFIG",
        ) from None


def colour(stream: TextIO, *, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to write colours: to a terminal that shows them, unless NO_COLOR is set."""
    plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    return not plain and stream.isatty()


def _expanded(name: str) -> Path:
    if "\0" in name:
        raise InvalidInput("a path cannot hold a NUL character")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise InvalidInput(f"{name}: no such user", remedy="write the whole path") from None


def _agreed(path: Path) -> set[str]:
    import json

    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return set()
    return {each for each in listed if isinstance(each, str)} if isinstance(listed, list) else set()


def _address(url: str) -> str:
    """Without what changes nothing: the case of scheme and host, a slash at the end."""
    scheme, colon, rest = url.strip().partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}{colon}{host.lower()}{slash}{path}".rstrip("/")
