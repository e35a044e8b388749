"""correct: prints the id of the new record; the old one stays, and says who stands in its place."""

import json

import pytest

from tests.surfaces.cli.shell import Shell


def save_port(shell: Shell) -> None:
    shell("save", "--id", "port", "--title", "API port", "--body", "Eighty.", "--tag", "ops")


@pytest.mark.proves("S14", part="lifecycle")
def test_a_correction_prints_the_new_id_and_leaves_the_old_one_out(shell: Shell) -> None:
    save_port(shell)
    new = shell("correct", "port", "--body", "Another.", "--why", "it moved").stdout.strip()
    [record] = shell.json("get", new)
    assert (record["title"], record["body"], record["tags"]) == ("API port", "Another.", ["ops"])
    [link] = shell.json("related", new)
    assert link["edge"]["relation"] == "supersedes"
    assert (link["edge"]["to"], link["edge"]["evidence"]) == ("port", "it moved")
    assert [hit["id"] for hit in shell.json("search", "port")["hits"]] == [new]


def test_changes_come_from_standard_input_too_and_null_empties_a_field(shell: Shell) -> None:
    save_port(shell)
    changes = json.dumps({"body": "Another.", "tags": None})
    told = shell.json("correct", "port", input=changes)
    assert told["supersedes"] == "port"
    [record] = shell.json("get", told["id"])
    assert (record["body"], record.get("tags", [])) == ("Another.", [])


def test_clear_empties_a_field_of_the_new_record(shell: Shell) -> None:
    save_port(shell)
    new = shell("correct", "port", "--clear", "tags").stdout.strip()
    assert shell.json("get", new)[0].get("tags", []) == []
    assert shell.json("get", "port")[0]["tags"] == ["ops"]


def test_what_was_corrected_already_names_the_latest(shell: Shell) -> None:
    save_port(shell)
    new = shell("correct", "port", "--body", "Another.").stdout.strip()
    assert shell.problem("correct", "port", "--body", "A third.") == (
        f"pinyon: 'port' was superseded already (correct the latest: '{new}')"
    )


@pytest.mark.parametrize("words", [[], ["--body", "Eighty."]])
def test_a_correction_that_changes_nothing_is_refused(shell: Shell, words: list[str]) -> None:
    save_port(shell)
    assert "changes nothing" in shell.problem("correct", "port", *words)


def test_an_unknown_record_is_named(shell: Shell) -> None:
    save_port(shell)
    assert "'ghost'" in shell.problem("correct", "ghost", "--body", "x")
