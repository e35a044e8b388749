"""Errors: what cannot be done is said in one line with the remedy, and changes nothing."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.surfaces.cli.shell import Shell

READERS = [
    ["search", "x"],
    ["get", "x"],
    ["related", "x"],
    ["history", "x"],
    ["update", "x", "--title", "y"],
    ["forget", "x"],
    ["link", "x", "supports", "y"],
    ["unlink", "x", "supports", "y"],
    ["tag", "add", "x", "y"],
    ["tag", "remove", "x", "y"],
    ["tag", "rename", "x", "y"],
    ["tag", "list"],
    ["export"],
    ["stats"],
    ["doctor"],
    ["doctor", "--rebuild"],
]


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_a_command_that_needs_a_store_does_not_make_one(shell: Shell, words: list[str]) -> None:
    assert shell.problem(*words) == (
        f"pinyon: there is no store at {shell.store} (save or index first)"
    )
    assert not shell.store.exists()


@pytest.mark.parametrize(
    "words", [["search", "x"], ["save", "--title", "x"], ["doctor"], ["import", "-"]], ids=" ".join
)
def test_a_file_that_is_no_database_is_refused_and_stays_as_it_is(
    shell: Shell, words: list[str]
) -> None:
    content = b"Dear diary, this is no database. " * 100
    shell.store.write_bytes(content)
    assert str(shell.store) in shell.problem(*words)
    assert shell.store.read_bytes() == content


def test_a_folder_is_no_store(shell: Shell) -> None:
    shell.store.mkdir()
    assert "is a folder (name the store's file)" in shell.problem("search", "x")


@pytest.mark.skipif(
    sys.platform == "win32" or (hasattr(os, "geteuid") and os.geteuid() == 0),
    reason="needs a user for whom permissions count",
)
def test_a_folder_that_cannot_be_written_is_named(shell: Shell, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    line = shell.problem("save", "--title", "x", "--store", str(closed / "a.pinyon"))
    assert "cannot create" in line


def test_a_store_below_a_file_is_refused(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    below = str(tmp_path / "file" / "a.pinyon")
    assert below in shell.problem("save", "--title", "x", "--store", below)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"title": 7}, "title: must be text, not a int"),
        ({"tags": "http"}, "tags: must be a list of texts"),
        ({"kind": "poem"}, "kind: 'poem' is not one"),
        ({"importance": "high"}, "importance: must be a whole number"),
        ({"due": "soon"}, "due: 'soon' is not a date"),
        ({"colour": "red"}, "no such field (known: "),
        ({"title": "x" * 1_001}, "title: has 1,001 characters; at most 1,000 fit"),
        ({"title": "two\nlines"}, "title: holds a control character"),
        ({"extra": [1]}, "extra: must be an object"),
        ({"body": "\ud800"}, "body: holds half a surrogate pair"),
        ({"body": "\x00"}, "body: holds a NUL character"),
        ({"valid_from": "2024-02-01", "valid_until": "2024-01-01"}, "is before valid_from"),
    ],
)
def test_a_record_that_does_not_fit_is_refused_and_not_written(
    shell: Shell, given: dict[str, object], reason: str
) -> None:
    shell("save", "--id", "known", "--title", "One")
    before = shell("export").stdout
    assert reason in shell.problem("save", input=json.dumps(given))
    assert reason in shell.problem("update", "known", input=json.dumps(given))
    assert shell("export").stdout == before


@pytest.mark.parametrize(
    ("piped", "reason"),
    [
        (b"", "nothing to save"),
        (b"{}", "nothing to save"),
        (b"{broken", "standard input is not JSON"),
        (b"[1]", "standard input is not a JSON object"),
        (b"\xff\xfe", "standard input is not UTF-8"),
        (b"[" * 100_000, "standard input cannot be read"),
    ],
)
def test_what_is_piped_in_must_be_a_json_object(shell: Shell, piped: bytes, reason: str) -> None:
    assert reason in shell.problem("save", input=piped)
    assert not shell.store.exists()


def test_an_extra_that_is_not_json_is_refused(shell: Shell) -> None:
    line = shell.problem("save", "--title", "x", "--extra", "{broken")
    assert line.startswith("pinyon: --extra is not JSON: ")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--profile", "nope"], "no profile 'nope' (known: "),
        (["--channels", "smell"], "known: lexical"),
        (["--set", "rank.weight.lexical=1"], "no setting rank.weight"),
        (["--set", "present.words=many"], "present.words must be a whole number"),
        (["--since", "yesterday"], "since: 'yesterday' is not a date"),
    ],
)
def test_a_search_that_cannot_be_is_refused_with_what_would_be_right(
    shell: Shell, words: list[str], reason: str
) -> None:
    shell("save", "--id", "a", "--title", "One")
    assert reason in shell.problem("search", "x", *words)


@pytest.mark.parametrize(
    "words",
    [
        ["search", "x", "--limit", "0"],
        ["search", "x", "--limit", "1001"],
        ["search", "x", "--mode", "match"],
        ["search", "x", "--kind", "poem"],
        ["search", "x", "--channels", ","],
        ["search", "x", "--set", "rank"],
        ["save", "--importance", "high", "--title", "x"],
        ["update", "a", "--clear", "kind"],
        ["get"],
        ["link", "a", "supports"],
        ["nonsense"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_2(shell: Shell, words: list[str]) -> None:
    shell("save", "--id", "a", "--title", "One")
    result = shell(*words, status=2)
    assert (result.stdout, result.stderr.startswith("Usage: ")) == ("", True)
