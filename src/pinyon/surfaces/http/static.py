"""Static: the files of the page, out of the package."""

import mimetypes
from os import PathLike, stat_result
from pathlib import Path

from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).parent / "page"

# Windows takes types from its registry, where other programs write.
for _type, _ending in (("text/javascript", ".js"), ("text/css", ".css"), ("image/svg+xml", ".svg")):
    mimetypes.add_type(_type, _ending)


class Page(StaticFiles):
    """Its files are asked for anew each time: after an upgrade, none is an old one."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    def file_response(
        self,
        full_path: "str | PathLike[str]",
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = "no-cache"
        return response


def first_page() -> Response:
    """What is shown at the address of the service itself."""
    return FileResponse(
        FOLDER / "index.html", media_type="text/html", headers={"Cache-Control": "no-cache"}
    )
