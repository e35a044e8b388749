"""Given: what a file says, as far as a record can hold it: text, dates, JSON, and what is wrong."""

import json
import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pinyon.model.check import check_date
from pinyon.model.errors import InvalidInput, InvalidRecord

MOST_WARNINGS = 5
"""A file that is wrong in many places says so for this many of them, and counts the rest."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS = 1e11
"""A larger number of seconds would lie after the year 5138."""


def clean(text: str) -> str:
    """The same without what a store cannot hold: NUL and halves of surrogate pairs."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def moment(value: Any) -> datetime | None:
    """A date in UTC from ISO 8601, or from seconds or milliseconds since 1970; None where it is
    neither, or outside of the calendar."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, (int, float)):
            seconds = float(value)
            if not math.isfinite(seconds):
                return None
            scale = 1000 if abs(seconds) > _MILLISECONDS else 1
            return _EPOCH + timedelta(seconds=seconds / scale)
        return check_date("date", value.strip() if isinstance(value, str) else value)
    except (InvalidRecord, OverflowError):
        return None


def from_json(text: str) -> Any:
    """Raises InvalidInput for what is not JSON, or is nested too deeply."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        raise InvalidInput(f"not JSON: {problem.msg} in line {problem.lineno}") from None
    except (ValueError, RecursionError) as problem:
        reason = "nested too deeply" if isinstance(problem, RecursionError) else str(problem)
        raise InvalidInput(f"not JSON: {reason}") from None


def summed(warnings: Sequence[str]) -> str:
    """One line for all of them."""
    more = len(warnings) - MOST_WARNINGS
    return "; ".join(warnings[:MOST_WARNINGS]) + (f"; and {more:,} more" if more > 0 else "")
