"""Without a browser the tests of the page are left out, but never where all must be tested."""

import os
import shutil

import pytest

from tests.surfaces.page.browser import launched


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ({"CI": "true", "apt": True, "root": True}, pytest.fail.Exception),
        ({"CI": "true", "apt": False, "root": True}, pytest.skip.Exception),
        ({"CI": "true", "apt": True, "root": False}, pytest.skip.Exception),
        ({"CI": "", "apt": True, "root": True}, pytest.skip.Exception),
    ],
)
def test_a_missing_browser_is_a_failure_where_it_could_be_installed_and_must_be(
    given: dict[str, object], outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    apt = {"apt-get": "/usr/bin/apt-get"} if given["apt"] else {}
    monkeypatch.setattr(shutil, "which", apt.get)
    monkeypatch.setattr(os, "geteuid", lambda: 0 if given["root"] else 1000)
    monkeypatch.setenv("CI", str(given["CI"]))
    with pytest.raises(outcome, match="make browser"), launched():
        pass
