"""LanceDB: a table with a full-text index, hybrid search with its default reranker, RRF.

No vector index: its documentation finds one unnecessary up to about 100,000 rows.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lancedb
from lancedb.index import FTS
from lancedb.rerankers import RRFReranker

from bench.peers.peer import whole_text
from pinyon.model.record import Record

if TYPE_CHECKING:
    from bench.peers.case import Array, Case, Vectors


class LanceDb:
    """Title and body are one text: hybrid search asks one full-text column. Both lists are as long
    as the answer, as in the documentation's examples."""

    def __init__(self, folder: Path, case: "Case") -> None:
        self._folder = folder

    def build(self, records: Sequence[Record], vectors: "Vectors") -> None:
        import pyarrow

        rows = vectors.documents
        flat = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(rows.ravel()), rows.shape[1])
        data = {
            "id": [each.id for each in records],
            "scope": [each.scope for each in records],
            "text": [whole_text(each) for each in records],
            "vector": flat,
        }
        table = lancedb.connect(self._folder).create_table("documents", pyarrow.table(data))
        table.create_index("text", config=FTS())

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        query = self._table.search(query_type="hybrid").vector(vector).text(text)
        if scope:
            quoted = scope.replace("'", "''")
            query = query.where(f"scope = '{quoted}'")
        found = query.rerank(RRFReranker()).select(["id"]).limit(k).to_arrow()
        ids: list[str] = found["id"].to_pylist()
        return ids

    @cached_property
    def _table(self) -> Any:
        return lancedb.connect(self._folder).open_table("documents")
