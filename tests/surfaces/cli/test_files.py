"""Folders and files: index, import and export."""

import json
from pathlib import Path

import pytest

from tests.surfaces.cli.shell import Shell


def notes(folder: Path) -> Path:
    root = folder / "notes"
    root.mkdir()
    (root / "retries.md").write_text("# Retries\n\nWe retry three times.\n", encoding="utf-8")
    (root / "plain.txt").write_text("Plain text about backoff.\n", encoding="utf-8")
    return root


def test_an_indexed_folder_is_found_with_its_place(shell: Shell, tmp_path: Path) -> None:
    result = shell("index", str(notes(tmp_path)))
    assert result.stdout == (
        "notes: 2 added, 0 changed, 0 renamed, 0 removed, 0 unchanged; 2 records written\n"
    )
    (hit,) = shell.json("search", "retry")["hits"]
    assert (hit["source"], hit["lines"]) == ("notes/retries.md", [1, 3])


def test_indexing_twice_changes_nothing(shell: Shell, tmp_path: Path) -> None:
    root = notes(tmp_path)
    first = shell.json("index", str(root))
    before = shell("export").stdout
    second = shell.json("index", str(root))
    assert first["folders"][0]["added"] == 2
    assert second == {
        "folders": [
            {
                "folder": "notes",
                "added": 0,
                "changed": 0,
                "renamed": 0,
                "removed": 0,
                "unchanged": 2,
                "records": 0,
                "skipped": [],
                "warnings": [],
            }
        ]
    }
    assert shell("export").stdout == before


def test_skipped_files_are_named_ten_of_them_unless_all_are_wanted(
    shell: Shell, tmp_path: Path
) -> None:
    root = notes(tmp_path)
    for number in range(12):
        (root / f"bad{number:02}.md").write_bytes(b"\xff\xfe broken \xff")
    result = shell("index", str(root))
    assert len([line for line in result.stderr.splitlines() if "skipped bad" in line]) == 10
    assert result.stderr.endswith("pinyon: skipped 2 more files (--verbose names them)\n")
    everything = shell("index", str(root), "--verbose").stderr.splitlines()
    assert len(everything) == 12
    assert len(shell.json("index", str(root))["folders"][0]["skipped"]) == 12


def test_a_missing_folder_is_refused_before_anything_is_made(shell: Shell, tmp_path: Path) -> None:
    root = notes(tmp_path)
    assert "there is no folder or file" in shell.problem("index", str(root), str(tmp_path / "no"))
    assert not shell.store.exists()


@pytest.mark.proves("X15", part="export and import")
def test_export_then_import_is_the_identity(shell: Shell, tmp_path: Path) -> None:
    shell("save", "--id", "a", "--title", "Ä 知識", "--body", 'line\u2028 "quoted"\n\ttab')
    shell("update", "a", "--tag", "x", "--extra", '{"n": 1.5}')
    shell("save", "--id", "b", "--title", "B", "--created-at", "2024-05-01T12:30:00.5Z")
    shell("link", "a", "supports", "b", "--strength", "0.25", "--evidence", "why")
    shell("forget", "b")
    written = shell("export").stdout
    other = Shell(tmp_path / "other.pinyon")
    assert other.json("import", "-", input=written) == {
        "records": 2,
        "versions": 2,
        "edges": 1,
        "unchanged": 0,
    }
    assert other("export").stdout == written
    assert {json.loads(line)["type"] for line in written.split("\n")[:-1]} == {
        "record",
        "version",
        "edge",
    }


def test_an_export_to_a_file_is_what_standard_output_gets(shell: Shell, tmp_path: Path) -> None:
    shell("save", "--id", "a", "--title", "Ä")
    target = tmp_path / "backup.jsonl"
    target.write_text("old", encoding="utf-8")
    result = shell("export", str(target))
    assert (result.stdout, target.read_text("utf-8")) == ("", shell("export").stdout)
    assert sorted(path.name for path in tmp_path.glob("*backup*")) == ["backup.jsonl"]


def test_an_export_never_writes_over_the_store(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "Ä")
    assert "is the store itself" in shell.problem("export", str(shell.store))
    assert shell.json("get", "a")


def test_an_export_into_a_missing_folder_leaves_nothing(shell: Shell, tmp_path: Path) -> None:
    shell("save", "--id", "a", "--title", "Ä")
    assert "there is no folder" in shell.problem("export", str(tmp_path / "no" / "x.jsonl"))
    assert not (tmp_path / "no").exists()


def test_importing_the_same_again_changes_nothing(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    dates = '"created_at": "2024-05-01", "updated_at": "2024-05-02"'
    file.write_text(f'{{"id": "a", "title": "One", {dates}}}\n', encoding="utf-8")
    assert shell("import", str(file)).stdout == "1 records, 0 versions, 0 edges, 0 unchanged\n"
    assert shell.json("import", str(file))["unchanged"] == 1


def test_other_content_under_a_known_id_needs_replace(shell: Shell) -> None:
    shell("save", "--id", "a", "--title", "One")
    line = '{"id": "a", "title": "Two"}\n'
    assert "standard input, line 1: the store has another record" in shell.problem(
        "import", "-", input=line
    )
    shell("import", "-", "--replace", input=line)
    assert shell.json("get", "a")[0]["title"] == "Two"


@pytest.mark.parametrize(
    "bad",
    [
        "{broken",
        "[]",
        '{"id": "c", "kind": "nothing"}',
        '{"id": "c", "title": 7}',
        '{"id": "c", "colour": "red"}',
        '{"id": "b"}',
        '{"type": "edge", "from": "b", "relation": "supports", "to": "nobody"}',
        '{"type": "poem"}',
        json.dumps({"id": "c", "title": "x" * 1_001}),
        '{"id": "c", "title": "\\ud800"}',
        '{"id": "c", "body": "\\u0000"}',
        "[" * 100_000,
    ],
)
def test_a_bad_line_is_named_by_its_number_and_nothing_is_written(shell: Shell, bad: str) -> None:
    shell("save", "--id", "a", "--title", "One")
    before = shell("export").stdout
    line = shell.problem("import", "-", input=f'{{"id": "b"}}\n{bad}\n')
    assert line.startswith("pinyon: standard input, line 2: ")
    assert shell("export").stdout == before


def test_a_missing_file_is_named_and_no_store_is_made(shell: Shell, tmp_path: Path) -> None:
    assert "no.jsonl: No such file" in shell.problem("import", str(tmp_path / "no.jsonl"))
    assert not shell.store.exists()
