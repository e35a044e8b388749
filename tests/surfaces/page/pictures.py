"""Pictures: the page over Pinyon's own documentation, for docs/images.

`python -m tests.surfaces.page.pictures` draws them anew; `make pictures` does the same.
"""

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page

from pinyon import Record
from pinyon.engine import open_engine
from tests.surfaces.page.browser import launched, visiting
from tests.surfaces.serving import serving

DOCS = Path(__file__).resolve().parents[3] / "docs"
IMAGES = DOCS / "images"
QUESTION = "how do I search only one folder"
ASKED = (
    QUESTION,
    "what happens to a record that I forget",
    "can two programs write at the same time",
    "how are lists fused",
    "which model is the default",
)
IN_VAIN = ("lisbon itinerary", "dentist appointment")
DAYS = 21
SIZE = {"width": 1280, "height": 800}


def draw(folder: Path = IMAGES) -> None:
    """Writes a picture for each view into the folder."""
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pinyon-pictures-") as place:
        store = Path(place) / "docs.pinyon"
        _fill(store)
        with launched() as browser, serving(store) as server:
            for name, (view, scheme) in VIEWS.items():
                _take(browser, server.url, folder / f"{name}.png", view, scheme)


def _fill(store: Path) -> None:
    """The documentation, a note, and three weeks of questions."""
    with open_engine(store, background=False) as engine:
        engine.index(DOCS)
        engine.embed()
        engine.save(Record(kind="note", title="What we decided", tags=("team", "decision")))
    today = datetime.now(UTC).replace(hour=9, minute=0)
    for ago in range(DAYS, 0, -1):
        now = today - timedelta(days=ago)
        with open_engine(store, background=False, clock=partial(_same, now)) as engine:
            for number in range(2 + ago * 7 % 11):
                engine.search(ASKED[(number * number + ago) % len(ASKED)])
            for question in IN_VAIN[: ago % 4 // 2 + (ago % 5 == 0)]:
                engine.search(question, profile="keyword", fix=False)


def _same(now: datetime) -> datetime:
    return now


def _take(
    browser: Browser, url: str, path: Path, view: Callable[[Page, str], None], scheme: str
) -> None:
    with visiting(browser, url, viewport=SIZE, color_scheme=scheme, device_scale_factor=1.25) as (
        page,
        _,
    ):
        view(page, url)
        page.locator("#query").evaluate("field => field.blur()")
        page.screenshot(path=path)


def _hits(page: Page, url: str) -> None:
    page.goto(f"{url}/#q={QUESTION}")
    page.locator(".why-button").first.click()


def _record(page: Page, url: str) -> None:
    page.goto(f"{url}/#q={QUESTION}&open=docs/guide/graph.md")
    page.locator(".graph").wait_for()


def _statistics(page: Page, url: str) -> None:
    page.goto(f"{url}/#view=statistics")
    page.locator(".plot").first.wait_for()


VIEWS: dict[str, tuple[Callable[[Page, str], None], str]] = {
    "page": (_hits, "light"),
    "page-record": (_record, "dark"),
    "page-statistics": (_statistics, "light"),
}

if __name__ == "__main__":
    draw()
