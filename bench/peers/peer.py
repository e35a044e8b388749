"""Peer: the contract that every engine is measured through, and the table of those there are."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pinyon.model.record import Record

if TYPE_CHECKING:
    from bench.peers.case import Array, Case, Vectors


class Peer(Protocol):
    """An engine whose index lies in a folder. Made with the folder and the case; that imports what
    it needs, and raises ImportError where it is not installed. It is built in one process and
    asked in another."""

    def build(self, records: Sequence[Record], vectors: "Vectors") -> None:
        """Index all records. At the end everything is on the disk."""

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        """The ids of the best k, best first; with a scope, of the records that have it."""


class Listed(NamedTuple):
    """`module` and `made` say where the peer is, `by` what it searches by, `scoped` what a scope
    is to it."""

    module: str
    made: str
    by: str
    scoped: str


PEERS: Mapping[str, Listed] = {
    "Pinyon": Listed("pinyon_engine", "Pinyon", "words and meaning", "a filter"),
    "Pinyon, vectors given": Listed(
        "pinyon_engine", "GivenPinyon", "words and meaning", "a filter"
    ),
    "bm25s": Listed("bm25s_index", "Bm25s", "words", "a mask over all scores"),
    "tantivy": Listed("tantivy_index", "Tantivy", "words", "a filter"),
    "FTS5": Listed("sqlite_tables", "Words", "words", "a filter"),
    "FTS5 + sqlite-vec": Listed(
        "sqlite_tables", "Both", "words and meaning", "a filter, a partition"
    ),
    "LanceDB": Listed("lancedb_table", "LanceDb", "words and meaning", "a filter"),
    "Chroma": Listed("chroma_collection", "Chroma", "meaning", "a filter"),
    "txtai": Listed("txtai_embeddings", "Txtai", "words and meaning", "a filter after 300 hits"),
}


def make(name: str, folder: Path, case: "Case") -> Peer:
    """Raises ImportError where the peer's package is not installed."""
    listed = PEERS[name]
    made: Peer = getattr(import_module(f"bench.peers.{listed.module}"), listed.made)(folder, case)
    return made


def whole_text(record: Record) -> str:
    """For peers that index one text: title and body."""
    return f"{record.title}\n{record.body}".strip()
