"""bm25s: BM25 scores in sparse matrices, with stop words and Snowball stems as its README asks."""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bm25s

from bench.peers.peer import whole_text
from pinyon.model.record import Record

if TYPE_CHECKING:
    from bench.peers.case import Array, Case, Vectors


class Bm25s:
    """Knows no filters; a scope is a mask over the scores of all documents."""

    def __init__(self, folder: Path, case: "Case", *, stemmed: bool = True) -> None:
        self._folder = folder
        self._stemmer = _english() if stemmed else None

    def build(self, records: Sequence[Record], vectors: "Vectors") -> None:
        index = bm25s.BM25()
        index.index(self._tokens([whole_text(each) for each in records]), show_progress=False)
        index.save(self._folder)
        known = [[each.id, each.scope] for each in records]
        (self._folder / "documents.json").write_text(json.dumps(known), "utf-8")

    def ask(self, text: str, vector: "Array", scope: str, k: int) -> list[str]:
        index, ids, masks = self._opened
        tokens = self._tokens([text])
        if not tokens.vocab:
            return []
        places, scores = index.retrieve(
            tokens,
            k=min(k, len(ids)),
            show_progress=False,
            weight_mask=masks[scope] if scope else None,
        )
        return [ids[at] for at, score in zip(places[0], scores[0], strict=True) if score > 0]

    @cached_property
    def _opened(self) -> tuple[Any, list[str], dict[str, "Array"]]:
        import numpy as np

        index = bm25s.BM25.load(self._folder)
        known = json.loads((self._folder / "documents.json").read_text("utf-8"))
        scopes = np.array([scope for _, scope in known])
        masks = {scope: (scopes == scope).astype(np.float32) for scope in set(scopes.tolist())}
        return index, [id for id, _ in known], masks

    def _tokens(self, texts: list[str]) -> Any:
        return bm25s.tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)


def _english() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
