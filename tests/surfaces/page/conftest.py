"""One browser and one server for these tests. Both end with them: while Playwright runs, nothing
else in the process can have an event loop."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page

import pinyon
from pinyon import Record
from tests.surfaces.page.browser import Watched, launched, visiting
from tests.surfaces.serving import serving

RECORDS = [
    Record(
        id="retry-policy",
        kind="note",
        title="How we retry",
        body="We retry three times.\n\nThen a person decides: retries are not free.",
        tags=("ops", "network"),
        scope="team/api",
        importance=5,
    ),
    Record(
        id="backoff",
        kind="doc",
        title="Exponential backoff",
        body="Each retry waits twice as long as the one before.",
        tags=("network",),
        scope="team/api",
    ),
    Record(
        id="jitter",
        kind="doc",
        title="Jitter",
        body="A random part keeps clients from knocking together.",
        scope="team/api",
    ),
    Record(
        id="queue",
        kind="memory",
        title="The queue retries jobs",
        body="A job that fails is retried at night.",
        tags=("ops",),
        scope="team/jobs",
    ),
    Record(
        id="old",
        kind="memory",
        title="We used to retry",
        body="Long ago, by hand.",
        created_at=datetime(2019, 5, 1, tzinfo=UTC),
    ),
    *(
        Record(id=f"pine-{number}", kind="entry", title=f"Pine number {number}", body="A cone.")
        for number in range(24)
    ),
]


@dataclass(frozen=True)
class Site:
    url: str
    store: Path

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"{self.url}{path}", timeout=20)

    def post(self, path: str, body: object) -> httpx.Response:
        return httpx.post(f"{self.url}{path}", json=body, timeout=20)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched() as running:
        yield running


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Site]:
    """A server with a few records; a test adds what it needs under names of its own."""
    store = tmp_path_factory.mktemp("page") / "store.pinyon"
    with pinyon.open(store) as engine:
        for record in RECORDS:
            engine.save(record)
        engine.update("retry-policy", body=f"{RECORDS[0].body} Ask the team.")
        engine.link("retry-policy", "supports", "backoff")
        engine.link("jitter", "part_of", "backoff")
    with serving(store) as server:
        yield Site(server.url, store)


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[tuple[Page, Watched]]:
    with visiting(browser, site.url) as (page, watched):
        yield page, watched


@pytest.fixture
def page(visit: tuple[Page, Watched]) -> Page:
    return visit[0]


@pytest.fixture
def watched(visit: tuple[Page, Watched]) -> Watched:
    return visit[1]
