"""Architecture: ARCHITECTURE.md has a heading for each folder of the code, and for no other."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADING = re.compile(r"^#{2,4} `(src/pinyon/[^`]+?)/?`", re.MULTILINE)


def test_each_folder_with_modules_has_a_heading() -> None:
    with_modules = {
        path.parent.relative_to(ROOT).as_posix()
        for path in (ROOT / "src/pinyon").rglob("*.py")
        if path.parent != ROOT / "src/pinyon"
    }
    assert sorted(with_modules - set(headings())) == []


def test_each_heading_names_a_folder_that_exists() -> None:
    assert [heading for heading in headings() if not (ROOT / heading).is_dir()] == []


def test_no_folder_has_two_headings() -> None:
    assert len(headings()) == len(set(headings()))


def headings() -> list[str]:
    return HEADING.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
