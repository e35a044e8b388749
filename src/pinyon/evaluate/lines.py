"""Lines: the files of a collection line by line, packed with gzip or not."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from pinyon.model.errors import InvalidLine

LONGEST = 32_000_000
"""Bytes of one line."""


def objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each JSON object of a file, with the number of its line. Empty lines are passed over."""
    for number, line in lines(path):
        try:
            given = json.loads(_text(line, path, number))
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            raise InvalidLine(str(path), number, f"not JSON: {reason}") from None
        if not isinstance(given, dict):
            raise InvalidLine(str(path), number, "not an object", remedy="one JSON object a line")
        yield number, given


def columns(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Each line of a file, cut at its tabs, with its number. Empty lines are passed over."""
    for number, line in lines(path):
        yield number, [column.strip() for column in _text(line, path, number).split("\t")]


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, each with its number, from 1."""
    with path.open("rb") as packed:
        file = cast(BinaryIO, gzip.GzipFile(fileobj=packed)) if path.suffix == ".gz" else packed
        number = 1
        while line := _next(file, path, number):
            if text := line.strip(b"\r\n"):
                yield number, text.removeprefix(b"\xef\xbb\xbf") if number == 1 else text
            number += 1


def _text(line: bytes, path: Path, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        problem = "not UTF-8"
        raise InvalidLine(str(path), number, problem, remedy="convert it first") from None


def _next(file: BinaryIO, path: Path, number: int) -> bytes:
    try:
        line = file.readline(LONGEST + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        problem = f"broken gzip: {error}"
        raise InvalidLine(str(path), number, problem, remedy="fetch the file again") from None
    if len(line) > LONGEST:
        raise InvalidLine(str(path), number, f"longer than {LONGEST:,} bytes")
    return line
