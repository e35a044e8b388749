"""Tier: other stores beside the own one, from the shell."""

from pathlib import Path

import pytest

from tests.surfaces.cli.shell import Shell


@pytest.fixture
def team(shell: Shell, tmp_path: Path) -> str:
    """A store with one record; the own one has another."""
    path = str(tmp_path / "team.pinyon")
    shell("save", "--id", "theirs", "--body", "amber river", "--store", path)
    shell("save", "--id", "mine", "--body", "amber fox")
    return path


@pytest.mark.proves("V6")
def test_a_search_asks_every_tier_that_was_added(shell: Shell, team: str) -> None:
    assert shell("tier", "add", "team", team, "--priority", "0.6").stdout == f"team (0.6): {team}\n"
    answer = shell.json("search", "amber", "--profile", "keyword")
    assert {hit["id"]: hit["tier"] for hit in answer["hits"]} == {"mine": "agent", "theirs": "team"}
    assert answer["meta"]["tiers"] == ["agent", "team"]


@pytest.mark.proves("V17")
def test_a_search_can_name_its_tiers(shell: Shell, team: str) -> None:
    shell("tier", "add", "team", team)
    answer = shell.json("search", "amber", "--profile", "keyword", "--tier", "team")
    assert [hit["id"] for hit in answer["hits"]] == ["theirs"]
    assert "known: agent, team" in shell.problem("search", "amber", "--tier", "teem")


def test_the_tiers_are_listed_with_their_state(shell: Shell, team: str, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.pinyon")
    shell("tier", "add", "team", team)
    shell("tier", "add", "gone", gone)
    listed = shell.json("tier", "list")
    assert [
        (tier["name"], tier["priority"], tier["state"], tier["records"]) for tier in listed
    ] == [
        ("agent", 1.0, "open", 1),
        ("team", 0.6, "open", 1),
        ("gone", 0.5, "missing", 0),
    ]
    assert [tier["path"] for tier in listed] == [str(shell.store), team, gone]
    text = shell("tier", "list").stdout
    assert [line.split()[0] for line in text.splitlines() if line[0] != " "] == [
        "agent",
        "team",
        "gone",
    ]
    assert f"there is no store at {gone}" in text


def test_a_path_that_does_not_exist_yet_is_taken_with_a_note(shell: Shell, tmp_path: Path) -> None:
    later = str(tmp_path / "later.pinyon")
    added = shell("tier", "add", "team", later)
    assert added.stdout == f"team (0.6): {later}\n"
    assert added.stderr.startswith("pinyon: it is not searched yet: there is no store at")
    assert shell.json("tier", "add", "team", later)["state"] == "missing"


def test_a_removed_tier_is_searched_no_more(shell: Shell, team: str) -> None:
    shell("tier", "add", "team", team)
    assert shell.json("tier", "remove", "team") == {"removed": "team"}
    assert [tier["name"] for tier in shell.json("tier", "list")] == ["agent"]
    assert "no tier 'team'" in shell.problem("tier", "remove", "team")
    assert Path(team).exists()


def test_the_store_itself_can_have_another_name(shell: Shell, team: str) -> None:
    shell("tier", "add", "team", team)
    assert shell.json("tier", "name", "project", "--priority", "0.8")["name"] == "project"
    assert shell("tier", "name", "notes").stdout == f"notes (1): {shell.store}\n"
    assert [tier["name"] for tier in shell.json("tier", "list")] == ["notes", "team"]


def test_what_cannot_be_a_tier_is_refused_in_one_line_with_the_remedy(
    shell: Shell, team: str
) -> None:
    shell("tier", "add", "team", team)
    assert "the store itself" in shell.problem("tier", "add", "own", str(shell.store))
    assert "pinyon tier remove team" in shell.problem("tier", "add", "more", team)
    assert "letters, digits" in shell.problem("tier", "add", "a b", team)
    assert "above 0, up to 1" in shell.problem("tier", "add", "team", team, "--priority", "2")


def test_a_store_without_tiers_says_how_to_add_one(shell: Shell) -> None:
    shell("save", "--id", "mine", "--body", "amber")
    listed = shell("tier", "list")
    assert listed.stdout.split()[:2] == ["agent", "1"]
    assert listed.stderr == "pinyon: there is no other tier (pinyon tier add NAME PATH)\n"


@pytest.mark.proves("V6")
def test_a_missing_tier_is_a_warning_and_no_failure(shell: Shell, team: str) -> None:
    shell("tier", "add", "team", team)
    Path(team).unlink()
    found = shell("search", "amber", "--profile", "keyword")
    assert "mine" in found.stdout
    assert found.stderr.startswith("pinyon: tier team was left out: there is no store at")
