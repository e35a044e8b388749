"""Writing: save, update, forget, link, unlink and tag."""

import json

import pytest

from tests.surfaces.cli.shell import Shell

FIELDS = {
    "kind": "task",
    "id": "ship-it",
    "title": "Ship it",
    "aliases": ["release", "launch"],
    "body": "Soon.",
    "context": "Before May.",
    "tags": ["a", "b"],
    "domain": "backend",
    "severity": "warning",
    "importance": 4,
    "mentions": 2,
    "doc_type": "plan",
    "memory_type": "semantic",
    "author": "Ada",
    "status": "open",
    "due": "2024-05-01T00:00:00Z",
    "scope": "team/api",
    "source": "plan.md",
    "created_at": "2024-01-01T00:00:00Z",
    "updated_at": "2024-01-02T00:00:00Z",
    "valid_from": "2024-01-01T00:00:00Z",
    "valid_until": "2024-06-01T00:00:00Z",
    "half_life": 30.0,
    "extra": {"ticket": 7},
}
NOT_OPTIONS = ("updated_at",)
FLAGS = {"aliases": "--alias", "tags": "--tag"}


def options(fields: dict[str, object]) -> list[str]:
    words = []
    for name, value in fields.items():
        flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
        for each in value if isinstance(value, list) else [value]:
            words += [flag, json.dumps(each) if isinstance(each, dict) else str(each)]
    return words


def test_every_field_can_be_saved_by_options(shell: Shell) -> None:
    given = {name: value for name, value in FIELDS.items() if name not in NOT_OPTIONS}
    assert shell("save", *options(given)).stdout == "ship-it\n"
    (record,) = shell.json("get", "ship-it")
    del record["updated_at"]
    assert record == given


def test_a_json_record_on_standard_input_is_saved_whole(shell: Shell) -> None:
    assert shell.json("save", input=json.dumps(FIELDS)) == {"id": "ship-it"}
    assert shell.json("get", "ship-it") == [FIELDS]


def test_options_win_over_the_json_record(shell: Shell) -> None:
    shell("save", "--id", "other", "--status", "done", input=json.dumps(FIELDS))
    assert shell.json("get", "other") == [{**FIELDS, "id": "other", "status": "done"}]


def test_a_line_of_an_export_can_be_saved(shell: Shell) -> None:
    shell("save", input=json.dumps({"type": "record", **FIELDS}))
    assert shell.json("get", "ship-it") == [FIELDS]


def test_a_body_can_come_by_standard_input(shell: Shell) -> None:
    shell("save", "--id", "log", "--body", "-", input="\ufeffline one\nZeile zwei: ä\n")
    assert shell.json("get", "log")[0]["body"] == "line one\nZeile zwei: ä\n"


def test_an_id_is_made_from_the_title(shell: Shell) -> None:
    assert shell("save", "--title", "Why we retry").stdout == "why-we-retry\n"


