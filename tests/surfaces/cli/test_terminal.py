"""Terminals: colours only where they are wanted, and nothing of a record that a terminal obeys."""

import io
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon import settings
from pinyon.surfaces.cli.output import clean, clean_lines
from pinyon.surfaces.cli.wrap import wrap
from tests.surfaces.cli.shell import Shell, program

HOSTILE = "a\x1b[31mred\x1b[0m \x1b]0;title\x07b \x1b]8;;http://x\x1b\\c \x9b31md \u202ee\x07!\x7f"
PLAIN = "ared b c d e!"

needs_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, True),
        ({"TERM": "xterm"}, True),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_a_terminal_gets_colours_unless_they_are_refused(
    environment: dict[str, str], coloured: bool
) -> None:
    assert settings.colour(Terminal(), environment=environment) is coloured
    assert settings.colour(io.StringIO(), environment=environment) is False


def test_escape_sequences_are_taken_out_whole() -> None:
    assert clean(HOSTILE) == PLAIN


@given(st.text())
def test_what_is_shown_on_one_line_is_printable(text: str) -> None:
    shown = clean(text)
    assert not {"\n", "\r", "\t", "\x1b", "\x9b", "\x07", "\u202e"} & set(shown)
    assert "\n" not in shown
    assert len(shown.splitlines()) <= 1
    shown.encode()


def test_the_lines_of_a_body_stay_lines() -> None:
    assert clean_lines("a\r\n\tb\x1b[2J\n\nc\rd") == "a\n\tb\n\nc\nd"


def test_a_hostile_record_is_harmless_as_text_and_whole_as_json(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "Retry", "--body", f"retry {HOSTILE}\nnext")
    for words in (["search", "retry"], ["get", "a"], ["search", "retry", "--mode", "full"]):
        text = shell(*words).stdout
        assert PLAIN in text
        assert not {"\x1b", "\x9b", "\x07", "\r", "\x7f", "\u202e"} & set(text)
    assert shell.json("get", "a")[0]["body"] == f"retry {HOSTILE}\nnext"


def test_a_hostile_argument_is_harmless_in_an_error(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    assert "\x1b" not in shell.problem("get", "\x1b[31mx")


def test_marks_are_not_shown_when_nobody_sees_colours(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "T", "--body", "if a < b & c: <mark>retry</mark>")
    assert "    if a < b & c: <mark>retry</mark>\n" in shell("search", "retry").stdout


def test_a_snippet_is_broken_between_words_and_marks_stay_in_one_piece() -> None:
    def bracket(style: str, text: str) -> str:
        return f"[{text}]"

    assert wrap("one <mark>two</mark>-three four &lt;five&gt;", 9, bracket) == [
        "one",
        "[two]-three",
        "four",
        "<five>",
    ]


def test_text_without_spaces_is_broken_by_columns() -> None:
    assert wrap("知識を検索する", 6, lambda style, text: text) == ["知識を", "検索す", "る"]


@given(st.lists(st.text(alphabet="ab<&知 ", min_size=1), max_size=20), st.integers(5, 30))
def test_wrapping_loses_no_letter(words: list[str], width: int) -> None:
    import html

    text = " ".join(words)
    lines = wrap(html.escape(text), width, lambda style, each: each)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@needs_a_terminal
def test_a_terminal_shows_matches_in_colour(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "T", "--body", "we retry often")
    shown = on_a_terminal(shell, "search", "retry", TERM="xterm", NO_COLOR="")
    assert "we \x1b[33m\x1b[1mretry\x1b[0m often" in shown
    assert "\x1b" not in on_a_terminal(shell, "search", "retry", TERM="xterm", NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(shell, "search", "retry", TERM="dumb", NO_COLOR="")


@needs_a_terminal
def test_a_purge_asks_on_a_terminal_and_no_means_no(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "T")
    shown = on_a_terminal(shell, "forget", "a", "--purge", typed=b"n\n")
    assert "Purge 1 records and their history for good? [y/N]" in shown
    assert "nothing was purged" in shown
    assert shell.json("get", "a")
    on_a_terminal(shell, "forget", "a", "--purge", typed=b"y\n")
    assert "no record has the id 'a'" in shell.problem("get", "a")


@needs_a_terminal
def test_indexing_shows_a_bar_on_a_terminal_and_ends_with_the_summary(shell: Shell) -> None:
    folder = shell.store.parent / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("text", encoding="utf-8")
    shown = on_a_terminal(shell, "index", str(folder), TERM="xterm")
    assert "notes: 1 added" in shown
    assert "1/1" in shown


@needs_a_terminal
def test_a_terminal_with_nothing_to_save_is_told_what_to_give(shell: Shell) -> None:
    assert "nothing to save (give --title or --body" in on_a_terminal(shell, "save")


def on_a_terminal(shell: Shell, *words: str, typed: bytes = b"", **environment: str) -> str:
    """Everything that a command shows on a pseudo-terminal."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        program(*words),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=shell.environment(COLUMNS="100", **environment),
        close_fds=True,
    ) as child:
        os.close(theirs)
        os.write(ours, typed)
        shown = b""
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not chunk:
                break
            shown += chunk
        child.wait(timeout=60)
    os.close(ours)
    return shown.decode()
