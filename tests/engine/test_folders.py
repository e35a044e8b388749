"""A folder through the engine: notes, code and files are found, by name, by word and by edge."""

from pathlib import Path

import pytest

from pinyon.engine import Engine
from tests.index.folders import write

FILES: dict[str, str | bytes] = {
    "README.md": "# Acorn\n\nA cache for seeds. See [[Retries]].\n",
    "notes/Retries.md": "---\naliases: [backoff]\n---\n# Retries\n\nThree times. #decision\n",
    "src/token_store.py": (
        "import json\n\n\nclass TokenStore:\n"
        '    """Keeps tokens."""\n\n'
        "    def refresh(self):\n"
        '        """Ask for a new one."""\n'
        "        return json.loads(self.ask())\n"
    ),
    "assets/logo-dark.png": b"\x89PNG",
}


@pytest.fixture
def indexed(engine: Engine, tmp_path: Path) -> Engine:
    engine.index(write(tmp_path / "acorn", FILES))
    return engine


def ids(engine: Engine, query: str, **how: object) -> list[str]:
    return [hit.id for hit in engine.search(query, **how)]  # type: ignore[arg-type]


@pytest.mark.proves("G11")
def test_a_method_is_found_and_leads_to_its_class(indexed: Engine) -> None:
    method = "acorn/src/token_store.py#TokenStore.refresh"
    assert ids(indexed, "where are tokens refreshed", kinds=["code"])[0] == method
    (up,) = (each for each in indexed.related(method) if each.edge.relation == "contains")
    assert up.record.id == "acorn/src/token_store.py#TokenStore"


@pytest.mark.proves("G8")
@pytest.mark.parametrize(
    ("query", "file"),
    [
        ("token_store.py", "src/token_store.py"),
        ("token store", "src/token_store.py"),
        ("TokenStore", "src/token_store.py"),
        ("json", "src/token_store.py"),
        ("acorn", "README.md"),
        ("logo dark", "assets/logo-dark.png"),
    ],
)
def test_a_file_is_found_by_its_path_its_names_and_its_first_heading(
    indexed: Engine, query: str, file: str
) -> None:
    assert ids(indexed, query, profile="files")[0] == f"file:acorn/{file}"


@pytest.mark.proves("X13")
def test_a_wiki_link_joins_two_notes(indexed: Engine) -> None:
    links = [
        each.record.id
        for each in indexed.related("acorn/README.md")
        if each.edge.relation == "links"
    ]
    assert links == ["acorn/notes/Retries.md"]
    assert ids(indexed, "backoff")[0] == "acorn/notes/Retries.md"
    assert ids(indexed, "three", tags=["decision"]) == ["acorn/notes/Retries.md"]


@pytest.mark.proves("G9")
def test_a_placeholder_is_in_no_answer(indexed: Engine) -> None:
    for query in ("json", "retries", "python", "note"):
        for profile in ("default", "keyword", "graph"):
            assert not any(id.startswith("@") for id in ids(indexed, query, profile=profile))


@pytest.mark.proves("S16", part="sources")
def test_indexing_again_changes_nothing(indexed: Engine, tmp_path: Path) -> None:
    before = indexed.stats().revision
    report = indexed.index(tmp_path / "acorn")
    assert (report.added, report.changed, report.unchanged) == (0, 0, len(FILES))
    assert indexed.stats().revision == before
