"""Corpus: documents become what a user would have: turns in their order, files in their parts."""

import io
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pinyon.evaluate.collection import Question, read_collection
from pinyon.evaluate.corpus import UNPARSED, Parts, write_corpus
from pinyon.evaluate.documents import FILE_SUFFIXES, is_file
from pinyon.evaluate.run import DEPTH
from pinyon.index.parse import reader
from pinyon.model.record import Edge, Record
from pinyon.surfaces.cli.measuring import ask, filled, given_collection
from tests.evaluate.shelf import DOCUMENTS, QUERIES, Row, shelve

ASKED: list[Row] = [{"_id": "q", "text": "how is the sparrow fed"}]

SPARROW = '''"""Birds of the garden."""


class Sparrow:
    """A small brown bird."""

    def feed(self) -> None:
        """The sparrow is fed with seeds."""


def count() -> int:
    """How many there are."""
    return 7
'''
FILES: list[Row] = [
    {"_id": "src/birds.py", "title": "src/birds.py", "text": SPARROW},
    {"_id": "docs/feeding.md", "title": "", "text": "# Feeding\n\nSeeds.\n\n## Sparrow\n\nOats.\n"},
    {"_id": "Makefile", "title": "", "text": "feed:\n\tsparrow\n"},
]


def edges(documents: Sequence[Row], folder: Path, scope_by: str = "") -> list[tuple[str, str, str]]:
    """From, relation and to, as the import would read them."""
    shelve(folder, documents, ASKED, [f"q\t{documents[0]['_id']}\t1"])
    file = io.BytesIO()
    write_corpus(read_collection(folder), file)
    lines = [json.loads(line) for line in file.getvalue().splitlines()]
    return [
        (line["from"], line["relation"], line["to"]) for line in lines if line.get("type") == "edge"
    ]


def turn(id: str, **metadata: Any) -> Row:
    return {"_id": id, "text": "hello", "metadata": {"speaker": "Ana", **metadata}}


@pytest.mark.proves("X8", part="measuring")
def test_a_turn_follows_the_one_before_it_in_its_session(tmp_path: Path) -> None:
    turns = [
        turn("a1", conv="a", session=1),
        turn("b1", conv="b", session=1),
        turn("a2", conv="a", session=1),
        turn("b2", conv="b", session=1),
        turn("a3", conv="a", session=2),
        turn("a4", conv="a", session=2),
        turn("a5", conv="a", session=1),
    ]
    assert edges(turns, tmp_path / "talks") == [
        ("a2", "follows", "a1"),
        ("b2", "follows", "b1"),
        ("a4", "follows", "a3"),
        ("a5", "follows", "a2"),
    ]


def test_where_nothing_names_a_conversation_the_ids_do(tmp_path: Path) -> None:
    turns = [turn("one/1"), turn("two/1"), turn("one/2"), turn("alone"), turn("apart")]
    assert edges(turns, tmp_path / "talks") == [("one/2", "follows", "one/1")]


def test_what_is_no_turn_follows_nothing(tmp_path: Path) -> None:
    assert edges(DOCUMENTS, tmp_path / "trees") == []
    rows: list[Row] = [{"_id": f"x/{n}", "text": "a", "metadata": {"conv": "c"}} for n in range(3)]
    assert edges(rows, tmp_path / "rows") == []


def test_the_order_of_turns_is_in_the_store_and_speaks_as_context_alone(tmp_path: Path) -> None:
    words = ["cedar birch", "birch birch", "cedar", "maple cedar cedar"]

    def ranking(name: str, metadata: dict[str, Any]) -> list[tuple[str, float]]:
        documents: list[Row] = [
            {"_id": f"t{at}", "text": text, "metadata": metadata} for at, text in enumerate(words)
        ]
        folder = shelve(tmp_path / name, documents, [{"_id": "q", "text": "cedar"}], ["q\tt2\t1"])
        collection = given_collection(str(folder), queries=None, qrels=None, scope_by="")
        with filled(collection, ["default"], str(tmp_path / "none.pinyon"), None) as engine:
            found = [each.record.id for each in engine.related("t1")]
            assert sorted(found) == (["t0", "t2"] if "conv" in metadata else [])
            unheard = {"context.depth": 0}
            answer = ask(engine, collection.questions[0], "default", unheard)
            heard = [
                hit.signals.get("context")
                for hit in ask(engine, collection.questions[0], "default")
            ]
            assert any(heard) == ("conv" in metadata)
            return [(hit.id, hit.score) for hit in answer]

    # The role makes both a memory; without a conversation nothing joins them.
    assert ranking("talk", {"role": "user", "conv": "c"}) == ranking("heap", {"role": "user"})


