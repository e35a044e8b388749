"""Care: stats, doctor, profile and demo."""

import tomllib
from pathlib import Path

import apsw
import pytest

from pinyon.inference.models import known
from pinyon.profiles import load
from pinyon.surfaces.cli.commands.demo import MEANT, QUESTIONS
from pinyon.text.prepare import prepare
from pinyon.text.stems import words
from pinyon.text.stop_lists import stop_list
from tests.surfaces.cli.shell import Shell


def test_stats_count_everything_that_the_store_holds(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("text", encoding="utf-8")
    shell("index", str(folder))
    for name in ("a", "b", "c"):
        shell("save", "--id", name, "--kind", "task", "--title", name, "--tag", "x")
    shell("update", "a", "--status", "done")
    shell("link", "a", "supports", "b")
    shell("forget", "c")
    numbers = shell.json("stats")
    assert {name: numbers[name] for name in ("store", "records", "tags", "folders")} == {
        "store": str(shell.store),
        "records": 4,
        "tags": {"x": 2},
        "folders": {"notes": str(folder.resolve())},
    }
    assert numbers["kinds"]["task"] == 2
    assert (numbers["forgotten"], numbers["edges"], numbers["versions"]) == (1, 1, 2)
    assert numbers["bytes"] > 0
    text = shell("stats").stdout
    assert "records    4 (2 task, 1 doc, 1 file)" in text
    assert "tags       1 (2 x)" in text


def test_a_sound_store_passes_the_doctor(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    assert shell("doctor").stdout == "the store is sound\n"
    assert shell.json("doctor") == {"sound": True, "rebuilt": False, "findings": []}


def test_the_doctor_says_what_is_wrong_and_a_rebuild_repairs_it(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    break_full_text(shell.store)
    findings = shell.json("doctor", status=1)["findings"]
    assert findings
    assert all(each["problem"] and each["remedy"] for each in findings)
    text = shell("doctor", status=1).stdout
    assert text.splitlines() == [f"{each['problem']} ({each['remedy']})" for each in findings]
    assert shell.json("doctor", "--rebuild") == {"sound": True, "rebuilt": True, "findings": []}
    assert [hit["id"] for hit in shell.json("search", "one")["hits"]] == ["a"]


def test_profiles_are_listed_before_there_is_a_store(shell: Shell) -> None:
    listed = shell.json("profile", "list")
    assert {"base", "default", "keyword"} <= {each["name"] for each in listed}
    assert "keyword" in shell("profile", "list").stdout
    assert not shell.store.exists()


def test_a_shown_profile_saved_under_another_name_is_the_same_profile(shell: Shell) -> None:
    text = shell("profile", "show", "keyword").stdout
    own = shell.store.parent / "profiles"
    own.mkdir()
    (own / "mine.toml").write_text(text, encoding="utf-8")
    shown, again = (shell.json("profile", "show", name) for name in ("keyword", "mine"))
    assert {**again, "name": "keyword"} == shown
    assert tomllib.loads(text)["retrieve"]["channels"] == ["lexical"]
    assert load.load("mine", lambda: [own]).rank == load.load("keyword").rank


def test_an_unknown_profile_is_refused_with_the_known_ones(shell: Shell) -> None:
    known = ", ".join(load.names())
    assert f"known: {known})" in shell.problem("profile", "show", "nope")


def test_the_demo_asks_its_questions_and_explains(shell: Shell) -> None:
    text = shell("demo", NO_COLOR="1").stdout
    for question in QUESTIONS:
        assert f'$ pinyon search "{question}"' in text
    parts = text.split("$ pinyon search ")[1:4]
    assert max(part.count("\n") for part in parts) <= 40
    assert "found by lexical at rank 1" in text
    assert '$ pinyon index ~/notes\n$ pinyon search "what did we decide"\n' in text
    assert text.endswith("$ pinyon serve --open\n$ claude mcp add pinyon -- pinyon mcp\n")
    assert not shell.store.exists()


@pytest.mark.slow
def test_the_last_question_of_the_demo_shares_no_word_with_its_answer(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINYON_MODEL", known().default)
    kept = ["--store", str(shell.store)]
    assert f'$ pinyon search "{MEANT}"' in shell("demo", *kept).stdout
    hits = shell.json("search", MEANT, "--mode", "full", "--limit", "3", *kept)["hits"]
    (answer,) = [hit for hit in hits if hit["id"] == ANSWER]
    record = answer["record"]
    assert list(answer["sources"]) == ["vector"]
    assert stems(MEANT) & stems(f"{record['title']} {record['context']} {record['body']}") == set()


def test_the_demo_can_keep_its_store(shell: Shell, tmp_path: Path) -> None:
    kept = tmp_path / "demo.pinyon"
    shell("demo", "--store", str(kept))
    assert shell.json("stats", "--store", str(kept))["records"] > 0


ANSWER = "docs/guide/sharing.md#what-a-crash-leaves"


def stems(text: str) -> set[str]:
    """Of all words but those that carry nothing."""
    return {stem for word, stem in words(prepare(text)) if word.lower() not in stop_list("prose")}


def break_full_text(store: Path) -> None:
    """Take the words of every record out of full text, behind the store's back."""
    db = apsw.Connection(str(store))
    sql = "SELECT name FROM sqlite_schema WHERE sql LIKE '%USING fts5(%' AND sql LIKE '%content%'"
    tables = [str(row[0]) for row in db.execute(sql)]
    for table in tables:
        db.execute(f'INSERT INTO "{table}"("{table}") VALUES (\'delete-all\')')
    db.close()
    assert tables
