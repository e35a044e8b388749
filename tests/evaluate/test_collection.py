"""Collection: read from a folder in the layout of BEIR, or refused with the file and the line."""

import gzip
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pinyon.evaluate.collection import Question, read_collection
from pinyon.evaluate.corpus import UNDATED, Corpus, write_corpus
from pinyon.model.errors import InvalidInput, InvalidLine
from tests.evaluate.shelf import DOCUMENTS, QRELS, QUERIES, Row, lines, pack, shelve

READ = (
    Question("second", "cedar", {"d2": 2}),
    Question("half", "maple", {"d4": 1, "d3": 1}),
    Question("nothing", "walnut", {"d1": 1}),
)


def written(folder: Path, **how: Any) -> tuple[Corpus, list[dict[str, Any]]]:
    """What a folder's corpus becomes: its summary, and the lines for the import."""
    file = io.BytesIO()
    corpus = write_corpus(read_collection(folder, **how), file)
    return corpus, [json.loads(line) for line in file.getvalue().splitlines()]


def test_the_judged_questions_are_read_in_their_order(tmp_path: Path) -> None:
    collection = read_collection(shelve(tmp_path / "trees"))
    assert (collection.name, collection.questions) == ("trees", READ)


@pytest.mark.proves("X8", part="measuring")
def test_packed_files_read_as_the_plain_ones(tmp_path: Path) -> None:
    plain, packed = shelve(tmp_path / "plain"), pack(shelve(tmp_path / "packed"))
    assert read_collection(packed).questions == read_collection(plain).questions
    assert written(packed) == written(plain)


def test_labels_are_found_where_beir_itself_puts_them(tmp_path: Path) -> None:
    folder = shelve(tmp_path / "trees")
    (folder / "qrels").mkdir()
    (folder / "qrels.tsv").rename(folder / "qrels" / "test.tsv")
    assert read_collection(folder).questions == READ


def test_other_queries_and_labels_take_the_place_of_the_folder_s_own(tmp_path: Path) -> None:
    folder = shelve(tmp_path / "trees")
    queries, qrels = tmp_path / "typo.jsonl.gz", tmp_path / "audited.tsv"
    queries.write_bytes(gzip.compress(lines([{"_id": "half", "text": "mapel"}]).encode()))
    qrels.write_text("half\td3\t1\nsecond\td1\t1\n", encoding="utf-8")
    asked = read_collection(folder, queries=queries, qrels=qrels).questions
    assert asked == (Question("half", "mapel", {"d3": 1}),)


def test_a_question_without_a_relevant_document_is_left_out_and_said(tmp_path: Path) -> None:
    collection = read_collection(shelve(tmp_path / "trees", qrels=[*QRELS, "unjudged\td4\t0"]))
    assert collection.questions == READ
    assert collection.remarks == ("1 queries without a relevant document left out",)


def test_a_repeated_label_is_read_once(tmp_path: Path) -> None:
    assert read_collection(shelve(tmp_path / "trees", qrels=[*QRELS, QRELS[0]])).questions == READ


def test_whoever_shares_the_key_shares_the_scope_and_nobody_else(tmp_path: Path) -> None:
    documents: list[Row] = [
        {"_id": name, "text": "x", "metadata": {"conv": conv}}
        for name, conv in (("a", "team"), ("b", "team/api"), ("c", 7))
    ]
    queries: list[Row] = [{"_id": "q", "text": "x", "metadata": {"conv": "team"}}]
    folder = shelve(tmp_path / "talks", documents, queries, ["q\ta\t1"])
    _, records = written(folder, scope_by="conv")
    assert [record["scope"] for record in records] == ["team", "team%2Fapi", "7"]
    assert read_collection(folder, scope_by="conv").questions[0].scope == "team"


def test_the_present_of_a_collection_is_its_latest_date(tmp_path: Path) -> None:
    dated: list[Row] = [
        {**row, "metadata": {"date": date}}
        for row, date in zip(
            DOCUMENTS, ["2023-05-08T13:56:00", "March-15-2024", "1963", "soon"], strict=True
        )
    ]
    assert written(shelve(tmp_path / "dated", dated))[0].now == datetime(2024, 3, 15, tzinfo=UTC)
    assert written(shelve(tmp_path / "undated"))[0].now == UNDATED


def test_what_is_wrong_with_documents_is_counted(tmp_path: Path) -> None:
    odd: list[Row] = [
        {"_id": "e1", "text": ""},
        {"_id": "e2", "title": " "},
        {"_id": "n", "text": "a\0"},
    ]
    corpus, _ = written(shelve(tmp_path / "odd", [*DOCUMENTS, *odd]))
    assert (corpus.documents, corpus.remarks) == (
        7,
        ("2 empty documents", "1 documents without the characters that are not text"),
    )


