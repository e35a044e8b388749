"""Fold: a file and what came out of it are one answer."""

from collections.abc import Mapping, Sequence

from pinyon.model.hit import Candidate
from pinyon.model.record import Record


def fold(candidates: Sequence[Candidate], records: Mapping[str, Record]) -> list[Candidate]:
    """Without a file of which a part is there as well: the part says more. What has no record any
    more is left out."""
    parts = {record.source for record in records.values() if record.kind != "file"} - {""}
    return [
        candidate
        for candidate in candidates
        if candidate.id in records
        and not (records[candidate.id].kind == "file" and records[candidate.id].source in parts)
    ]
