"""Origin: the file that a text comes from. Parsed: the records that came out of it.

Between them, FrontMatter: what the text says of itself at its top.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from pinyon.model.check import LIMITS
from pinyon.model.record import FILE, Edge, Record

NAMES = "names"
"""The relation of a record to a placeholder that stands for it."""

_BLANKS = re.compile(r"[\x00-\x20\x7f\s]+")
_SEPARATORS = re.compile(r"[-_.\s]+")


@dataclass(frozen=True, slots=True)
class Origin:
    """`path` is relative to the folder, with slashes; `modified_at` is in UTC."""

    folder: str
    path: str
    modified_at: datetime

    @property
    def id(self) -> str:
        """The id of the file's first record, and the source of them all."""
        return f"{self.folder}/{self.path}"

    @property
    def file_id(self) -> str:
        """The id of the record of the file itself, which contains the others."""
        return f"{FILE}{self.id}"

    @property
    def scope(self) -> str:
        return self.id.rpartition("/")[0]

    @property
    def words(self) -> str:
        """The name of the file as a title: `release-notes_2024.md` is "release notes 2024"."""
        stem = PurePosixPath(self.path).stem
        return line(_SEPARATORS.sub(" ", stem), "title") or stem


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`lines` is how many it takes, with both rulers; 0 when there is none. `shared` are fields of
    a record that hold for the whole file, `rest` is what Pinyon does not know. `given` tells one
    that says something from an empty one."""

    lines: int = 0
    given: bool = False
    title: str = ""
    description: str = ""
    aliases: tuple[str, ...] = ()
    shared: Mapping[str, Any] = field(default_factory=dict)
    rest: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parsed:
    """`created_at` of the records is None where the file does not say it. `warning` is empty, or
    says what of the file could not be understood.

    `edges` begin at a record of the file (or at `Origin.file_id`) and end at one, or at a
    placeholder: an id that begins with @ and names what is elsewhere, such as "@note:plan" or
    "@python:pinyon.engine.Engine". A record that can be meant by a placeholder has an edge to it
    with the relation NAMES. So links find their ends in whatever order files are read, and need no
    second look when one comes or goes.

    `outline` is what a search for files should find this one by, beside its path: its first
    heading, or the names that it exports and imports."""

    records: tuple[Record, ...]
    warning: str = ""
    edges: tuple[Edge, ...] = ()
    outline: str = ""


def line(text: str, field: str) -> str:
    """One line of text that fits the field of a record."""
    whole = _BLANKS.sub(" ", text).strip()
    return whole.encode("utf-8", "replace").decode()[: LIMITS[field]].strip()
