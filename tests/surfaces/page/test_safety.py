"""Records are untrusted: whatever they hold shows as text, and nothing leaves for elsewhere."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.surfaces.page.browser import Watched, visiting
from tests.surfaces.page.conftest import Site

pytestmark = pytest.mark.slow

SCRIPT = "<script>window.taken = 1; alert(1)</script>"
IMAGE = "<img src=x onerror='window.taken = 1; alert(2)'>"
LINK = "<a href='javascript:alert(3)'>go</a>"
EVIL = {
    "id": f"evil/../{IMAGE}?#%00/related",
    "kind": "note",
    "title": f"Weasel {SCRIPT} {IMAGE}",
    "body": f"weasel <mark>{IMAGE}</mark> {SCRIPT}\n\n# {IMAGE}\n\n- {LINK}\n\n`{SCRIPT}`\n\n"
    f"| {IMAGE} | b |\n|---|---|\n| {SCRIPT} | weasel |\n\n```\n{IMAGE}\n```\n",
    "context": IMAGE,
    "tags": [f"weasel {IMAGE}"],
    "scope": "team/<b>bold</b>",
    "source": f"javascript:alert(4)//{IMAGE}",
    "aliases": [SCRIPT],
    "author": IMAGE,
    "extra": {"html": IMAGE},
}
FOREIGN = """() => [...document.body.querySelectorAll("img, iframe, script, object, b, a[href]")]
    .map((element) => element.outerHTML)
    .filter((html) => !/^<a [^>]*href="#/.test(html))"""


def assert_harmless(page: Page) -> None:
    assert page.evaluate("() => window.taken") is None
    assert page.evaluate(FOREIGN) == []
    assert page.evaluate("() => document.querySelectorAll('[onerror], [onclick]').length") == 0


@pytest.mark.proves("X10")
def test_a_record_that_holds_markup_shows_as_text_everywhere(page: Page, site: Site) -> None:
    assert site.post("/v1/records", EVIL).status_code == 201
    link = {"from_id": EVIL["id"], "relation": "supports", "to_id": "retry-policy"}
    assert site.post("/v1/links", link).status_code == 201
    title = str(EVIL["title"])
    page.goto(f"{site.url}/#q=weasel")
    expect(page.locator(".hit .open")).to_have_text([title])
    expect(page.locator(".hit .snippet")).to_contain_text("onerror")
    page.get_by_role("button", name="explain").click()
    assert_harmless(page)
    page.locator(".hit .open").click()
    expect(page.locator("#record-title")).to_have_text(title)
    expect(page.locator(".record > .text")).to_contain_text(SCRIPT)
    expect(page.locator(".record > .text")).to_contain_text("<mark>")
    expect(page.locator(".fields")).to_contain_text(str(EVIL["id"]))
    expect(page.locator(".graph")).to_contain_text("How we retry")
    assert_harmless(page)
    page.locator(".record .tag").click()
    expect(page.locator(".chip")).to_contain_text([f"weasel {IMAGE}"])
    expect(page.locator(".hit .open")).to_have_text([title])
    page.get_by_label("Scope", exact=True).select_option(str(EVIL["scope"]))
    expect(page.locator(".chip")).to_have_count(2)
    page.keyboard.press("Escape")
    page.goto(f"{site.url}/#open=retry-policy")
    expect(page.locator(".graph a")).to_have_count(2)
    page.locator(".links a", has_text="Weasel").click()
    expect(page.locator("#record-title")).to_have_text(title)
    page.keyboard.press("g")
    expect(page.locator("#notice")).to_contain_text("Noted")
    assert_harmless(page)


def test_an_address_that_holds_markup_shows_as_text(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#q={IMAGE}&tag={IMAGE}&profile={IMAGE}&since={IMAGE}&like={IMAGE}")
    expect(page.locator(".nothing")).to_be_visible()
    expect(page.locator(".chip")).to_contain_text([IMAGE] * 4)
    assert_harmless(page)


def test_a_snippet_is_read_as_text_with_marks_and_nothing_else(page: Page, site: Site) -> None:
    page.goto(site.url)
    shown = page.evaluate(
        """async (html) => {
            const { snippet } = await import("/page/marks.js");
            const place = document.createElement("p");
            place.append(...snippet(html));
            return [place.textContent, [...place.querySelectorAll("*")].map((it) => it.outerHTML)];
        }""",
        f"a &lt;b&gt; &amp;amp; <mark>c &quot;d&#x27;</mark> {IMAGE} </mark><mark>e",
    )
    assert shown == [
        f"a <b> &amp; c \"d' {IMAGE} e",
        ["<mark>c \"d'</mark>", "<mark>e</mark>"],
    ]


def test_the_policy_of_the_page_lets_only_its_own_files_run(site: Site) -> None:
    policy = site.get("/").headers["content-security-policy"]
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";") if rule.strip()}
    assert rules["default-src"] == ["'none'"]
    assert rules["script-src"] == ["'self'"]
    assert rules["style-src"] == ["'self'"]
    assert rules["connect-src"] == ["'self'"]
    assert "<script>" not in site.get("/").text


def test_the_first_view_needs_little_and_nothing_from_elsewhere(
    browser: Browser, site: Site
) -> None:
    sizes: dict[str, int] = {}
    with visiting(browser, site.url) as (page, watched):
        page.on("response", lambda it: sizes.update({it.url: len(it.body())}))
        page.goto(site.url)
        expect(page.locator(".hit").first).to_be_visible()
        expect(page.get_by_label("Profile", exact=True)).to_be_visible()
        assert_nothing_elsewhere(watched)
    files = {url: size for url, size in sizes.items() if "/v1/" not in url}
    assert len(files) > 10
    assert sum(files.values()) <= 100_000


def assert_nothing_elsewhere(watched: Watched) -> None:
    assert [it for it in watched.wrong if it.startswith("elsewhere")] == []