BROKEN = {
    "corpus.jsonl": [
        ('{"_id": "d1", "text": "a"}\n\n{"_id"', "line 3: not JSON: "),
        ("[]\n", "line 1: not an object (one JSON object a line)"),
        ('{"text": "a"}\n', "line 1: _id: is missing (give each line its own id)"),
        ('{"_id": "", "text": "a"}\n', "line 1: _id: must not be empty"),
        ('{"_id": "d1", "text": 1}\n', "line 1: text: must be text"),
        ('{"_id": "d1", "metadata": 1}\n', "line 1: metadata: must be an object"),
        (lines([*DOCUMENTS, DOCUMENTS[0]]), "line 5: the id 'd1' stands in line 1 already"),
        ("\ufeff" + lines(DOCUMENTS[:2]), "line 3: no document has the id 'd4', nor have 1 others"),
    ],
    "queries.jsonl": [
        ("{}\n", "line 1: _id: is missing"),
        ('{"_id": "q", "text": " "}\n', "line 1: text: must be a text that is not empty"),
        (lines([*QUERIES, QUERIES[0]]), "line 5: the id 'second' stands in line 1 already"),
        (lines(QUERIES[:1]), "line 3: no query has the id 'half', nor have 1 others"),
    ],
    "qrels.tsv": [
        ("second d2 1\n", "line 1: not a query, a document and a label"),
        ("second\td2\t1\nhalf\td4\thigh\n", "line 2: 'high' is not a label"),
        ("second\td2\t1\nsecond\td2\t0\n", "line 2: line 1 judges the same document otherwise"),
        ("second\td9\t1\n", "line 1: no document has the id 'd9' (add it, or drop the line)"),
        ("second\td2\t0\n", "no query of "),
        ("", "no query of "),
    ],
}


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [(name, *case) for name, cases in BROKEN.items() for case in cases],
)
def test_what_is_broken_is_refused_with_its_place(
    tmp_path: Path, name: str, content: str, problem: str
) -> None:
    folder = shelve(tmp_path / "trees")
    (folder / name).write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        written(folder)
    assert problem in str(refused.value)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_what_is_not_utf8_is_refused_with_its_line(tmp_path: Path, name: str, packed: bool) -> None:
    path = shelve(tmp_path / "trees") / name
    first, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([first, b"caf\xe9\n", *rest]))
    if packed:
        pack(path.parent)
    with pytest.raises(InvalidLine, match=rf"{name}(\.gz)?, line 2: not UTF-8 \(convert it first"):
        written(path.parent)


def test_utf16_is_not_taken_for_json(tmp_path: Path) -> None:
    folder = shelve(tmp_path / "trees")
    (folder / "corpus.jsonl").write_bytes(lines(DOCUMENTS).encode("utf-16"))
    with pytest.raises(InvalidLine, match=r"corpus\.jsonl, line 1: not UTF-8"):
        written(folder)


def test_a_category_is_its_name_else_its_number(tmp_path: Path) -> None:
    metadata: list[Row] = [
        {"category": 2, "category_name": "in\ntime"},
        {"category": 3},
        {"category": ["a", "list"]},
        {},
    ]
    queries: list[Row] = [
        {"_id": f"q{at}", "text": "x", "metadata": each} for at, each in enumerate(metadata)
    ]
    qrels = [f"q{at}\td1\t1" for at in range(len(queries))]
    questions = read_collection(shelve(tmp_path / "talks", DOCUMENTS, queries, qrels)).questions
    assert [question.category for question in questions] == ["in time", "3", "", ""]


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_part_is_named(tmp_path: Path, name: str) -> None:
    folder = shelve(tmp_path / "trees")
    (folder / name).unlink()
    with pytest.raises(InvalidInput, match=f"no {name} or {name}.gz"):
        read_collection(folder)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no such folder"):
        read_collection(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["corpus.jsonl.gz", "queries.jsonl.gz", "qrels.tsv.gz"])
@pytest.mark.parametrize("kept", [0.5, None])
def test_a_broken_package_is_refused_with_its_line(
    tmp_path: Path, name: str, kept: float | None
) -> None:
    path = pack(shelve(tmp_path / "trees")) / name
    packed = path.read_bytes()
    path.write_bytes(packed[: int(len(packed) * kept)] if kept else b"plain\n")
    with pytest.raises(InvalidLine, match=rf"{name}, line \d: broken gzip"):
        written(path.parent)


def test_a_key_that_a_question_lacks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidLine, match=r"line 1: metadata\.conv: is missing or empty"):
        read_collection(shelve(tmp_path / "trees"), scope_by="conv")
