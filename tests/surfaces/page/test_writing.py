"""A note is written down, unless it is known already."""

import pytest
from playwright.sync_api import Page, expect

from tests.surfaces.page.conftest import Site

pytestmark = pytest.mark.slow


def test_a_note_is_saved_and_found_at_once(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#scope=team/api")
    expect(page.locator(".hit").first).to_be_visible()
    page.locator("#query").evaluate("field => field.blur()")
    page.keyboard.press("n")
    page.get_by_label("Title").fill("Where the badger sleeps")
    page.get_by_label("Text", exact=True).fill("Under the old pine.\nNot in winter.")
    page.get_by_label("Tags").fill("animals, forest")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#record-title")).to_have_text("Where the badger sleeps")
    made = page.locator(".record").get_attribute("data-id")
    (record,) = site.get(f"/v1/records?id={made}").json()["records"]
    assert record["kind"] == "note"
    assert record["body"] == "Under the old pine.\nNot in winter."
    assert record["tags"] == ["animals", "forest"]
    assert record["scope"] == "team/api"
    expect(page.locator(".hit .open").first).to_have_text("Where the badger sleeps")
    expect(page.get_by_label("Tag", exact=True)).to_contain_text("animals (1)")


def test_what_is_known_already_is_shown_and_saved_only_when_asked_to(
    page: Page, site: Site
) -> None:
    text = "The lynx crosses the road at the third bend, shortly after the bridge over the brook."
    known = {"id": "lynx", "kind": "note", "title": "Lynx crossing", "body": text}
    assert site.post("/v1/records", known).status_code == 201
    page.goto(f"{site.url}/#q=lynx")
    page.get_by_role("button", name="New note").click()
    page.get_by_label("Title").fill("Lynx crossing")
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".refused")).to_contain_text("Lynx crossing")
    expect(page.get_by_role("button", name="Lynx crossing", exact=True)).to_be_focused()
    assert site.post("/v1/search", {"query": "lynx"}).json()["meta"]["returned"] == 1
    page.get_by_role("button", name="Save anyway").click()
    expect(page.locator(".record")).not_to_have_attribute("data-id", "lynx")
    expect(page.locator(".hit")).to_have_count(2)


def test_what_is_refused_is_said_in_the_form(page: Page, site: Site) -> None:
    page.goto(site.url)
    page.get_by_role("button", name="New note").click()
    page.get_by_label("Title").fill("A title")
    page.get_by_label("Tags").fill("x" * 5_000)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".refused")).to_contain_text("at most 100 fit")
    expect(page.get_by_label("Title")).to_have_value("A title")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("dialog")).to_have_count(0)
