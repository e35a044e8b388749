"""Problems: what went wrong, as a status and a JSON object, without a trace of the inside."""

from collections.abc import Mapping
from typing import Any

from pinyon.model import errors

STATUS: Mapping[type[Exception], int] = {
    errors.NotRecognised: 401,
    errors.NotPermitted: 403,
    errors.UnknownRecord: 404,
    errors.DuplicateRecord: 409,
    errors.DuplicateText: 409,
    errors.SupersededRecord: 409,
    errors.StaleRecord: 409,
    errors.InvalidInput: 422,
    errors.OutOfTime: 504,
    errors.FullDisk: 507,
    errors.PinyonError: 503,
}
"""The first class that an error belongs to counts, so those that are more exact stand first."""

FIELDS = ("id", "ids", "latest", "known", "field", "line", "status", "retryable")
"""What errors carry beside their text."""


def status_of(error: errors.PinyonError) -> int:
    """The HTTP status of an error of ours."""
    return next(status for kind, status in STATUS.items() if isinstance(error, kind))


def problem(
    kind: str, message: str, *, remedy: str = "", request: str = "", **details: Any
) -> dict[str, Any]:
    """What every error answer looks like: `type` is a name to decide by, `message` a sentence."""
    said = {"type": kind, "message": message, "remedy": remedy, "request": request, **details}
    return {"error": {name: value for name, value in said.items() if value != ""}}


def problem_of(error: errors.PinyonError, *, request: str = "") -> dict[str, Any]:
    """An error of ours, with the fields that it carries."""
    carried = {name: getattr(error, name) for name in FIELDS if hasattr(error, name)}
    details = {name: list(x) if isinstance(x, tuple) else x for name, x in carried.items()}
    return problem(
        type(error).__name__, error.problem, remedy=error.remedy, request=request, **details
    )
