"""One record: its text, what is around it, what it was, and what can be said about it."""

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import pinyon
from tests.surfaces.page.browser import delayed
from tests.surfaces.page.conftest import Site

pytestmark = pytest.mark.slow

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "page.md"


@pytest.mark.proves("X10")
def test_the_keys_alone_lead_from_a_question_to_a_verdict(page: Page, site: Site) -> None:
    page.goto(site.url)
    expect(page.locator(".hit").first).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("body").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("/")
    page.keyboard.type("retry jobs")
    expect(page.locator(".hit .open").first).to_have_text("The queue retries jobs")
    page.keyboard.press("Enter")
    expect(page.locator(".hit .open").nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator(".hit .open").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".hit .open").nth(0)).to_be_focused()
    page.keyboard.press("w")
    expect(page.locator(".hit").nth(0).locator(".why")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#record-title")).to_be_focused()
    expect(page.locator("#record-title")).to_have_text("The queue retries jobs")
    page.keyboard.press("g")
    expect(page.locator("[data-verdict=accepted]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#notice")).to_have_text("Noted: good for “retry jobs”.")
    page.keyboard.press("j")
    expect(page.locator("#record-title")).not_to_have_text("The queue retries jobs")
    page.keyboard.press("b")
    expect(page.locator("[data-verdict=dismissed]")).to_have_attribute("aria-pressed", "true")
    bad = page.locator(".record").get_attribute("data-id")
    page.keyboard.press("Escape")
    expect(page.locator("#detail")).to_be_hidden()
    expect(page.locator(f".hit[data-id={bad}] .open")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#query")).to_have_value("")
    with pinyon.open(site.store) as engine:
        given = [each for each in engine.verdicts() if each.query == "retry jobs"]
    assert [(each.id, each.verdict) for each in given] == [
        ("queue", "accepted"),
        (bad, "dismissed"),
    ]


def test_the_help_lists_every_key(page: Page, site: Site) -> None:
    page.goto(site.url)
    page.get_by_role("button", name="Keys").click()
    keys = page.locator("#dialog-help kbd").all_inner_texts()
    assert keys == [*"/j↓k↑", "enter", "esc", *"wgbmcnst?"]
    table = GUIDE.read_text("utf-8").partition("| key |")[2]
    assert re.findall(r"`(\S+)`", table) == keys
    page.keyboard.press("Escape")
    expect(page.locator("#dialog-help")).to_have_count(0)


def test_the_whole_text_is_shown_with_the_words_of_the_question_marked(
    page: Page, site: Site
) -> None:
    page.goto(f"{site.url}/#q=retry&open=retry-policy")
    text = page.locator(".record > .text")
    expect(text).to_contain_text("Then a person decides: retries are not free. Ask the team.")
    marked = text.locator("mark").all_inner_texts()
    assert {"retry", "retries"} <= set(marked)
    fields = dict(
        page.locator(".fields dl div").evaluate_all(
            "rows => rows.map((row) => [...row.children].map((cell) => cell.textContent))"
        )
    )
    assert fields["id"] == "retry-policy"
    assert fields["scope"] == "team/api"
    assert fields["importance"] == "5"
    assert fields["version"] == "2"


def test_what_a_record_was_before_can_be_read(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#open=retry-policy")
    before = page.get_by_label("History")
    before.locator("summary").click()
    expect(before.locator(".text")).to_contain_text("retries are not free.")
    expect(before.locator(".text")).not_to_contain_text("Ask the team.")


@pytest.mark.proves("X10")
def test_the_graph_around_a_hit_leads_to_its_neighbours(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#q=retry&open=retry-policy")
    nodes = page.locator(".graph .node text")
    expect(nodes).to_have_text(["How we retry", "Exponential backoff"])
    expect(page.locator(".graph .relation")).to_have_text(["supports"])
    page.get_by_role("button", name="2 steps").click()
    expect(nodes).to_have_text(["How we retry", "Exponential backoff", "Jitter"])
    page.locator(".graph a", has_text="Jitter").click()
    expect(page.locator("#record-title")).to_have_text("Jitter")
    page.locator(".graph a", has_text="Exponential backoff").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#record-title")).to_have_text("Exponential backoff")
    expect(page.locator(".links")).to_contain_text("← supports")
    page.locator(".links a", has_text="How we retry").click()
    expect(page.locator("#record-title")).to_have_text("How we retry")
    assert page.url == f"{site.url}/#q=retry&open=retry-policy"


def test_no_label_of_a_graph_covers_another(page: Page, site: Site) -> None:
    draw = random.Random(8)
    graphs = []
    for size in (2, 5, 12, 23, 35):
        nodes = [
            {"id": str(number), "width": draw.randint(28, 160), "height": 34}
            for number in range(size)
        ]
        edges = [[str(draw.randrange(number)), str(number)] for number in range(1, size)]
        extra = [[str(draw.randrange(size)), str(draw.randrange(size))] for _ in range(size // 3)]
        graphs.append([nodes, edges + extra])
    page.goto(site.url)
    placed = page.evaluate(
        """async (graphs) => {
            const { arrange } = await import("/page/layout.js");
            return graphs.map(([nodes, edges]) => arrange(nodes, edges, 640));
        }""",
        graphs,
    )
    for nodes in placed:
        assert (nodes[0]["x"], nodes[0]["y"]) == (0, 0)
        for at, one in enumerate(nodes):
            assert abs(one["x"]) + one["width"] / 2 <= 320 + 0.01
            for other in nodes[at + 1 :]:
                beside = abs(one["x"] - other["x"]) >= (one["width"] + other["width"]) / 2
                below = abs(one["y"] - other["y"]) >= (one["height"] + other["height"]) / 2
                assert beside or below


def test_more_like_this_searches_by_the_record(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#q=retry&open=retry-policy")
    expect(page.locator("#record-title")).to_be_focused()
    with page.expect_request("**/v1/search") as asked:
        page.keyboard.press("m")
    assert (asked.value.post_data_json or {})["like"] == "retry-policy"
    expect(page.locator(".chip")).to_have_text(["likeHow we retry×"])
    expect(page.locator(".hit").first).to_be_visible()
    page.fill("#query", "queue")
    expect(page.locator(".chip")).to_have_count(0)


def test_the_id_goes_to_the_clipboard(page: Page, site: Site) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{site.url}/#open=retry-policy")
    page.get_by_role("button", name="copy id").click()
    expect(page.locator("#notice")).to_have_text("The id is on the clipboard.")
    assert page.evaluate("() => navigator.clipboard.readText()") == "retry-policy"


@pytest.mark.parametrize("late_ms", [0, 400])
def test_a_record_that_is_not_there_is_said(page: Page, site: Site, late_ms: int) -> None:
    delayed(page, late_ms)
    page.goto(f"{site.url}/#open=nowhere")
    expect(page.locator("#notice")).to_contain_text("nowhere")
    expect(page.locator("#detail")).to_be_hidden()
