"""Browser: the system's own Chromium, and what a page does in it that no page may do."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_MS = 15_000
"""On a machine that is busy. What is waited for comes at once on one that is not."""


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser without a window. Skips where there is none; fails where it could be installed and
    everything must be tested."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        installable = shutil.which("apt-get") is not None and os.geteuid() == 0
        if os.environ.get("CI") and installable:
            pytest.fail("Chromium is missing: make browser installs it")
        pytest.skip("needs Chromium: make browser installs it where apt works")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Watched:
    """What a page did. `wrong` is what none may do: an error, a dialog, a request elsewhere."""

    home: str
    wrong: list[str] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", lambda said: self._said(said.type, said.text))
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", self._requested)

        def refuse(dialog: Any) -> None:
            self.wrong.append(f"dialog: {dialog.message}")
            dialog.dismiss()

        page.on("dialog", refuse)

    def _said(self, kind: str, text: str) -> None:
        # A status that the page expects, and shows in its own words, is logged by the browser too.
        if kind in {"error", "warning"} and not text.startswith("Failed to load resource"):
            self.wrong.append(f"console: {text}")

    def _requested(self, request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.home).netloc:
            self.wrong.append(f"elsewhere: {request.url}")
        if request.url.endswith("/v1/search"):
            self.asked.append(request.post_data_json or {})


@contextmanager
def visiting(browser: Browser, url: str, **how: Any) -> Iterator[tuple[Page, Watched]]:
    """A page of its own, like a new visitor's. Fails in the end if it did what none may do."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **how})
    context.set_default_timeout(PATIENCE_MS)
    page, watched = context.new_page(), Watched(url)
    watched.watch(page)
    try:
        yield page, watched
        assert not watched.wrong, watched.wrong
    finally:
        context.close()


def delayed(page: Page, late_ms: int) -> None:
    """From now on, what is searched is sent on so much later, after whatever else was asked."""
    wait = "ms => new Promise(resolve => setTimeout(resolve, ms))"

    def later(route: Route) -> None:
        page.evaluate(wait, late_ms)
        route.continue_()

    page.route("**/v1/search", later)
