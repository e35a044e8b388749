"""Token: who may ask from outside, from the shell."""

from pathlib import Path

import pytest

from pinyon.access.tokens import Tokens
from tests.surfaces.cli.shell import Shell


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PINYON_CONFIG", str(tmp_path / "config"))


@pytest.mark.proves("X11")
def test_a_token_is_printed_once_and_never_again(shell: Shell) -> None:
    made = shell("token", "create", "agent", "--can", "search, write", "--scope", "team/api")
    (token,) = made.stdout.splitlines()
    assert "not shown again" in made.stderr
    assert "every request over HTTP needs a token" in made.stderr
    permit = Tokens(shell.store).permit(token)
    assert (permit.name, permit.scopes) == ("agent", ("team/api",))
    assert permit.capabilities == {"search", "write"}
    secret = token.split("_", 2)[2]
    for words in (("list",), ("list", "--json"), ("revoke", "agent")):
        assert secret not in shell("token", *words).output


def test_a_token_can_search_unless_it_is_told_more(shell: Shell) -> None:
    made = shell.json("token", "create", "reader", "--tier", "team")
    assert (made["capabilities"], made["tiers"], made["scopes"]) == (["search"], ["team"], [])
    assert Tokens(shell.store).permit(made["token"]).name == "reader"


def test_the_tokens_are_listed_with_what_they_may_do(shell: Shell) -> None:
    shell("token", "create", "reader")
    shell("token", "create", "ci", "--can", "admin", "--expires", "2999-01-01", "--scope", "a/b")
    text = shell("token", "list").stdout.splitlines()
    assert text == ["reader  search", "ci      admin  scope a/b  until 2999-01-01 00:00 UTC"]
    listed = shell.json("token", "list")
    assert [(each["name"], each["store"]) for each in listed] == [
        ("reader", str(shell.store)),
        ("ci", str(shell.store)),
    ]
    assert "sha256" not in listed[0]


def test_a_revoked_token_is_gone(shell: Shell) -> None:
    token = shell.json("token", "create", "reader")["token"]
    assert shell("token", "revoke", "reader").stdout == "reader opens nothing any more\n"
    assert token.split("_")[1] not in shell("token", "list", "--json").stdout
    assert "no token 'reader'" in shell.problem("token", "revoke", "reader")


def test_a_token_is_for_one_store(shell: Shell, tmp_path: Path) -> None:
    shell("token", "create", "reader")
    other = str(tmp_path / "other.pinyon")
    listed = shell("token", "list", "--store", other)
    assert listed.stdout == ""
    assert "pinyon token create NAME" in listed.stderr
    assert "no token" in shell.problem("token", "revoke", "reader", "--store", other)


def test_a_token_for_a_store_that_is_not_there_yet_says_so(shell: Shell) -> None:
    assert f"no store at {shell.store}" in shell("token", "create", "reader").stderr
    shell("save", "--title", "New")
    assert "no store at" not in shell("token", "create", "other").stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a b",), "letters, digits"),
        (("reader", "--can", "search,fly"), "known: search, write, admin"),
        (("reader", "--can", ","), "give it search"),
        (("reader", "--expires", "soon"), "30d, 12h, 8w or 2027-01-01"),
        (("reader", "--expires", "2020-01-01"), "time to come"),
        (("reader", "--scope", "a//b"), "team/api"),
    ],
)
def test_what_cannot_be_a_token_is_refused_in_one_line_with_the_remedy(
    shell: Shell, words: tuple[str, ...], said: str
) -> None:
    assert said in shell.problem("token", "create", *words)
    assert shell.json("token", "list") == []


def test_tokens_that_cannot_be_read_are_said(shell: Shell, tmp_path: Path) -> None:
    shell("token", "create", "reader")
    (tmp_path / "config" / "tokens.json").write_text("{")
    assert "repair the file" in shell.problem("token", "list")
