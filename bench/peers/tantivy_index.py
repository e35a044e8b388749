"""tantivy: BM25 in Rust; title and body with its English stemmer, asked through its own parser."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tantivy

from pinyon.model.record import Record

if TYPE_CHECKING:
    from bench.peers.case import Array, Case, Vectors

FIELDS = ["title", "body"]


class Tantivy:
    """The lenient parser: people's questions are not expressions."""

    def __init__(self, folder: Path, case: "Case") -> None:
        self._folder = folder

    def build(self, records: Sequence[Record], vectors: "Vectors") -> None:
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("id", stored=True, tokenizer_name="raw")
        schema.add_text_field("scope", tokenizer_name="raw")
        for field in FIELDS:
            schema.add_text_field(field, tokenizer_name="en_stem")
        writer = tantivy.Index(schema.build(), path=str(self._folder)).writer()
        for each in records:
            document = {"id": each.id, "scope": each.scope, "title": each.title, "body": each.body}
            writer.add_document(tantivy.Document(**document))
        writer.commit()
        writer.wait_merging_threads()

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        index, searcher = self._opened
        query, _ = index.parse_query_lenient(text, FIELDS)
        if scope:
            inside = tantivy.Query.term_query(index.schema, "scope", scope)
            query = tantivy.Query.boolean_query(
                [
                    (tantivy.Occur.Must, query),
                    (tantivy.Occur.Must, tantivy.Query.const_score_query(inside, 0.0)),
                ]
            )
        found = searcher.search(query, k, count=False).hits
        return [searcher.doc(address)["id"][0] for _, address in found]

    @cached_property
    def _opened(self) -> tuple[Any, Any]:
        index = tantivy.Index.open(str(self._folder))
        return index, index.searcher()
