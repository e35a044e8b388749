"""Why a hit is there: the bars say what the JSON says."""

import pytest
from playwright.sync_api import Page, expect

from tests.surfaces.page.conftest import Site

pytestmark = pytest.mark.slow

BARS = """hits => hits.map((hit) => [...hit.querySelectorAll("[data-signal]")].map((bar) => ({
    signal: bar.dataset.signal, value: Number(bar.dataset.value),
    share: Number(bar.dataset.share), width: Number(bar.getAttribute("width")) })))"""


@pytest.mark.proves("X10")
@pytest.mark.parametrize("profile", ["brain", "vault"])
def test_each_signal_has_a_bar_as_long_as_what_it_adds(
    page: Page, site: Site, profile: str
) -> None:
    asked = {"query": "retry", "profile": profile, "limit": 20, "track": False}
    with page.expect_response("**/v1/search") as answered:
        page.goto(f"{site.url}/#q=retry&profile={profile}")
    answer = answered.value.json()
    assert answered.value.request.post_data_json == asked
    expect(page.locator(".hit")).to_have_count(len(answer["hits"]))
    page.get_by_role("button", name="explain").click()
    weights = answer["meta"]["weights"]
    shares = [
        {name: weights.get(name, 0) * value for name, value in hit["signals"].items()}
        for hit in answer["hits"]
    ]
    longest = max(share for each in shares for share in each.values())
    assert len({name for each in shares for name in each}) >= 3
    drawn = page.locator(".hit").evaluate_all(BARS)
    for hit, share, bars in zip(answer["hits"], shares, drawn, strict=True):
        assert {bar["signal"]: bar["value"] for bar in bars} == hit["signals"]
        assert {bar["signal"]: bar["share"] for bar in bars} == pytest.approx(share)
        weighed = {bar["signal"]: bar["width"] for bar in bars if weights.get(bar["signal"])}
        expected = {name: 100 * share[name] / longest for name in weighed}
        assert weighed == pytest.approx(expected, abs=0.001)


def test_the_sum_of_the_bars_is_said_where_it_is_the_score(page: Page, site: Site) -> None:
    with page.expect_response("**/v1/search") as answered:
        page.goto(f"{site.url}/#q=retry&profile=brain")
    hit = answered.value.json()["hits"][0]
    page.locator(".hit").first.get_by_role("button", name="Why").click()
    numbers = page.locator(".hit").first.locator(".bar .number").all_inner_texts()
    sums = [float(text.partition("= ")[2]) for text in numbers if "=" in text]
    assert sum(sums) == pytest.approx(hit["score"], abs=0.003)


def test_who_found_a_hit_and_how_sure_it_is_is_said(page: Page, site: Site) -> None:
    with page.expect_response("**/v1/search") as answered:
        page.goto(f"{site.url}/#q=retry")
    hits = answered.value.json()["hits"]
    expect(page.locator(".hit")).to_have_count(len(hits))
    page.get_by_role("button", name="explain").click()
    found = page.locator(".found").all_inner_texts()
    assert [text.partition(";")[0] for text in found] == [
        "found by " + ", ".join(f"{name} at rank {rank}" for name, rank in hit["sources"].items())
        for hit in hits
    ]
    meters = page.get_by_role("meter").evaluate_all(
        "all => all.map((meter) => Number(meter.getAttribute('aria-valuenow')))"
    )
    assert meters == pytest.approx([hit["relevance"] for hit in hits], abs=0.001)


def test_a_hit_that_links_led_to_says_by_which(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/#q=knocking&profile=graph")
    page.locator(".hit", has_text="Exponential backoff").get_by_role("button", name="Why").click()
    expect(page.locator(".hit", has_text="Exponential backoff").locator(".why")).to_contain_text(
        "reached by part_of"
    )
