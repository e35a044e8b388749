"""Root: where a folder really is, and the name under which the store knows it."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path

from pinyon.index.source.folder import shown
from pinyon.model.errors import InvalidInput

MOST_NAME = 100


def resolved(root: Path) -> Path:
    """The folder or file itself, without links on the way; InvalidInput when it is neither."""
    named = shown(str(root))
    try:
        place = root.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # links in a circle; a NUL in the name
        raise InvalidInput(
            f"there is no folder or file {named!r}", remedy="check the spelling of the path"
        ) from None
    if not place.is_dir() and not place.is_file():
        raise InvalidInput(f"{named!r} is neither a folder nor a file", remedy="name a folder")
    if str(place) != shown(str(place)):
        raise InvalidInput(f"the path {named!r} is not plain text", remedy="rename the folder")
    return place


def folder_name(root: Path, folders: Mapping[str, str]) -> str:
    """The name that this path has in `folders`, else its own name, else that with -2, -3, ..."""
    for name, path in folders.items():
        if path == str(root):
            return name
    bare = (root.name if root.is_dir() else root.stem)[:MOST_NAME]
    name = bare.lstrip("@").strip() or "folder"  # an id that begins with @ means something else
    return next(
        each
        for number in count(1)
        if (each := name if number == 1 else f"{name}-{number}") not in folders
    )
