"""The page can be read: in light and in dark, on a phone, by keyboard and by ear."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.surfaces.page.browser import visiting
from tests.surfaces.page.conftest import Site

pytestmark = pytest.mark.slow

VIEWS = {
    "hits": "#q=retry&kind=note",
    "nothing": "#q=xylophone&kind=task",
    "record": "#q=retry&open=retry-policy",
    "statistics": "#view=statistics",
}

CONTRASTS = """() => {
    const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
        pixel.clearRect(0, 0, 1, 1);
        pixel.fillStyle = colour;
        pixel.fillRect(0, 0, 1, 1);
        return [...pixel.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b]
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const behind = (element) => {
        for (let it = element; it; it = it.parentElement) {
            const colour = rgba(getComputedStyle(it).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return rgba(getComputedStyle(document.body).backgroundColor);
    };
    const found = [];
    for (const element of document.body.querySelectorAll("*")) {
        const own = [...element.childNodes].some((it) => it.nodeType === 3 && it.data.trim());
        if (!own || !element.checkVisibility()) continue;
        const style = getComputedStyle(element);
        const ink = element instanceof SVGElement ? style.fill : style.color;
        const [a, b] = [light(rgba(ink)), light(behind(element))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        found.push([contrast, `${element.tagName} ${element.getAttribute("class")} ${ink}`]);
    }
    return found;
}"""

UNNAMED = """() => [...document.querySelectorAll("button, input, select, textarea, a, .meter")]
    .filter((element) => element.checkVisibility())
    .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim() ||
        element.labels?.[0]?.textContent.trim()))
    .map((element) => element.outerHTML)"""


@pytest.fixture(params=["light", "dark"])
def tinted(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Page]:
    with visiting(browser, site.url, color_scheme=request.param) as (page, _):
        yield page


def shown(page: Page, site: Site, view: str) -> None:
    page.goto(f"{site.url}/{VIEWS[view]}")  # after the first, the page follows its address
    places = {
        "hits": ".hit",
        "nothing": ".nothing",
        "record": ".graph",
        "statistics": "#statistics h1",
    }
    expect(page.locator(places[view]).first).to_be_visible()


def test_every_text_stands_out_from_its_ground(tinted: Page, site: Site) -> None:
    for view in VIEWS:
        shown(tinted, site, view)
        if view == "hits":
            tinted.get_by_role("button", name="explain").click()
        found = tinted.evaluate(CONTRASTS)
        assert len(found) > 5
        assert [(view, what, ratio) for ratio, what in found if ratio < 4.5] == []
    tinted.get_by_role("button", name="Keys").click()
    assert [what for ratio, what in tinted.evaluate(CONTRASTS) if ratio < 4.5] == []


def test_everything_that_can_be_pressed_has_a_name(page: Page, site: Site) -> None:
    for view in VIEWS:
        shown(page, site, view)
        assert page.evaluate(UNNAMED) == []
    page.get_by_role("button", name="New note").click()
    assert page.evaluate(UNNAMED) == []


def test_nothing_is_wider_than_a_phone(browser: Browser, site: Site) -> None:
    long = {"id": "w" * 300, "title": "Vole" + "w" * 300, "body": f"vole {'w' * 600}\n\n| a | b |"}
    assert site.post("/v1/records", {**long, "tags": ["t" * 90]}).status_code == 201
    size = {"width": 360, "height": 740}
    with visiting(browser, site.url, viewport=size, has_touch=True, is_mobile=True) as (page, _):

        def assert_fits() -> None:
            assert page.evaluate("() => document.documentElement.scrollWidth") <= 360

        for view in VIEWS:
            shown(page, site, view)
            assert_fits()
        page.goto(f"{site.url}/#q=vole")
        page.locator(".hit .why-button").tap()
        expect(page.locator(".why")).to_be_visible()
        assert_fits()
        page.locator(".hit .open").tap()
        expect(page.locator("#record-title")).to_be_visible()
        expect(page.locator(".results")).to_be_hidden()
        assert_fits()
        page.get_by_role("button", name="Back to the hits").tap()
        expect(page.locator(".results")).to_be_visible()
        page.get_by_role("button", name="New note").tap()
        assert_fits()


def test_on_a_wide_screen_a_record_stands_beside_the_hits(page: Page, site: Site) -> None:
    shown(page, site, "record")
    hits, record = page.locator("#hits").bounding_box(), page.locator("#detail").bounding_box()
    assert hits
    assert record
    assert hits["x"] + hits["width"] < record["x"]


def test_dark_follows_the_system_until_somebody_chooses(browser: Browser, site: Site) -> None:
    ground = "() => getComputedStyle(document.body).backgroundColor"
    with visiting(browser, site.url, color_scheme="dark") as (page, _):
        page.goto(site.url)
        dark = page.evaluate(ground)
        page.emulate_media(color_scheme="light")
        light = page.evaluate(ground)
        assert light != dark
        page.get_by_role("button", name="Light or dark").click()
        assert page.evaluate(ground) == dark
        page.reload()
        assert page.evaluate(ground) == dark
        page.locator("#query").evaluate("field => field.blur()")
        page.keyboard.press("t")
        assert page.evaluate(ground) == light


def test_nothing_moves_for_whoever_wants_it_still(browser: Browser, site: Site) -> None:
    for motion, moves in (("reduce", False), ("no-preference", True)):
        with visiting(browser, site.url, reduced_motion=motion) as (page, _):
            page.goto(f"{site.url}/#open=nowhere")
            expect(page.locator("#notice")).to_be_visible()
            name = page.locator("#notice").evaluate("it => getComputedStyle(it).animationName")
            assert (name != "none") == moves
