"""What comes from others is what we chose: locked with hashes, under licences that we may use, and
weights that are those that we tested with."""

import re
import shutil
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from pinyon.inference.contract import BrokenModel
from pinyon.inference.models import known, pulled_folder
from pinyon.inference.onnx import build
from tests.docs import dependencies

RENEW = "renew it with: make lock"
LOCKED = dependencies.locked(dependencies.LOCK.read_text("utf-8"))
VERSIONS = {each.name: {one.version for one in LOCKED if one.name == each.name} for each in LOCKED}

ALLOWED = {
    *("MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0", "Zlib", "CC0-1.0"),
    *("PSF-2.0", "ISC", "Unlicense", dependencies.SPDX["any-OSI"]),
    "MPL-2.0",  # of files, not of programs that use them
}


def asked() -> list[Requirement]:
    project = tomllib.loads((dependencies.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["documents"]]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("wanted", asked(), ids=str)
def test_the_lock_file_has_a_version_that_pyproject_asks_for(wanted: Requirement) -> None:
    versions = VERSIONS.get(dependencies.normal(wanted.name), set())
    assert versions, RENEW
    assert all(wanted.specifier.contains(version) for version in versions), RENEW


def test_the_lock_file_has_what_its_packages_ask_for() -> None:
    """As far as they are installed here."""
    missing = set()
    for name in VERSIONS:
        try:
            needs = [Requirement(line) for line in requires(name) or ()]
        except PackageNotFoundError:
            continue
        needed = {
            need.name for need in needs if not need.marker or need.marker.evaluate({"extra": ""})
        }
        missing |= {dependencies.normal(need) for need in needed} - VERSIONS.keys()
    assert missing == set(), RENEW


def test_everything_in_the_lock_file_has_hashes_and_no_address() -> None:
    text = dependencies.LOCK.read_text("utf-8")
    assert len(LOCKED) > 50
    assert [each.name for each in LOCKED if not each.hashes] == []
    assert len(re.findall(r"^[^ #]", text, re.MULTILINE)) == len(LOCKED)
    assert re.findall(r"://|--index|--extra-index|--find-links|--trusted|^-e|@ ", text, re.M) == []


def test_the_page_of_licences_names_each_package_of_the_lock_file() -> None:
    written = dependencies.read(dependencies.PAGE.read_text("utf-8"))
    found = dependencies.licences()
    stale = "renew it with: python -m tests.docs.dependencies"
    assert written.keys() == found.keys(), stale
    assert {
        name: written[name] for name, now in found.items() if now and now != written[name]
    } == {}
    assert dependencies.page(written) == dependencies.PAGE.read_text("utf-8"), stale


def test_no_licence_asks_more_than_apache_2_may_promise() -> None:
    written = dependencies.read(dependencies.PAGE.read_text("utf-8"))
    assert {name: text for name, text in written.items() if not allowed(text)} == {}


def allowed(licence: str) -> bool:
    """Of an expression: one of what is joined by OR, all of what is joined by AND."""
    if licence in ALLOWED:
        return True
    return any(
        all(part.strip(" ()") in ALLOWED for part in choice.split(" AND "))
        for choice in licence.split(" OR ")
    )


@pytest.mark.parametrize("licence", ["GPL-3.0-only", "MIT AND LGPL-2.1", "AGPL-3.0 OR SSPL", ""])
def test_a_licence_that_asks_more_is_noticed(licence: str) -> None:
    assert not allowed(licence)


@pytest.mark.parametrize("model", known().packaged.values(), ids=lambda model: model.name)
def test_the_hash_of_every_weight_file_is_pinned(model: object) -> None:
    files = known().packaged[getattr(model, "name")].files  # noqa: B009
    assert files
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in files.values())


@pytest.mark.parametrize("at", [0, 1_000_000, -1], ids=["first", "middle", "last"])
def test_weights_with_one_changed_byte_are_refused_and_leave_nothing(
    tmp_path: Path, at: int
) -> None:
    model = known().packaged["granite"]
    (name,) = model.files
    installed = build._found(model, tmp_path, name)
    assert installed
    changed = pulled_folder(model, tmp_path) / name
    changed.parent.mkdir(parents=True)
    shutil.copy(installed, changed)
    with changed.open("r+b") as file:
        file.seek(at, 2 if at < 0 else 0)
        byte = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(BrokenModel, match="SHA-256 differs"):
        build.built(model, tmp_path)
    assert not (tmp_path / "graphs").exists()
