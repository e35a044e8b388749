"""App: the whole service over one engine: the API, the page and MCP, behind the guard."""

from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import NamedTuple

from fastapi import FastAPI, Response
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp

from pinyon import __version__
from pinyon.access.gate import Gate
from pinyon.engine import Engine
from pinyon.surfaces.http.agents import Agents
from pinyon.surfaces.http.call import Service
from pinyon.surfaces.http.described import describe
from pinyon.surfaces.http.guard import Guard
from pinyon.surfaces.http.jobs import Jobs
from pinyon.surfaces.http.measured import Measured, Told
from pinyon.surfaces.http.metrics import Metrics
from pinyon.surfaces.http.refusals import refuse
from pinyon.surfaces.http.routes import asking, keeping, records
from pinyon.surfaces.http.static import Page, first_page

THREADS = 8
"""That ask the engine. More than there are cores, since some wait for the disk or for their turn to
write."""

REQUEST_TIMEOUT_S = 30.0

PACKED_BYTES = 1_000
"""What is smaller is sent as it is."""


class Built(NamedTuple):
    """A service. `stop` makes it end what would go on for ever; its lifespan does the rest."""

    app: ASGIApp
    stop: Callable[[], None]


def build(
    engine: Engine,
    gate: Gate,
    *,
    hosts: Iterable[str] = (),
    origins: Iterable[str] = (),
    request_timeout_s: float = REQUEST_TIMEOUT_S,
    told: Told | None = None,
) -> Built:
    """The service over an engine, which stays the caller's to close. `told` is called with a line
    for each answer."""
    service = Service(
        engine, Jobs(), Metrics(), ThreadPoolExecutor(THREADS, "ask"), request_timeout_s
    )
    guard = Guard(_api(service), gate, hosts=hosts, origins=origins)
    return Built(Measured(guard, service.metrics, told), service.jobs.stop)


def _api(service: Service) -> FastAPI:
    agents = Agents(service.engine)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await agents.close()
        service.jobs.close()
        service.threads.shutdown(wait=False, cancel_futures=True)

    app = FastAPI(
        title="Pinyon",
        version=__version__,
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
        lifespan=lifespan,
    )
    app.state.service = service
    for routes in (asking, records, keeping):
        app.include_router(routes.router)

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return first_page()

    app.mount("/page", Page())
    app.add_route("/mcp", agents)  # type: ignore[arg-type]  # an ASGI application will do
    app.add_middleware(GZipMiddleware, minimum_size=PACKED_BYTES, compresslevel=1)
    refuse(app)
    describe(app)
    return app
