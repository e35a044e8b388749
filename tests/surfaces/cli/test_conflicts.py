"""conflicts: a line for each pair, JSON for programs."""

import pytest

from tests.surfaces.cli.shell import Shell


def save_ports(shell: Shell, scope: str = "team") -> None:
    for port in ("80", "8080"):
        words = ["--id", f"port-{port}", "--title", "API port", "--scope", scope]
        shell("save", *words, "--body", f"It listens on port {port}.")


@pytest.mark.proves("S14", part="lifecycle")
def test_each_conflict_is_a_line_with_both_ids_and_the_reason(shell: Shell) -> None:
    save_ports(shell)
    assert shell("conflicts").stdout == "port-80 against port-8080  80 against 8080\n"


@pytest.mark.proves("S14", part="lifecycle")
def test_json_tells_linked_from_found(shell: Shell) -> None:
    save_ports(shell)
    shell("link", "port-80", "contradicts", "port-8080", "--evidence", "both say so")
    assert shell.json("conflicts", "--scope", "team") == [
        {
            "one": "port-80",
            "other": "port-8080",
            "why": "contradicts: both say so",
            "linked": True,
        }
    ]
    assert shell.json("conflicts", "--scope", "elsewhere") == []


def test_where_there_are_none_a_note_says_so(shell: Shell) -> None:
    save_ports(shell)
    shell("forget", "port-80")
    result = shell("conflicts")
    assert (result.stdout, result.stderr) == ("", "pinyon: no conflicts\n")


def test_an_escape_sequence_never_reaches_the_terminal(shell: Shell) -> None:
    save_ports(shell)
    shell("link", "port-80", "contradicts", "port-8080", "--evidence", "red \x1b[31m alert")
    assert "\x1b" not in shell("conflicts").stdout


def test_a_store_that_is_missing_is_said(shell: Shell) -> None:
    assert "no store" in shell.problem("conflicts")
