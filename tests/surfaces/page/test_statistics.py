"""What was asked, what found nothing, how long it took, and what the store holds."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pinyon import Record
from pinyon.engine import open_engine
from tests.surfaces.page.browser import visiting
from tests.surfaces.page.conftest import Site
from tests.surfaces.serving import serving

pytestmark = pytest.mark.slow

TODAY = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
ASKED = {9: ["pine", "pine", "fir"], 2: ["pine", "oak tree"], 1: ["fir"]}
"""What was asked so many days ago. There is no oak."""


def identity(now: datetime) -> datetime:
    return now


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    store = tmp_path_factory.mktemp("statistics") / "store.pinyon"
    for days, questions in ASKED.items():
        now = TODAY - timedelta(days=days)
        with open_engine(store, background=False, clock=partial(identity, now)) as engine:
            if days == 9:
                engine.save(Record(id="pine", kind="note", title="A pine"))
                engine.save(Record(id="fir", kind="entry", title="A fir"))
                engine.save(Record(id="larch", kind="entry", title="A larch"))
            for question in questions:
                engine.search(question)
    with serving(Path(store)) as server:
        yield Site(server.url, store)


@pytest.fixture
def page(browser: Browser, asked: Site) -> Iterator[Page]:
    with visiting(browser, asked.url) as (page, _):
        yield page


def bars(page: Page, kind: str) -> dict[str, float]:
    found = page.locator(f".{kind}[data-day]").evaluate_all(
        "all => all.map((bar) => [bar.dataset.day, Number(bar.dataset.value)])"
    )
    return {day: value for day, value in found if value}


@pytest.mark.proves("X10")
def test_what_was_asked_and_what_found_nothing_is_shown(page: Page, asked: Site) -> None:
    numbers = asked.get("/v1/stats").json()["queries"]
    assert numbers["common"] == [["pine", 3], ["fir", 2], ["oak tree", 1]]
    page.goto(asked.url)
    page.get_by_role("button", name="Statistics").click()
    most = page.get_by_label("Asked most")
    expect(most.locator("li")).to_have_text(["pine3", "fir2", "oak tree1"])
    vain = page.get_by_label("Found nothing", exact=True)
    expect(vain.locator("li")).to_have_text(["oak tree1"])
    vain.get_by_role("button", name="oak tree").click()
    expect(page.locator("#query")).to_have_value("oak tree")
    expect(page.locator(".nothing")).to_be_visible()


@pytest.mark.proves("X10")
def test_questions_and_latency_are_drawn_day_by_day(page: Page, asked: Site) -> None:
    numbers = asked.get("/v1/stats").json()["queries"]
    page.goto(f"{asked.url}/#view=statistics")
    expect(page.locator(".plot")).to_have_count(2)
    drawn, vain = bars(page, "bar-all"), bars(page, "bar-part")
    days = {row["day"]: row for row in numbers["days"]}
    past = {(TODAY - timedelta(days=ago)).date().isoformat(): ago for ago in ASKED}
    assert {day: drawn[day] for day in past} == {day: len(ASKED[ago]) for day, ago in past.items()}
    assert vain[(TODAY - timedelta(days=2)).date().isoformat()] == 1
    for name, field in (("p50", "p50_ms"), ("p95", "p95_ms")):
        points = bars(page, f"line-{name} circle")
        assert {day: points[day] for day in past} == {day: days[day][field] for day in past}


def test_what_the_store_holds_is_said(page: Page, asked: Site) -> None:
    page.goto(f"{asked.url}/#view=statistics")
    expect(page.get_by_label("Kinds of records").locator("li")).to_have_text(["entry2", "note1"])
    totals = dict(
        page.locator(".totals > div").evaluate_all(
            "rows => rows.map((row) => [row.lastChild.textContent, row.firstChild.textContent])"
        )
    )
    assert totals["records"] == "3"
    assert totals["on disk"].endswith("kB")
    expect(page.get_by_label("Found by meaning")).to_contain_text("words alone find")


def test_the_key_leads_there_and_back(page: Page, asked: Site) -> None:
    page.goto(f"{asked.url}/#q=pine")
    expect(page.locator(".hit")).to_have_count(1)
    page.locator("#query").evaluate("field => field.blur()")
    page.keyboard.press("s")
    expect(page.get_by_role("heading", name="Statistics")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator("#statistics")).to_be_hidden()
