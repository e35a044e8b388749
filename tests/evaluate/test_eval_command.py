"""The command: folders in, a table or JSON out, and nothing left behind that was not asked for."""

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import pytest

import pinyon
from tests.evaluate.shelf import DOCUMENTS, QUERIES, Row, lines, pack, shelve
from tests.surfaces.cli.shell import Shell

NUMBERS = {
    "ndcg@10": (1 / math.log2(3) + 1 / (1 + 1 / math.log2(3)) + 0) / 3,
    "recall@5": (1 + 1 / 2 + 0) / 3,
    "recall@10": (1 + 1 / 2 + 0) / 3,
    "recall@100": (1 + 1 / 2 + 0) / 3,
    "mrr@10": (1 / 2 + 1 + 0) / 3,
    "queries": 3,
}
"""What shelf.py's questions are worth."""


def steady(document: dict[str, Any]) -> dict[str, Any]:
    """Without the milliseconds, which nobody can promise."""
    for numbers in document["profiles"].values():
        assert 0 < numbers.pop("p50_ms") <= numbers.pop("p95_ms")
    return document


@pytest.mark.proves("X8", part="measuring")
@pytest.mark.parametrize("packed", [False, True])
def test_every_profile_gets_its_numbers(shell: Shell, tmp_path: Path, packed: bool) -> None:
    folder = shelve(tmp_path / "trees")
    if packed:
        pack(folder)
    words = ("eval", str(folder), "--profile", "default", "--profile", "keyword")
    document = steady(shell.json(*words))
    assert document["collection"] == "trees"
    assert list(document["profiles"]) == ["default", "keyword"]
    for numbers in document["profiles"].values():
        intervals = numbers.pop("intervals")
        del numbers["hash"], numbers["slices"]
        assert numbers == pytest.approx(NUMBERS, abs=1e-6)
        assert list(intervals) == list(NUMBERS)[:-1]
        assert all(low <= numbers[name] <= high for name, (low, high) in intervals.items())


@pytest.mark.proves("X8", part="measuring")
def test_the_same_collection_gives_the_same_numbers(shell: Shell, tmp_path: Path) -> None:
    words = ("eval", str(shelve(tmp_path / "trees")))
    assert steady(shell.json(*words)) == steady(shell.json(*words))


def test_a_table_has_a_row_for_each_collection_and_profile(shell: Shell, tmp_path: Path) -> None:
    folders = [str(shelve(tmp_path / name)) for name in ("oaks", "pines")]
    text = shell("eval", *folders, "--profile", "default", "--profile", "keyword").stdout
    heading, *rows = [line.split() for line in text.splitlines()][:5]
    assert heading[:3] == ["collection", "profile", "nDCG@10"]
    assert [row[:2] for row in rows] == [
        [folder, profile] for folder in ("oaks", "pines") for profile in ("default", "keyword")
    ]
    values = [NUMBERS[name] for name in ("recall@10", "recall@100", "mrr@10")]
    assert rows[0][2] == f"{NUMBERS['ndcg@10']:.3f}"
    assert rows[0][5:9] == [*(f"{value:.3f}" for value in values), "3"]


def test_several_folders_are_a_list(shell: Shell, tmp_path: Path) -> None:
    folders = [str(shelve(tmp_path / name)) for name in ("oaks", "pines")]
    documents = shell.json("eval", *folders)
    assert [document["collection"] for document in documents] == ["oaks", "pines"]


@pytest.mark.proves("X8", part="measuring")
def test_a_scoped_question_sees_only_its_own_documents(shell: Shell, tmp_path: Path) -> None:
    documents: list[Row] = [
        {"_id": "other", "text": "cedar", "metadata": {"conv": "one"}},
        {"_id": "right", "text": "cedar and some more trees", "metadata": {"conv": "two"}},
    ]
    queries: list[Row] = [{"_id": "q", "text": "cedar", "metadata": {"conv": "two"}}]
    folder = str(shelve(tmp_path / "talks", documents, queries, ["q\tright\t1"]))
    pooled, scoped = shell.json("eval", folder), shell.json("eval", folder, "--scope-by", "conv")
    ranks = [document["profiles"]["default"]["mrr@10"] for document in (pooled, scoped)]
    assert ranks == [1 / 2, 1]


