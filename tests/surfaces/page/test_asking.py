"""The page answers while somebody types, and keeps what it shows in its address."""

import re

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from pinyon.engine import open_engine
from pinyon.store.questions import Log
from tests.surfaces.page.browser import Watched
from tests.surfaces.page.conftest import Site

pytestmark = pytest.mark.slow


def logged(site: Site) -> list[str]:
    """What was asked, as the store says."""
    with (
        open_engine(site.store, create=False, background=False) as engine,
        engine._store.snapshot() as view,
    ):
        return [asked.text for asked in view.survey(Log())]


@pytest.mark.proves("X10")
def test_hits_come_while_somebody_types(page: Page, site: Site, watched: Watched) -> None:
    page.goto(site.url)
    expect(page.locator(".hit")).to_have_count(20)
    expect(page.get_by_role("status").first).to_have_text(re.compile("changed last"))
    page.get_by_label("Search", exact=True).press_sequentially("retr")
    expect(page.locator(".hit .open")).to_have_text(
        ["How we retry", "The queue retries jobs", "We used to retry", "Exponential backoff"]
    )
    expect(page.get_by_role("status").first).to_have_text("4 hits")
    expect(page.locator(".hit mark").first).to_be_visible()
    typed = [asked["track"] for asked in watched.asked if asked.get("query") != "retr"]
    assert typed
    assert not any(typed)
    assert page.url == f"{site.url}/#q=retr"


def test_an_answer_that_comes_late_is_dropped(page: Page, site: Site) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        if (route.request.post_data_json or {}).get("query") == "jitter":
            held.append(route)
        else:
            route.continue_()

    page.route("**/v1/search", hold)
    page.goto(site.url)
    with page.expect_request(lambda it: bool(it.post_data and "jitter" in it.post_data)):
        page.fill("#query", "jitter")
    page.fill("#query", "queue")
    expect(page.locator(".hit .open")).to_have_text(["The queue retries jobs"])
    (late,) = held
    late.fulfill(json={"hits": [], "meta": {}})
    expect(page.locator(".hit .open")).to_have_text(["The queue retries jobs"])


def test_a_question_is_counted_once_and_not_what_was_typed_on_the_way(
    page: Page, site: Site, watched: Watched
) -> None:
    page.goto(site.url)
    page.locator("#query").press_sequentially("exponential backoff")
    expect(page.locator(".hit .open").first).to_have_text("Exponential backoff")
    page.locator("#query").press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#record-title")).to_have_text("Exponential backoff")
    for _ in range(300):  # it is written down behind the answer
        if "exponential backoff" in logged(site):
            break
        page.wait_for_timeout(100)
    assert [asked["query"] for asked in watched.asked if asked["track"]] == ["exponential backoff"]
    page.reload()
    expect(page.locator("#record-title")).to_have_text("Exponential backoff")
    assert [text for text in logged(site) if "expon" in text] == ["exponential backoff"]


def test_reload_and_back_bring_the_same_view_again(page: Page, site: Site) -> None:
    page.goto(site.url)
    page.fill("#query", "retry")
    page.get_by_label("Kind", exact=True).select_option("doc")
    page.get_by_role("link", name="Exponential backoff").click()
    expect(page.locator("#record-title")).to_be_visible()
    page.reload()
    expect(page.locator("#record-title")).to_have_text("Exponential backoff")
    expect(page.locator("#query")).to_have_value("retry")
    page.go_back()
    expect(page.locator("#detail")).to_be_hidden()
    expect(page.locator(".hit")).to_have_count(1)
    page.go_back()
    expect(page.locator(".hit")).to_have_count(4)
    page.go_back()
    expect(page.locator("#query")).to_have_value("")


@pytest.mark.proves("X10")
def test_filters_narrow_and_their_chips_widen_again(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#q=retry")
    hits = page.locator(".hit .open")
    expect(hits).to_have_count(4)
    page.get_by_label("Kind", exact=True).select_option("memory")
    expect(hits).to_have_count(2)
    page.get_by_label("Time", exact=True).select_option("30d")
    expect(hits).to_have_text(["The queue retries jobs"])
    page.get_by_label("Remove kind memory").click()
    expect(hits).to_have_count(3)
    page.get_by_label("Tag", exact=True).select_option("ops")
    page.get_by_label("Scope", exact=True).select_option("team/api")
    expect(hits).to_have_text(["How we retry"])
    page.get_by_label("Profile", exact=True).select_option("keyword")
    expect(page.locator(".chip")).to_have_count(4)
    while page.locator(".chip").count():
        page.locator(".chip").first.click()
    expect(hits).to_have_count(4)
    assert page.url == f"{site.url}/#q=retry"


def test_a_time_of_ones_own_is_between_two_days(page: Page, site: Site) -> None:
    given = {"id": "long-ago", "title": "A walnut", "created_at": "2018-03-03"}
    assert site.post("/v1/records", given).status_code == 201
    page.goto(f"{site.url}/#q=walnut")
    page.get_by_label("Time", exact=True).select_option("own")
    page.get_by_label("Before", exact=True).fill("2018-03-01")
    expect(page.locator(".nothing")).to_be_visible()
    page.get_by_label("Before", exact=True).fill("2018-03-10")
    page.get_by_label("Since", exact=True).fill("2018-03-02")
    expect(page.locator(".hit .open")).to_have_text(["A walnut"])


def test_a_tag_of_a_hit_narrows_to_it(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#q=retry")
    page.locator(".hit .tag", has_text="network").first.click()
    expect(page.locator(".chip")).to_have_text(["tagnetwork×"])
    expect(page.locator(".hit")).to_have_count(2)


def test_where_nothing_is_found_the_page_says_what_to_try(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#q=retry&kind=task")
    expect(page.locator(".nothing")).to_contain_text("Nothing found for retry")
    page.get_by_role("button", name="Search without the filters").click()
    expect(page.locator(".hit").first).to_be_visible()
    page.fill("#query", "xylophone")
    page.get_by_role("button", name="Write a note about it").click()
    expect(page.get_by_label("Title")).to_have_value("xylophone")


def test_what_was_corrected_is_said_and_can_be_refused(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#q=exponentail")
    expect(page.locator("#remarks")).to_contain_text("exponential")
    expect(page.locator(".hit")).not_to_have_count(0)
    page.get_by_role("button", name="as typed").click()
    expect(page.locator(".nothing")).to_be_visible()
    page.get_by_label("Remove exactly as typed").click()
    expect(page.locator(".hit")).not_to_have_count(0)


def test_more_hits_follow_below_and_none_twice(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#q=pine+number")
    expect(page.locator(".hit")).to_have_count(20)
    expect(page.locator("#count")).to_have_text("20 hits and more")
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".hit")).to_have_count(24)
    shown = page.locator(".hit").evaluate_all("hits => hits.map((hit) => hit.dataset.id)")
    assert len(set(shown)) == 24
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()


def test_what_the_server_refuses_is_said_with_its_remedy(page: Page, site: Site) -> None:
    problem = httpx.post(f"{site.url}/v1/search", json={"query": "a", "profile": "nowhere"})
    said = problem.json()["error"]
    page.goto(f"{site.url}/#q=retry&profile=nowhere")
    expect(page.locator(".nothing")).to_contain_text(said["message"][1:])
    expect(page.locator(".nothing")).to_contain_text(said["remedy"][1:])
    page.get_by_label("Remove profile nowhere").click()
    expect(page.locator(".hit").first).to_be_visible()
