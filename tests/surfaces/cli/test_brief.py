"""brief: what matters now, as text and as JSON."""

import pytest

from tests.surfaces.cli.shell import Shell


def save_some(shell: Shell) -> None:
    shell("save", "--id", "rule", "--title", "Never force-push", "--importance", "5",
          "--scope", "team/api", "--body", "It loses work.")  # fmt: skip
    shell("save", "--id", "port", "--kind", "task", "--title", "Move to port 8080",
          "--scope", "team/api", "--due", "2020-01-01", "--status", "open")  # fmt: skip
    shell("save", "--id", "news", "--kind", "note", "--title", "Elsewhere", "--scope", "team/web")


@pytest.mark.proves("X16")
def test_a_brief_names_what_matters_with_its_id_and_the_reason(shell: Shell) -> None:
    save_some(shell)
    assert shell("brief", "--scope", "team/api").stdout.splitlines() == [
        "Important",
        "- Never force-push  rule  memory  importance 5",
        "  It loses work.",
        "",
        "To do",
        "- Move to port 8080  port  task  overdue since 2020-01-01",
    ]


@pytest.mark.proves("X16")
def test_a_brief_for_programs_has_every_section_and_its_size(shell: Shell) -> None:
    save_some(shell)
    found = shell.json("brief")
    assert list(found) == ["scope", "at", "tokens", "sections"]
    sections = found["sections"]
    assert list(sections) == ["important", "recent", "tasks", "conflicts"]
    (rule,) = sections["important"]["items"]
    texts = ("rule", "Never force-push", "It loses work.", "importance 5")
    assert rule == {
        **dict(zip(("id", "title", "line", "why"), texts, strict=True)),
        "kind": "memory",
        "tokens": -(-sum(map(len, texts)) // 4),
    }
    assert [item["id"] for item in sections["recent"]["items"]] == ["news"]
    items = [item for section in sections.values() for item in section["items"]]
    assert found["tokens"] == sum(item["tokens"] for item in items)


@pytest.mark.proves("X16")
def test_a_brief_keeps_to_its_tokens_and_says_what_is_left(shell: Shell) -> None:
    for number in range(9):
        shell("save", "--id", f"r{number}", "--title", "t" * 60)
    found = shell.json("brief", "--max-tokens", "60")
    recent = found["sections"]["recent"]
    assert found["tokens"] <= 60
    each = (len("r0") + 60 + len("changed 2026-03-01")) // 4
    assert (len(recent["items"]), recent["left"]) == (60 // each, 9 - 60 // each)
    assert shell("brief", "--max-tokens", "60").stdout.endswith("  and 6 more\n")
    assert shell("brief", "--max-tokens", "3").stderr == (
        "pinyon: nothing fits: give more --max-tokens\n"
    )


def test_a_brief_keeps_to_kinds(shell: Shell) -> None:
    save_some(shell)
    found = shell.json("brief", "--kind", "note")["sections"]
    assert {name: len(section["items"]) for name, section in found.items() if section["items"]} == {
        "recent": 1
    }


@pytest.mark.proves("X16")
def test_a_brief_names_both_sides_of_a_contradiction(shell: Shell) -> None:
    for name, port in {"a": "80", "b": "8080"}.items():
        shell("save", "--id", name, "--title", f"Port {name}", "--body", f"It is {port}")
    shell("link", "a", "contradicts", "b", "--evidence", "the port")
    items = shell.json("brief")["sections"]["conflicts"]["items"]
    assert [item["id"] for item in items] == ["a", "b"]
    assert "the port" in items[0]["why"]


def test_where_nothing_matters_a_brief_says_so(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "T")
    shell("forget", "a")
    result = shell("brief")
    assert (result.stdout, result.stderr) == ("", "pinyon: nothing matters yet\n")
