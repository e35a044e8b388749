"""txtai: BM25 and Faiss fused by its `hybrid`, content stored, vectors through `external`."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from txtai import Embeddings

from bench.peers.peer import whole_text
from pinyon.model.record import Record

if TYPE_CHECKING:
    from bench.peers.case import Array, Case, Vectors

CANDIDATES = 300
"""A condition is checked after the search, so the search must find enough of every scope. On every
twentieth question of LoCoMo, 1,000 brought nothing more and took 2.6 times as long."""

PLAIN = "SELECT id FROM txtai WHERE similar(:text)"
SCOPED = f"SELECT id FROM txtai WHERE similar(:text, {CANDIDATES}) AND scope = :scope"


class Txtai:
    def __init__(self, folder: Path, case: "Case") -> None:
        self._folder = folder
        self._given: dict[str, Array] = {}

    def build(self, records: Sequence[Record], vectors: "Vectors") -> None:
        texts = [whole_text(each) for each in records]
        self._given = dict(zip(texts, vectors.documents, strict=True))
        made = Embeddings(method="external", transform=self._lookup(), hybrid=True, content=True)
        made.index(
            (each.id, {"text": text, "scope": each.scope}, None)
            for each, text in zip(records, texts, strict=True)
        )
        made.save(str(self._folder))

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        self._given = {text: vector}
        values = {"text": text, "scope": scope} if scope else {"text": text}
        found = self._embeddings.search(SCOPED if scope else PLAIN, k, parameters=values)
        return [row["id"] for row in found]

    @cached_property
    def _embeddings(self) -> Any:
        made = Embeddings()
        made.load(str(self._folder), config={"transform": self._lookup()})
        return made

    def _lookup(self) -> Callable[[list[str]], "Array"]:
        """txtai tells a function from a class: a method of ours would be called to make one."""
        import numpy as np

        return lambda texts: np.stack([self._given[text] for text in texts])
