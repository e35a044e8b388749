"""A token that is needed, a server that goes away: the page says so, and goes on when it can."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

import pinyon
from pinyon import Record
from pinyon.access.tokens import Tokens
from tests.surfaces.page.browser import visiting
from tests.surfaces.page.conftest import Site
from tests.surfaces.serving import serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, dict[str, str]]]:
    """A server that asks for a token, and two of them."""
    store = tmp_path_factory.mktemp("guarded") / "store.pinyon"
    with pinyon.open(store) as engine:
        engine.save(Record(id="pine", kind="note", title="A pine"))
    made = {
        "writer": Tokens(store).create("writer", ["search", "write"]),
        "reader": Tokens(store).create("reader", ["search"]),
    }
    with serving(store) as server:
        yield Site(server.url, store), made


def test_the_page_asks_for_a_token_until_one_is_right(
    browser: Browser, guarded: tuple[Site, dict[str, str]]
) -> None:
    site, tokens = guarded
    with visiting(browser, site.url) as (page, _):
        page.goto(site.url)
        for token in ("wrong", tokens["writer"]):
            expect(page.locator("#dialog-token")).to_be_visible()
            expect(page.locator("#dialog-token")).to_contain_text("token")
            page.get_by_label("Token").fill(token)
            page.get_by_role("button", name="Continue").click()
        expect(page.locator(".hit")).to_have_count(1)
        expect(page.locator("dialog")).to_have_count(0)
        page.reload()
        expect(page.locator(".hit")).to_have_count(1)
        assert page.evaluate("() => JSON.stringify(localStorage)").count("pinyon_") == 0


def test_whoever_gives_no_token_is_told_and_asked_again_with_the_next_question(
    browser: Browser, guarded: tuple[Site, dict[str, str]]
) -> None:
    site, tokens = guarded
    with visiting(browser, site.url) as (page, _):
        page.goto(site.url)
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator(".nothing")).to_contain_text("token")
        expect(page.locator("dialog")).to_have_count(0)
        page.fill("#query", "pine")
        page.get_by_label("Token").fill(tokens["reader"])
        page.keyboard.press("Enter")
        expect(page.locator(".hit .open")).to_have_text(["A pine"])


def test_a_token_in_the_address_is_used_and_leaves_it(
    browser: Browser, guarded: tuple[Site, dict[str, str]]
) -> None:
    site, tokens = guarded
    with visiting(browser, site.url) as (page, _):
        page.goto(f"{site.url}/#token={tokens['reader']}&q=pine")
        expect(page.locator(".hit .open")).to_have_text(["A pine"])
        assert page.url == f"{site.url}/#q=pine"
        expect(page.locator("#to-note")).to_be_hidden()
        page.locator(".hit .open").click()
        expect(page.locator("#record-title")).to_be_focused()
        expect(page.locator("[data-verdict]")).to_have_count(0)
        page.keyboard.press("g")
        expect(page.locator("#notice")).to_contain_text("write")


def test_the_page_says_that_the_server_is_gone_and_goes_on_when_it_is_back(
    browser: Browser, tmp_path: Path
) -> None:
    store = tmp_path / "store.pinyon"
    with pinyon.open(store) as engine:
        engine.save(Record(id="pine", kind="note", title="A pine"))
    with serving(store) as server, visiting(browser, server.url) as (page, _):
        page.goto(f"{server.url}/#q=pine")
        expect(page.locator(".hit")).to_have_count(1)
        server.stop()
        page.fill("#query", "larch")
        expect(page.locator("#gone")).to_contain_text("does not answer")
        expect(page.locator(".hit")).to_have_count(1)
        with pinyon.open(store) as engine:
            engine.save(Record(id="larch", kind="note", title="A larch"))
        with serving(store, "--port", str(urlsplit(server.url).port)):
            expect(page.locator(".hit .open")).to_have_text(["A larch"])
            expect(page.locator("#gone")).to_be_hidden()