def test_a_taken_id_is_refused_unless_replace_is_given(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    assert "there is already a record with the id 'a'" in shell.problem(
        "save", "--id", "a", "--title", "Two"
    )
    shell("save", "--id", "a", "--title", "Two", "--replace")
    assert shell.json("get", "a")[0]["title"] == "Two"


def test_an_update_changes_only_what_it_names(shell: Shell) -> None:
    shell("save", input=json.dumps(FIELDS))
    assert shell("update", "ship-it", "--status", "done").stdout == (
        "ship-it is now at version 2\n"
    )
    (record,) = shell.json("get", "ship-it")
    del record["updated_at"]
    before = {name: value for name, value in FIELDS.items() if name != "updated_at"}
    assert record == {**before, "status": "done", "version": 2}


def test_an_update_can_come_as_json_with_null_for_empty(shell: Shell) -> None:
    shell("save", input=json.dumps(FIELDS))
    changes = {"tags": ["c"], "due": None, "extra": None}
    after = shell.json("update", "ship-it", input=json.dumps(changes))
    assert after["tags"] == ["c"]
    assert not {"due", "extra"} & after.keys()


def test_fields_can_be_cleared(shell: Shell) -> None:
    shell("save", input=json.dumps(FIELDS))
    after = shell.json("update", "ship-it", "--clear", "tags", "--clear", "half_life")
    assert not {"tags", "half_life"} & after.keys()


@pytest.mark.parametrize("name", ["kind", "created_at", "updated_at"])
def test_what_every_record_has_cannot_be_emptied(shell: Shell, name: str) -> None:
    shell("save", "--id", "a", "--title", "One")
    assert shell.problem("update", "a", input=json.dumps({name: None})) == (
        f"pinyon: {name}: cannot be empty"
    )


@pytest.mark.parametrize("name", ["id", "version", "deleted_at", "self", "", "colour"])
def test_what_is_no_field_to_change_is_refused(shell: Shell, name: str) -> None:
    shell("save", "--id", "a", "--title", "One")
    before = shell("export").stdout
    line = shell.problem("update", "a", input=json.dumps({name: "2"}))
    assert line.startswith((f"pinyon: {name}: cannot be changed", f"pinyon: {name}: no such field"))
    assert shell("export").stdout == before


def test_an_update_without_a_change_is_refused(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    assert "nothing to change" in shell.problem("update", "a")
    assert "nothing to change" in shell.problem("update", "a", input="{}")


def test_a_forgotten_record_leaves_every_answer_and_comes_back_by_a_save(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "Retry")
    assert shell("forget", "a").stdout == "forgotten a\n"
    assert shell.json("search", "retry")["hits"] == []
    shell("save", "--id", "a", "--title", "Retry")
    assert [hit["id"] for hit in shell.json("search", "retry")["hits"]] == ["a"]


def test_of_a_purged_record_nothing_is_left_in_the_file(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "Zanzibar")
    shell("update", "a", "--body", "Zanzibar again")
    assert shell.json("forget", "a", "--purge", "--yes") == {"purged": ["a"]}
    assert shell("export").stdout == ""
    assert b"anzibar" not in shell.store.read_bytes()


def test_forgetting_something_unknown_forgets_nothing(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "Retry")
    assert "'nope'" in shell.problem("forget", "a", "nope")
    assert shell.json("get", "a")


def test_a_link_is_made_and_taken_away(shell: Shell) -> None:
    for name in ("a", "b"):
        shell("save", "--id", name, "--title", name)
    assert shell("link", "a", "supports", "b").stdout == "a -supports-> b\n"
    assert shell.json("link", "a", "supports", "b", "--strength", "0.5")["strength"] == 0.5
    assert shell("unlink", "a", "supports", "b").stdout == "unlinked a -supports-> b\n"
    assert shell.json("related", "a") == []
    assert "a supports b (see: pinyon related a)" in shell.problem("unlink", "a", "supports", "b")


@pytest.mark.parametrize(
    "words",
    [
        ["a", "Not A Relation", "a"],
        ["a", "supports", "nope"],
        ["a", "supports", "a", "--strength", "2"],
        ["a", "supports", "a", "--strength", "nan"],
    ],
)
def test_a_link_that_cannot_be_is_refused_in_one_line(shell: Shell, words: list[str]) -> None:
    shell("save", "--id", "a", "--title", "One")
    assert shell.problem("link", *words).startswith("pinyon: ")


def test_tags_are_added_removed_renamed_and_listed(shell: Shell) -> None:
    for name in ("a", "b"):
        shell("save", "--id", name, "--title", name, "--tag", "old")
    assert shell("tag", "add", "a", "x", "y").stdout == "a: old, x, y\n"
    assert shell.json("tag", "remove", "a", "x") == {"id": "a", "tags": ["old", "y"]}
    assert shell("tag", "rename", "old", "new").stdout == "renamed on 2 records\n"
    assert shell.json("tag", "rename", "old", "new") == {"renamed": 0}
    assert shell("tag", "list").stdout == "     2  new\n     1  y\n"
    assert shell.json("tag", "list") == {"new": 2, "y": 1}
    assert [hit["id"] for hit in shell.json("search", "--tag", "y")["hits"]] == ["a"]


def test_a_store_without_tags_says_so(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    assert shell("tag", "list").stderr == "pinyon: there are no tags (pinyon tag add ID TAG)\n"
