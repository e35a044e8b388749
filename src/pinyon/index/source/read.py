"""Read: the bytes of one file, what they are, and the text that they hold."""

import hashlib
import os
import stat
from pathlib import Path

from pinyon.index.source.folder import Skipped

_PROBE = 8 * 1024
_PLAIN = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)  # of Windows; the others are not there
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)
"""A pipe that nobody writes to is opened at once, and a link is not."""


def read(base: Path, path: str, most_bytes: int) -> bytes | Skipped:
    """The content of a file, or why it cannot be had. What was a file when the folder was walked
    may be a pipe by now, or lie behind a link that leads out of the folder: it is not read."""
    place = base / path
    try:
        with os.fdopen(os.open(place, _PLAIN), "rb") as opened:
            inside = os.path.realpath(place) == str(place)
            if not inside or not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                return Skipped(path, "no longer a file of this folder")
            content = opened.read(most_bytes + 1)
    except OSError as problem:
        return Skipped(path, f"cannot be read: {problem.strerror}")
    if len(content) > most_bytes:  # it has grown since the walk
        return Skipped(path, f"larger than {most_bytes:,} bytes")
    return content


def digest(content: bytes) -> str:
    """The same for the same content; not a secret, not a signature."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def binary(content: bytes) -> bool:
    """Whether this is no text: a NUL byte near the beginning, as git decides it."""
    return b"\x00" in content[:_PROBE]


def decode(content: bytes) -> str | None:
    """The text with \\n at the end of each line and without NUL; None when it is not UTF-8."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