def test_a_limit_asks_the_first_questions_only(shell: Shell, tmp_path: Path) -> None:
    folder = str(shelve(tmp_path / "trees"))
    numbers = shell.json("eval", folder, "--limit", "1")["profiles"]["default"]
    assert (numbers["queries"], numbers["mrr@10"]) == (1, 1 / 2)


def test_other_questions_can_be_asked(shell: Shell, tmp_path: Path) -> None:
    queries = tmp_path / "other.jsonl"
    queries.write_text(lines([{"_id": "second", "text": "birch birch"}]), encoding="utf-8")
    words = ("eval", str(shelve(tmp_path / "trees")), "--queries", str(queries))
    assert shell.json(*words)["profiles"]["default"]["recall@5"] == 1


def test_a_profile_beside_the_user_s_store_can_be_measured(shell: Shell, tmp_path: Path) -> None:
    profiles = shell.store.parent / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "titles.toml").write_text(
        'inherits = "base"\n[retrieve.lexical]\nfields = { title = 1 }\n', encoding="utf-8"
    )
    words = ("eval", str(shelve(tmp_path / "trees")), "--profile", "titles")
    assert shell.json(*words)["profiles"]["titles"]["recall@100"] == 0


def test_the_user_s_store_is_not_touched(shell: Shell, tmp_path: Path) -> None:
    shell("save", "--id", "mine", "--body", "cedar")
    before = shell("export").stdout
    shell("eval", str(shelve(tmp_path / "trees")))
    assert shell("export").stdout == before


def test_nothing_is_left_behind(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    folder = shelve(tmp_path / "trees")
    shell("eval", str(folder))
    shell.problem("eval", str(folder), "--profile", "nobody")
    assert (list(place.iterdir()), shell.store.exists()) == ([], False)


def test_the_measured_store_can_be_kept(shell: Shell, tmp_path: Path) -> None:
    kept = tmp_path / "kept.pinyon"
    shell("eval", str(shelve(tmp_path / "trees")), "--keep", str(kept))
    with pinyon.open(kept) as engine:
        assert [record.id for record in engine.get("d1", "d4")] == ["d1", "d4"]
        assert engine.examine() == []
    assert "exists already" in shell.problem("eval", str(tmp_path / "trees"), "--keep", str(kept))


def test_a_run_that_fails_keeps_no_store(shell: Shell, tmp_path: Path) -> None:
    kept = tmp_path / "kept.pinyon"
    folder = shelve(tmp_path / "trees", documents=DOCUMENTS[:3])
    assert "no document has the id 'd4'" in shell.problem("eval", str(folder), "--keep", str(kept))
    assert not kept.exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--profile", "nobody"], "no profile 'nobody' (known: "),
        (["--scope-by", "conv"], "queries.jsonl, line 1: metadata.conv: is missing or empty"),
        (["--queries", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["--keep", "no/folder/a.pinyon"], "no/folder/a.pinyon: there is no such folder"),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_line(
    shell: Shell, tmp_path: Path, words: list[str], problem: str
) -> None:
    assert problem in shell.problem("eval", str(shelve(tmp_path / "trees")), *words)


@pytest.mark.parametrize("option", ["--queries", "--qrels", "--keep"])
def test_what_belongs_to_one_folder_is_wrong_usage_with_several(
    shell: Shell, tmp_path: Path, option: str
) -> None:
    result = shell("eval", "oaks", "pines", option, "file", status=2)
    assert f"{option} goes with one DIR only" in result.stderr


def test_what_the_documents_are_wrong_in_is_noted(shell: Shell, tmp_path: Path) -> None:
    folder = shelve(tmp_path / "trees", [*DOCUMENTS, {"_id": "e", "text": ""}], QUERIES)
    result = shell("eval", str(folder), "--json")
    assert "pinyon: trees: 1 empty documents\n" in result.stderr
    assert json.loads(result.stdout)["remarks"] == ["1 empty documents"]
