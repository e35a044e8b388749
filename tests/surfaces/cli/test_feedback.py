"""`pinyon feedback`, and `pinyon profile learn` and `reset`, as they are typed."""

import json

import pytest

from tests.surfaces.cli.shell import Shell


@pytest.fixture
def notes(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("PINYON_MODEL", "none")
    lines = [
        json.dumps({"id": f"entry-{number}", "kind": "entry", "title": f"jay number {number}"})
        for number in range(30)
    ]
    shell("import", "-", input="\n".join(lines))
    return shell


def accept(notes: Shell, count: int) -> None:
    for number in range(count):
        notes("feedback", f"entry-{number}", "accepted", "--profile", "vault")


def test_feedback_is_confirmed(notes: Shell) -> None:
    said = notes("feedback", "entry-3", "accepted", "--query", "jay")
    assert said.stdout == "accepted: entry-3\n"
    assert notes.json("feedback", "entry-3", "dismissed", "--query", "jay") == {
        "id": "entry-3",
        "verdict": "dismissed",
        "query": "jay",
        "profile": "default",
    }


def test_a_wrong_verdict_is_wrong_usage_and_lists_the_right_ones(notes: Shell) -> None:
    said = notes("feedback", "entry-3", "great", status=2)
    assert all(verdict in said.stderr for verdict in ("accepted", "modified", "dismissed"))


def test_an_unknown_record_or_profile_is_said_in_one_line(notes: Shell) -> None:
    assert "no record has the id 'nowhere'" in notes.problem("feedback", "nowhere", "accepted")
    wrong = notes.problem("feedback", "entry-3", "accepted", "--profile", "nothing")
    assert "no profile 'nothing'" in wrong


@pytest.mark.proves("V12")
def test_learn_shows_the_weights_before_and_after(notes: Shell) -> None:
    accept(notes, 30)
    shown = notes("profile", "learn", "vault").stdout
    assert shown.startswith("vault: adopted, 100% of 30 verdicts are accepted\n")
    rows = [line.split() for line in shown.splitlines()]
    assert ["semantic", "0.400", f"{0.40 + 0.15:.3f}"] in rows
    assert ["semantic", "0.250", f"{0.25 + 0.15:.3f}"] in rows
    assert ["tags", "0.150", f"{0.15 * (1 - 0.55) / (1 - 0.40):.3f}"] in rows


def test_learn_says_why_nothing_is_adopted(notes: Shell) -> None:
    notes("feedback", "entry-1", "accepted", "--query", "jay")
    told = notes.json("profile", "learn", "default")
    assert (told["adopted"], told["count"], told["method"]) == (False, 1, "pairs")
    assert told["why"] == "1 of the 30 verdicts that are needed"
    assert told["before"] == told["after"]


@pytest.mark.proves("X2")
def test_reset_gives_a_profile_its_own_weights_again(notes: Shell) -> None:
    accept(notes, 30)
    learnt = notes.json("search", "jay", "--profile", "vault")["meta"]["weights"]
    assert notes("profile", "reset", "vault").stdout == "vault has its own weights again\n"
    own = notes.json("search", "jay", "--profile", "vault")["meta"]["weights"]
    assert (learnt["semantic"], own["semantic"]) == (pytest.approx(0.55), pytest.approx(0.40))
    assert notes.json("profile", "reset", "vault") == {"profile": "vault", "reset": False}
    assert notes.json("profile", "learn", "vault")["count"] == 0
