"""Fit: what an agent gave, as the shape that an operation takes; what does not fit is explained."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pinyon.model.errors import InvalidInput
from pinyon.surfaces.operations.shapes import Shape

S = TypeVar("S", bound=Shape)

SHOWN = 3
"""The most problems that are named at once."""

MOST = 40
"""The most letters of a wrong value."""

SAID = {"extra_forbidden": "there is no such argument", "missing": "it is needed"}


def fitted(shape: type[S], given: Mapping[str, Any]) -> S:
    """Raises InvalidInput with each field that does not fit, and what is expected of it."""
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        raise _refusal(shape, error.errors(include_url=False)) from None


def fitted_text(shape: type[S], given: Mapping[str, str | list[str]]) -> S:
    """The same for values that are written out, as in an address."""
    try:
        return shape.model_validate(given, strict=False)
    except ValidationError as error:
        raise _refusal(shape, error.errors(include_url=False)) from None


def _refusal(shape: type[Shape], problems: Sequence[ErrorDetails]) -> InvalidInput:
    # Of a field that may be one of several things only the first problem is told.
    by_field = {_where(each): each for each in reversed(problems)}
    told = [_told(where, each) for where, each in reversed(by_field.items())]
    more = [f"and {len(told) - SHOWN} more"] if len(told) > SHOWN else []
    known = ", ".join(shape.model_fields) or "none"
    return InvalidInput("; ".join([*told[:SHOWN], *more]), remedy=f"arguments: {known}")


def _where(problem: ErrorDetails) -> str:
    """The name of the field, and the place in it where it is a list."""
    name, *rest = problem["loc"] or ("arguments",)
    return ".".join([_short(str(name)), *(str(part) for part in rest if isinstance(part, int))])


def _told(where: str, problem: ErrorDetails) -> str:
    said = SAID.get(problem["type"])
    if said:
        return f"{where}: {said}"
    wanted = problem["msg"].replace("Input should", "should", 1)
    return f"{where}: {wanted}, not {_short(repr(problem['input']))}"


def _short(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST]}..."
