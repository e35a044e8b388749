"""Settings: the only reader of the environment. Where the store is, where profiles may lie, colours."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

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
        return Path(named).expanduser()
    here = (here or Path.cwd()).absolute()
    for folder in (here, *here.parents):
        if (folder / FOLDER).is_dir():
            return folder / FOLDER / STORE
    # Imported here: it costs as much as a search, and most searches know their store.
    import platformdirs

    return Path(platformdirs.user_data_dir("pinyon", appauthor=False)) / STORE


def profile_folders(store: Path, *, environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Where users' own profiles lie: beside the store, and in PINYON_PROFILES or the user's
    configuration folder."""
    named = environment.get("PINYON_PROFILES")
    beside = store.parent / "profiles"
    if named:
        return [beside, Path(named).expanduser()]
    if store.parent.name == FOLDER:
        return [beside]
    import platformdirs

    return [beside, Path(platformdirs.user_config_dir("pinyon", appauthor=False)) / "profiles"]


def colour(stream: TextIO, *, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to write colours: to a terminal that shows them, unless NO_COLOR is set."""
    plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    return not plain and stream.isatty()
