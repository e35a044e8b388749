"""Past: records as they are in, the same records as they were at a moment out."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from pinyon.model.record import Record, Version

if TYPE_CHECKING:
    from pinyon.store.contract import View


def as_they_were(view: "View", records: Mapping[str, Record], as_of: datetime) -> dict[str, Record]:
    """Each record in the version that held then. What was forgotten at that moment is left out.
    Records of files keep no history: they are as they are now."""
    from pinyon.store.questions import History

    then = {}
    for id, record in records.items():
        changed = record.version > 1
        was = _held(view.survey(History(id)), as_of, record) if changed else record
        if was.deleted_at is None:
            then[id] = was
    return then


def _held(versions: list[Version], as_of: datetime, now: Record) -> Record:
    """A version held until its `changed_at`, not at it."""
    return next((was.record for was in versions if was.changed_at > as_of), now)
