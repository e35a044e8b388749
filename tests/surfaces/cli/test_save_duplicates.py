"""save: what is alike is named, refused, merged or superseded; an unknown memory type is told."""

import pytest

from tests.surfaces.cli.shell import Shell

TEA = "Anna prefers green tea without sugar."
AGAIN = "Anna prefers green tea, without any sugar"


def save_tea(shell: Shell) -> None:
    shell("save", "--id", "tea", "--body", TEA)


@pytest.mark.proves("X14")
def test_a_save_that_repeats_another_says_so_beside_its_answer(shell: Shell) -> None:
    save_tea(shell)
    result = shell("save", "--id", "again", "--body", AGAIN)
    assert result.stdout == "again\n"
    assert result.stderr == "pinyon: tea says the same, 100% alike (--duplicates)\n"
    assert shell("save", "--body", "Something else entirely").stderr == ""


@pytest.mark.proves("X14")
def test_a_save_that_disagrees_with_another_says_in_what(shell: Shell) -> None:
    body = "The API of the shop listens on port {} of every internal host, behind the proxy."
    shell("save", "--id", "one", "--body", body.format(80))
    result = shell("save", "--id", "two", "--body", body.format(8080))
    assert result.stderr == "pinyon: one disagrees: 8080 against 80 (pinyon conflicts)\n"


@pytest.mark.proves("X14")
def test_a_save_can_refuse_what_is_known(shell: Shell) -> None:
    save_tea(shell)
    problem = shell.problem("save", "--body", AGAIN, "--duplicates", "refuse")
    assert problem.startswith("pinyon: this is already said by 'tea' (")


@pytest.mark.proves("X14")
def test_a_save_can_merge_and_prints_the_id_of_the_other(shell: Shell) -> None:
    save_tea(shell)
    words = ["--body", AGAIN, "--tag", "people", "--duplicates", "merge"]
    assert shell.json("save", *words) == {"id": "tea"}
    [record] = shell.json("get", "tea")
    assert (record["tags"], record["mentions"], record["version"]) == (["people"], 1, 2)


@pytest.mark.proves("X14")
def test_a_save_can_supersede_what_it_repeats(shell: Shell) -> None:
    save_tea(shell)
    result = shell("save", "--id", "new", "--body", AGAIN, "--duplicates", "supersede")
    assert (result.stdout, result.stderr) == ("new\n", "")
    assert [hit["id"] for hit in shell.json("search", "green tea")["hits"]] == ["new"]


@pytest.mark.proves("S14", part="lifecycle")
def test_an_unknown_type_of_memory_is_accepted_with_a_note_of_the_nine(shell: Shell) -> None:
    result = shell("save", "--id", "a", "--body", "one", "--memory-type", "odd")
    assert shell.json("get", "a")[0]["memory_type"] == "odd"
    known = (
        *("working", "episodic", "prospective", "implicit", "declarative", "procedural"),
        *("semantic", "autobiographical", "meta-cognitive"),
    )
    assert result.stderr.startswith("pinyon: 'odd' has no half-life of its own; known: ")
    assert set(result.stderr.strip().rpartition("known: ")[2].split(", ")) == set(known)
    assert shell("save", "--body", "two", "--memory-type", "working").stderr == ""
