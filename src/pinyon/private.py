"""Private: files and folders that only their owner can read, whatever the umask is."""

import os
from pathlib import Path


def make_folder(path: Path) -> None:
    """Make sure that there is such a folder. Each one that has to be made is its owner's alone, one
    that was there stays as it is. Raises OSError."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(0o700, exist_ok=True)


def make_file(path: Path) -> None:
    """Make sure that there is such a file; a new one is its owner's alone. Raises OSError."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
