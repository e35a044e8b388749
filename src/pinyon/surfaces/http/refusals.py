"""Refusals: what becomes of an error inside of the service: a status and one sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from pinyon.model.errors import InvalidInput, PinyonError
from pinyon.surfaces.http.call import reply
from pinyon.surfaces.http.jobs import UnknownJob
from pinyon.surfaces.http.problems import problem, problem_of, status_of

SEE = "read /openapi.json"

SAID: Mapping[int, tuple[str, str]] = {
    400: ("Malformed", "the request cannot be read"),
    404: ("NotFound", "there is nothing at this address"),
    405: ("NotAllowed", "this address is not asked by this method"),
}
"""What the framework refuses by itself, in our words."""

NO_OBJECT = ("missing", "model_attributes_type")
_JSON = "the body must be a JSON object, sent with Content-Type: application/json"


def refuse(app: FastAPI) -> None:
    """Every error of ours, and of the framework, becomes an answer; of others the guard knows."""
    app.add_exception_handler(PinyonError, _ours)
    app.add_exception_handler(RequestValidationError, _unfit)
    app.add_exception_handler(HTTPException, _framework)


async def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, PinyonError)
    status = 404 if isinstance(error, UnknownJob) else status_of(error)
    return reply(problem_of(error, request=_name(request)), status)


async def _unfit(request: Request, error: Exception) -> Response:
    """What was sent is not what the path takes. Nothing of it is said back but names of fields."""
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if found[0]["type"] == "json_invalid":
        said = problem("Malformed", "the body is no JSON", request=_name(request))
        return reply(said, 400)
    first = found[0]
    field = _field(first["loc"])
    told = _lower(first["msg"])
    if not field and first["type"] in NO_OBJECT:
        told = _JSON
    message = f"{field}: {told}" if field else told
    more = f" (and {len(found) - 1} more like this)" if len(found) > 1 else ""
    return reply(
        problem(
            InvalidInput.__name__, message + more, remedy=SEE, request=_name(request), field=field
        ),
        422,
    )


async def _framework(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind, message = SAID.get(error.status_code, ("Refused", "the request was refused"))
    said = problem(kind, message, remedy=SEE, request=_name(request))
    return reply(said, error.status_code, error.headers)


def _field(where: Sequence[Any]) -> str:
    """The field as the caller wrote it, without the part of the request that it stands in."""
    return ".".join(str(part) for part in where[1:])


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _name(request: Request) -> str:
    return str(request.scope.get("state", {}).get("request", ""))
