"""Settings: the only reader of the environment. Where the store and profiles lie, and colours."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO

from pinyon.model.errors import InvalidInput
from pinyon.profiles.load import SHIPPED

FOLDER = ".pinyon"
"""A folder of this name holds the store of the project around it."""

STORE = "store.pinyon"


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
    import platformdirs

    yield Path(platformdirs.user_config_dir("pinyon", appauthor=False)) / "profiles"


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
