"""Described: what the OpenAPI document says of each path."""

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from pinyon import __version__
from pinyon.surfaces.http.shapes import ProblemShape
from pinyon.surfaces.operations import OPERATIONS

ABOUT = """Search, read and write one store. The same questions have the same answers as in Python,
in the shell and over MCP.

Types are strict and unknown fields are refused. An error is a JSON object with a sentence, and a
remedy where there is one. Every answer has an X-Request-Id."""

OPEN = ("/v1/health",)
"""Paths that need no token."""

ERRORS = {
    400: "What was sent is no JSON.",
    401: "There is no token, or one that does not count.",
    403: "The token does not suffice, or the page that asks is a foreign one.",
    404: "There is no such record or job.",
    408: "The request came too slowly.",
    409: "It is there already, or was changed meanwhile.",
    413: "The request is too large.",
    421: "The server does not go by this name.",
    422: "What was asked does not fit.",
    503: "It cannot be done now.",
    504: "It took too long.",
    507: "The disk is full.",
}

_ALWAYS = (400, 401, 403, 408, 413, 421, 422, 503, 504)


def told(
    name: str,
    status: int = 200,
    *,
    title: str = "",
    about: str = "",
    gives: type[BaseModel] | None = None,
    also: Iterable[int] = (),
) -> dict[str, Any]:
    """What is said of a path, as keywords of its route: of an operation, what its table says.
    `also` are statuses beside those that every path has."""
    known = OPERATIONS.get(name)
    shown = gives or (known.gives if known else None)
    return {
        "operation_id": name,
        "summary": title or (known.title if known else name.capitalize()),
        "description": about or (known.about if known else ""),
        "status_code": status,
        "response_model": shown,
        "response_model_by_alias": True,
        "responses": {
            code: {"model": ProblemShape, "description": ERRORS[code]}
            for code in sorted({*_ALWAYS, *also})
        },
    }


def describe(app: FastAPI) -> None:
    """Give the app its document, which also says how a token is shown."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(
                title="Pinyon", version=__version__, description=ABOUT, routes=app.routes
            )
            bearer = {"type": "http", "scheme": "bearer", "description": "pinyon token create"}
            made["components"]["securitySchemes"] = {"token": bearer}
            made["security"] = [{"token": []}, {}]
            for path in OPEN:
                for operation in made["paths"][path].values():
                    operation["security"] = []
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's own way
