"""Several stores together: a hit says where it lies, and one tier can be asked alone."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import pinyon
from pinyon import Record
from tests.surfaces.page.browser import delayed, visiting
from tests.surfaces.serving import serving

pytestmark = pytest.mark.slow


def test_a_hit_of_another_tier_is_shown_as_far_as_it_is_known(
    browser: Browser, tmp_path: Path
) -> None:
    own, team = tmp_path / "own.pinyon", tmp_path / "team.pinyon"
    with pinyon.open(team) as engine:
        engine.save(Record(id="theirs", kind="note", title="Their pine", body="A pine of theirs."))
    with pinyon.open(own) as engine:
        engine.save(Record(id="ours", kind="note", title="Our pine", body="A pine of ours."))
        engine.add_tier("team", team)
    with serving(own) as server, visiting(browser, server.url) as (page, _):
        page.goto(f"{server.url}/#q=pine")
        expect(page.locator(".hit .open")).to_have_count(2)
        expect(page.locator(".hit", has_text="Their pine").locator(".tier")).to_have_text("team")
        page.get_by_label("Tier", exact=True).select_option("team")
        expect(page.locator(".hit .open")).to_have_text(["Their pine"])
        page.locator(".hit .open").click()
        expect(page.locator("#record-title")).to_have_text("Their pine")
        expect(page.locator(".record .remark")).to_contain_text("the tier team")
        expect(page.locator("[data-verdict]")).to_have_count(0)
        delayed(page, 400)  # the record is looked for long before the hit is known
        page.reload()
        expect(page.locator("#record-title")).to_have_text("Their pine")
