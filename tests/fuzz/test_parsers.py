"""Any file is read, or refused with the reason; and what was read of it can be kept."""

import io
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinyon.index.parse import READERS, parse
from pinyon.index.parse.front_matter import front_matter
from pinyon.index.parse.origin import Origin
from pinyon.index.source.read import decode
from pinyon.index.transfer import import_file
from pinyon.model.check import check_edge, recheck
from pinyon.model.wire import edge_to_json
from pinyon.store.memory import MemoryStore
from tests.fuzz.law import fuzzing, tried
from tests.fuzz.made import ANY, damaged, documents, mixed, tampered
from tests.fuzz.samples import CHATS, CODES, FRONT, KEYS, LINES, NOTEBOOK, TEXTS, Sample
from tests.index.parse import test_docx, test_pdf

MAY = datetime(2024, 5, 1, tzinfo=UTC)
PAGES = test_pdf.document([test_pdf.drawn("One", "Two"), test_pdf.drawn("Three")], "/Title (T)")
PACKED = test_pdf.document([test_pdf.drawn("One"), test_pdf.drawn("Two")], packed=True)
WORD = test_docx.document(
    test_docx.p("One", "Kop1") + test_docx.p("text"), styles=test_docx.STYLES, core=test_docx.CORE
)
SUFFIXES = sorted(READERS)


def read(path: str, content: str | bytes, target: str = "") -> None:
    """As the pipeline does, but nothing is caught: every record and edge must be one to keep."""
    text = content
    if isinstance(content, str):  # what a file can hold
        text = decode(content.encode("utf-8", "replace")) or ""
    name = target or path.rpartition(".")[2]
    parsed = tried(name, parse, text, Origin("shop", f"dir/{path}", MAY))
    if parsed is None:
        return
    assert len({record.id for record in parsed.records}) == len(parsed.records)
    for record in parsed.records:
        recheck(record)
    for edge in parsed.edges:
        check_edge(edge_to_json(edge))


def tamper(given: object) -> st.SearchStrategy[object]:
    return tampered(given, KEYS)


@pytest.mark.parametrize("sample", TEXTS, ids=lambda sample: sample.path)
def test_a_damaged_text_is_read_or_refused(sample: Sample) -> None:
    @fuzzing(40, 800)
    @given(damaged(sample.text, sample.words) | mixed(sample.words or ("a",)))
    def law(text: str) -> None:
        read(sample.path, text)

    law()


@pytest.mark.parametrize("sample", CODES, ids=lambda sample: sample.path)
def test_damaged_code_is_read_or_refused(sample: Sample) -> None:
    @fuzzing(15, 250)
    @given(damaged(sample.text, ("{", "}", "class A", "(", ";", "/*", "end", "<", "operator")))
    def law(text: str) -> None:
        read(sample.path, text)

    law()


@fuzzing(120, 2_500)
@given(
    damaged(FRONT, KEYS) | mixed((*KEYS, ": ", "\n- ", "\n  ", "[a, b]", "{a: b}", "|\n", ">\n"))
)
def test_any_front_matter_is_understood_or_taken_as_text(block: str) -> None:
    whole = block if block.startswith("---\n") else f"---\n{block}\n---\n"
    found = tried("front matter", front_matter, whole)
    assert found is not None


@fuzzing(60, 1_500)
@given(documents(KEYS), st.sampled_from(("a.ipynb", "conversations.json", "a.jsonl")))
def test_any_json_is_read_or_refused(given: object, path: str) -> None:
    read(path, json.dumps(given), f"json as {path.rpartition('.')[2]}")
    read(path, json.dumps({"cells": given, "mapping": given}), f"json as {path}")


@fuzzing(25, 300)
@given(
    tampered(json.loads(NOTEBOOK), KEYS),
    tampered(json.loads(CHATS), KEYS),
    st.lists(st.sampled_from(LINES.split("\n")).map(json.loads).flatmap(tamper), max_size=4),
)
def test_any_tampered_json_is_read_or_refused(
    cells: object, chats: object, objects: list[object]
) -> None:
    read("a.ipynb", json.dumps(cells), "tampered notebook")
    read("conversations.json", json.dumps(chats), "tampered conversations")
    lines = "\n".join(map(json.dumps, objects))
    read("a.jsonl", lines, "tampered lines")
    how = {"name": "a", "now": MAY, "new_id": lambda record, known: f"new-{len(known)}"}
    tried("tampered import", import_file, MemoryStore(), io.BytesIO(lines.encode()), **how)


@fuzzing(40, 400)
@given(damaged(PAGES) | damaged(PACKED) | st.binary(max_size=300).map(b"%PDF-1.4\n".__add__))
def test_any_bytes_are_a_pdf_or_refused(content: bytes) -> None:
    read("a.pdf", content)


@fuzzing(60, 1_000)
@given(damaged(WORD) | st.binary(max_size=300))
def test_any_bytes_are_a_word_document_or_refused(content: bytes) -> None:
    read("a.docx", content)


WORD_BODY = (
    test_docx.p("One", "Kop1") + "<w:tbl><w:tr><w:tc>" + test_docx.p("c") + "</w:tc></w:tr></w:tbl>"
)


@fuzzing(40, 600)
@given(damaged(WORD_BODY, ("<w:p>", "</w:p>", "<w:tbl>", "<w:tc>", "&amp;", "<!DOCTYPE a>")))
def test_any_text_of_a_word_document_is_read_or_refused(body: str) -> None:
    plain = body.encode("utf-8", "replace").decode()
    read("a.docx", test_docx.document(plain), "document.xml")


@fuzzing(60, 1_000)
@given(st.sampled_from(SUFFIXES), st.binary(max_size=200))
def test_any_bytes_under_any_name_are_read_or_refused(suffix: str, content: bytes) -> None:
    whole = content if READERS[suffix].binary else decode(content) or ""
    read(f"a{suffix}", whole, "bytes under any name")


@fuzzing(60, 1_500)
@given((damaged(LINES, KEYS) | mixed(KEYS)).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_lines_are_imported_or_refused(lines: bytes) -> None:
    taken: list[str] = []

    def new_id(record: object, known: object) -> str:
        taken.append("id")
        return f"new-{len(taken)}"

    store = MemoryStore()
    tried("import", import_file, store, io.BytesIO(lines), name="a", now=MAY, new_id=new_id)
    with store.snapshot() as view:
        for record in view.records(forgotten=True):
            recheck(record)


@fuzzing(60, 1_000)
@given(st.dictionaries(st.sampled_from(KEYS), documents(KEYS), max_size=8), ANY)
def test_any_object_is_imported_or_refused(given: dict[str, object], id: str) -> None:
    line = json.dumps({"id": id, **given}).encode()
    how = {"name": "a", "now": MAY, "new_id": lambda record, known: "new"}
    tried("import", import_file, MemoryStore(), io.BytesIO(line), **how)
