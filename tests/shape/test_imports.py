"""Imports: a keyword search pays only for what it uses."""

import json
import subprocess
import sys
from pathlib import Path

# Slow to import, and of no use to a question that full text answers.
HEAVY = {
    "numpy",
    "onnxruntime",
    "rich",
    "markdown_it",
    "yaml",
    "pathspec",
    "fastapi",
}

IMPORT = "import pinyon.engine"
SEARCH = """
import sys, pinyon
with pinyon.open(sys.argv[1]) as engine:
    engine.save(pinyon.Record(kind="note", title="Retries", body="We retry three times."))
    assert [hit.title for hit in engine.search("retries", profile="keyword")] == ["Retries"]
"""


def test_importing_the_engine_imports_nothing_heavy(tmp_path: Path) -> None:
    assert modules_after(IMPORT, tmp_path) & HEAVY == set()


def test_saving_and_a_keyword_search_import_nothing_heavy(tmp_path: Path) -> None:
    assert modules_after(SEARCH, tmp_path) & HEAVY == set()


def modules_after(program: str, folder: Path) -> set[str]:
    """The modules that a fresh interpreter has loaded when the program is done."""
    listing = "\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program + listing, str(folder / "notes.pinyon")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))
