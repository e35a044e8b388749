"""File: the record of a file itself, which is found by its name and path."""

import re
from pathlib import PurePosixPath

from pinyon.index.parse.origin import Origin, line
from pinyon.model.record import Record

_SEPARATORS = re.compile(r"[/._-]+")


def file_record(origin: Origin, outline: str) -> Record:
    """Its text is the outline: a first heading, or the names that the file exports and imports. The
    words of the path stand beside it, so that they count for the meaning too."""
    return Record(
        kind="file",
        id=origin.file_id,
        title=line(PurePosixPath(origin.path).name, "title"),
        body=outline,
        context=_SEPARATORS.sub(" ", origin.path).strip(),
        scope=origin.scope,
        source=origin.id,
        updated_at=origin.modified_at,
    )
