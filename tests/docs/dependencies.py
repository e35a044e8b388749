"""Dependencies: the page docs/reference/dependencies.md: what the lock file names, and by which
licences it is given.

`python -m tests.docs.dependencies` writes it anew, from what is installed; a test fails when a name
or a licence is stale. Versions are in the lock file alone, so a newer one makes no page stale.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.lock"
PAGE = ROOT / "docs" / "reference" / "dependencies.md"

ELSEWHERE = {"colorama": "BSD-3-Clause", "pywin32": "PSF-2.0"}
"""Those that only Windows needs: they are not installed where the page is made."""

UNSUPPORTED = "sys_platform == 'emscripten'"
"""What only a Python inside a browser needs; Pinyon does not run there."""

SPDX = {
    "any-OSI": "any licence that the OSI approves",
    "MIT License": "MIT",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""What packages write, beside the customary names."""

HEAD = """\
# What Pinyon depends on

Every package that `pip install pinyon[documents]` brings, by the lock file `requirements.lock`,
which has a version and its hashes for each. Those in bold are asked for by Pinyon itself, the
others by them. All licences allow their use in a program under Apache-2.0: MPL-2.0 asks for the
source of changes to the package's own files, and Pinyon changes none.

This page is made by `python -m tests.docs.dependencies`.

| package | licence |
|---|---|
"""


@dataclass(frozen=True)
class Locked:
    """One entry of the lock file."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def locked(text: str) -> list[Locked]:
    """The entries of a lock file. One package may have several, for different machines."""
    whole = re.sub(r"\s*\\\n\s*", " ", text)
    found = []
    for line in whole.splitlines():
        if entry := re.match(r"([A-Za-z0-9._-]+)==(\S+)(?: ; (.*?))?(?= --hash|$)", line):
            hashes = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
            found.append(Locked(normal(entry[1]), entry[2], entry[3] or "", hashes))
    return found


def normal(name: str) -> str:
    """As the package index compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licences() -> dict[str, str]:
    """Each package of the lock file with its licence; "" where it is not installed here."""
    entries = locked(LOCK.read_text("utf-8"))
    return {each.name: licence(each.name) for each in entries if UNSUPPORTED not in each.marker}


def licence(name: str) -> str:
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return ELSEWHERE.get(name, "")
    classified = [
        line.rpartition(":: ")[2]
        for line in said.get_all("Classifier", [])
        if line.startswith("License ::")
    ]
    # An expression is best; the older field is sometimes the whole text of a licence.
    written = [line for line in (said["License"],) if line and "\n" not in line and len(line) < 60]
    found = [line for line in (said["License-Expression"],) if line] or written or classified
    return SPDX.get(found[0], found[0]) if found else ""


def direct() -> set[str]:
    """What pyproject.toml asks for, with the extra that users may want."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["documents"]]
    return {normal(re.split(r"[<>=!~\[; ]", line, maxsplit=1)[0]) for line in asked}


def page(listed: Mapping[str, str]) -> str:
    own = direct()
    rows = [
        f"| {f'**{name}**' if name in own else name} | {listed[name]} |" for name in sorted(listed)
    ]
    return HEAD + "\n".join([*rows, ""])


def read(text: str) -> dict[str, str]:
    """The way back: package to licence."""
    rows = re.findall(r"^\| \*{0,2}([a-z0-9-]+)\*{0,2} \| (.+) \|$", text, re.MULTILINE)
    return {name: licence for name, licence in rows if name != "package"}


if __name__ == "__main__":
    PAGE.write_text(page(licences()), encoding="utf-8")
