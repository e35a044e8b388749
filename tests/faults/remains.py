"""Remains: where the words of a text are still to be found, in all the bytes below some folders."""

import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")


def remains(folders: Iterable[Path], words: Sequence[str | bytes]) -> list[str]:
    """Each file and each word that it holds, in any encoding and case, or compressed as a whole."""
    found = []
    for path in files_below(folders):
        raw = path.read_bytes()
        held = raw.lower() + _unpacked(raw).lower()
        found += [
            f"{path.name}: {word!r}"
            for word in words
            if any(each in held or each in str(path).lower().encode() for each in _forms(word))
        ]
    return found


def files_below(folders: Iterable[Path]) -> list[Path]:
    return [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]


def _forms(word: str | bytes) -> list[bytes]:
    if isinstance(word, bytes):
        return [word.lower()]
    return [word.lower().encode(encoding) for encoding in ENCODINGS]


def _unpacked(raw: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=47).decompress(raw)
    except zlib.error:
        return b""
