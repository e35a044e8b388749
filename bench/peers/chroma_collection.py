"""Chroma: the persistent client with its HNSW index; embedded, it ranks by vectors alone.

Words only filter there ($contains), so a question's words are not used. Nothing is downloaded: no
embedding function, no telemetry.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chromadb

from bench.peers.peer import whole_text
from pinyon.model.record import Record

if TYPE_CHECKING:
    from bench.peers.case import Array, Case, Vectors

NAME = "documents"


class Chroma:
    def __init__(self, folder: Path, case: "Case") -> None:
        self._folder = folder

    def build(self, records: Sequence[Record], vectors: "Vectors") -> None:
        made = self._client.create_collection(
            NAME, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        most = self._client.get_max_batch_size()
        for begin in range(0, len(records), most):
            some = records[begin : begin + most]
            made.add(
                ids=[each.id for each in some],
                embeddings=vectors.documents[begin : begin + most],
                documents=[whole_text(each) for each in some],
                metadatas=[{"scope": each.scope} for each in some],
            )

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        where = {"scope": scope} if scope else None
        found = self._collection.query(
            query_embeddings=[vector], n_results=k, where=where, include=[]
        )
        ids: list[str] = found["ids"][0]
        return ids

    @cached_property
    def _client(self) -> Any:
        quiet = chromadb.Settings(anonymized_telemetry=False)
        return chromadb.PersistentClient(path=str(self._folder), settings=quiet)

    @cached_property
    def _collection(self) -> Any:
        return self._client.get_collection(NAME, embedding_function=None)