def files(folder: Path, *, whole_files: bool) -> tuple[list[str], dict[str, int], Sequence[str]]:
    """The ranking of the one question, the records by kind, and the question's labels."""
    shelve(folder, FILES, ASKED, ["q\tsrc/birds.py\t1"])
    collection = given_collection(
        str(folder), queries=None, qrels=None, scope_by="", whole_files=whole_files
    )
    with filled(collection, ["default"], str(folder / "none.pinyon"), None) as engine:
        answer = ask(engine, collection.questions[0], "default")
        return [hit.id for hit in answer], dict(engine.stats().kinds), collection.remarks


@pytest.mark.proves("X8", part="measuring")
def test_files_are_found_by_their_parts_and_named_once_by_their_document(tmp_path: Path) -> None:
    ranking, kinds, _ = files(tmp_path / "birds", whole_files=False)
    assert ranking[0] == "src/birds.py"
    assert sorted(ranking) == ["Makefile", "docs/feeding.md", "src/birds.py"]
    assert kinds["file"] == 2  # nothing reads a Makefile: it is a record as it is
    assert kinds["code"] >= 3


def test_whole_files_are_a_record_each(tmp_path: Path) -> None:
    ranking, kinds, _ = files(tmp_path / "birds", whole_files=True)
    assert sorted(ranking) == ["Makefile", "docs/feeding.md", "src/birds.py"]
    assert kinds == {"code": 1, "doc": 2}


def test_as_many_documents_are_found_as_are_measured(tmp_path: Path) -> None:
    functions = "\n\n".join(f"def oak_{n}():\n    return 'sparrow'" for n in range(12))
    documents: list[Row] = [{"_id": f"src/m{n}.py", "text": functions} for n in range(DEPTH // 4)]
    folder = shelve(tmp_path / "many", documents, ASKED, ["q\tsrc/m3.py\t1"])
    collection = given_collection(
        str(folder), queries=None, qrels=None, scope_by="", whole_files=False
    )
    with filled(collection, ["keyword"], str(tmp_path / "none.pinyon"), None) as engine:
        ranking = [hit.id for hit in ask(engine, collection.questions[0], "keyword")]
    assert sorted(ranking) == sorted(row["_id"] for row in documents)


def test_parts_are_in_the_scope_of_their_document(tmp_path: Path) -> None:
    documents = [{**row, "metadata": {"repo": f"r{at}"}} for at, row in enumerate(FILES)]
    queries: list[Row] = [{**ASKED[0], "metadata": {"repo": "r1"}}]
    folder = shelve(tmp_path / "birds", documents, queries, ["q\tdocs/feeding.md\t1"])
    collection = given_collection(
        str(folder), queries=None, qrels=None, scope_by="repo", whole_files=False
    )
    with filled(collection, ["default"], str(tmp_path / "none.pinyon"), None) as engine:
        ranking = [hit.id for hit in ask(engine, collection.questions[0], "default")]
    assert ranking == ["docs/feeding.md"]


def test_a_file_that_cannot_be_parsed_is_one_record_and_said(tmp_path: Path) -> None:
    def divide(path: str, text: str, modified_at: datetime) -> Parts | None:
        parts = Parts([Record(id=f"{path}#part")], [Edge(f"{path}#part", "names", "@x")])
        return parts if path.endswith(".py") else None

    folder = shelve(tmp_path / "birds", FILES, ASKED, ["q\tsrc/birds.py\t1"])
    file = io.BytesIO()
    corpus = write_corpus(read_collection(folder, whole_files=False), file, divide)
    lines = [json.loads(line) for line in file.getvalue().splitlines()]
    assert [line.get("id", line.get("type")) for line in lines] == [
        "src/birds.py#part",
        "edge",
        "docs/feeding.md",
        "Makefile",
    ]
    assert (corpus.documents, corpus.remarks) == (3, (f"1 {UNPARSED}",))


@pytest.mark.parametrize(
    ("id", "file"),
    [
        ("src/app.py", True),
        ("README.MD", True),
        ("docs/faq.txt#3", False),
        ("17", False),
        (17, False),
        ("v1.0", False),
    ],
)
def test_a_file_is_known_by_the_suffix_of_its_id(id: object, file: bool) -> None:
    assert is_file(id) is file


def test_whatever_counts_as_a_file_can_be_read_as_text() -> None:
    chosen = {suffix: reader(f"a{suffix}") for suffix in FILE_SUFFIXES}
    assert [suffix for suffix, found in chosen.items() if found is None or found.binary] == []


def test_a_collection_without_files_is_asked_as_ever(tmp_path: Path) -> None:
    collection = read_collection(shelve(tmp_path / "trees", DOCUMENTS, QUERIES), whole_files=False)
    assert collection.questions[0] == Question("second", "cedar", {"d2": 2})
    assert not collection.by_file
