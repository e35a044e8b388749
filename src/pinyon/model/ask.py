"""Ask: a question as a caller puts it, with its filters and the form that the answer shall have."""

from datetime import datetime
from typing import NamedTuple

from pinyon.model.query import Filters


class Ask(NamedTuple):
    """`like` is a record to search by instead of the text. `as_of` is a moment in the past that is
    asked about. `changed` are the settings of the profile that the caller changed, by path: nothing
    that is found out about the question changes them again. `tokens` is the most that the answer
    may hold, 0 for no limit. `cursor` is the end of the page before."""

    text: str
    now: datetime
    limit: int = 10
    mode: str = "match"
    filters: Filters = Filters()
    like: str | None = None
    as_of: datetime | None = None
    tokens: int = 0
    group: str = ""
    sort: str = "score"
    cursor: str = ""
    changed: tuple[str, ...] = ()
