"""The documentation cannot lie: its Python runs, its commands exist, its links lead somewhere, and
what is generated is fresh."""

import re
import shlex
from pathlib import Path

import click
import pytest

from pinyon.surfaces.cli.app import SECTIONS, cli
from tests.docs import reference

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^(?: {4}|\t)(.*)$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def python_blocks() -> list[tuple[str, str]]:
    return [
        (named(page), code)
        for page in PAGES
        for language, code in BLOCK.findall(page.read_text("utf-8"))
        if language == "python" and "import pinyon" in code
    ]


def commands() -> list[tuple[str, str]]:
    """Every line of a code block that calls pinyon, without what follows two blanks or a bar."""
    found = []
    for page in PAGES:
        text = page.read_text("utf-8")
        blocks = [
            code for language, code in BLOCK.findall(text) if language in ("", "sh", "console")
        ]
        lines = [
            *INDENTED.findall(text),
            *(line for block in blocks for line in block.splitlines()),
        ]
        for line in lines:
            called = re.search(r"(?:^|\| |\$ )(pinyon (?!: ).*)", line)
            if called:
                found.append((named(page), re.split(r" {2,}| \| | > ", called[1])[0]))
    return found


@pytest.mark.parametrize(("page", "code"), python_blocks())
def test_the_python_of_a_page_runs(
    page: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown: list[str] = []
    exec(compile(code, page, "exec"), {"print": lambda *values: shown.append(repr(values))})
    assert shown, "an example that shows nothing explains nothing"


def test_there_are_examples_to_run() -> None:
    assert {page for page, _ in python_blocks()} >= {"README.md", "docs/start.md"}
    assert len(commands()) > 20


@pytest.mark.parametrize(("page", "line"), commands())
def test_a_command_that_a_page_shows_exists_with_its_options(page: str, line: str) -> None:
    words = shlex.split(line)[1:]
    context = click.Context(cli, info_name="pinyon")
    command: click.Command = cli
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        assert found is not None, f"{page}: no command {words[0]!r} in: {line}"
        command, words = found, words[1:]
    known = {name for option in command.get_params(context) for name in option.opts}
    used = {word.partition("=")[0] for word in words if word.startswith("-") and len(word) > 1}
    assert used <= known, f"{page}: {line}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    targets = [target for target in LINK.findall(page.read_text("utf-8")) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", reference.PAGES)
def test_a_reference_page_is_fresh(page: str) -> None:
    written = (reference.FOLDER / page).read_text("utf-8")
    assert written == reference.PAGES[page](), "renew it with: python -m tests.docs.reference"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


def test_every_command_has_a_heading_in_the_reference() -> None:
    page = reference.PAGES["commands.md"]().splitlines()
    names = [name for commands in SECTIONS.values() for name in commands]
    assert [line for line in page if line.startswith("### ")] == [
        f"### `pinyon {name}`" for name in names
    ]
