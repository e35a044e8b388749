"""Cross-encoder: question and text through one graph together, which gives the score.

A folder as Hugging Face exports it: model.onnx or onnx/model.onnx, tokenizer.json, config.json.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pinyon.inference.check import readable
from pinyon.inference.onnx.folder import facts_of, files_of, longest
from pinyon.inference.onnx.session import Loaded, Output, batches

if TYPE_CHECKING:
    from tokenizers import Encoding

    from pinyon.inference.onnx.session import Array


class CrossEncoder:
    """A Reranker on this machine. The first opening of a folder reads its files for their hash, a
    later one only looks at their dates. Raises NoModel when it is not a model's folder."""

    def __init__(self, folder: Path, cache: Path, *, threads: int | None = None) -> None:
        files = files_of(folder)
        self._tokens = longest(folder)
        sha256 = facts_of(files, cache, {})["sha256"]
        self.name = f"{folder.resolve().name}@{sha256[:8]}/{self._tokens}"
        self._loaded = Loaded(
            self.name, lambda: files, LOGITS, tokens=self._tokens, threads=threads
        )

    def prepare(self, texts: Sequence[str]) -> None:
        """It reads a text only together with a question: nothing of it is kept."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        import numpy as np

        scores = np.zeros(len(texts), np.float32)
        pairs = self._pairs(query, texts)
        for batch in batches([len(pair) for pair in pairs]):
            logits, _ = self._loaded.run([pairs[at] for at in batch])
            scores[batch] = self._scores(logits, len(batch))
        found: list[float] = scores.tolist()
        return found

    def close(self) -> None:
        self._loaded.close()

    def _pairs(self, query: str, texts: Sequence[str]) -> "list[Encoding]":
        """Each text with the question before it. Of what is too long the text is cut, and of the
        question what is over half of the model's tokens: a text must have room."""
        tokenizer = self._loaded.tokenizer()
        room = self._tokens - tokenizer.num_special_tokens_to_add(True)
        asked = tokenizer.encode(readable(query), add_special_tokens=False)
        asked.truncate(max(room // 2, 1))
        read = tokenizer.encode_batch([*map(readable, texts)], add_special_tokens=False)
        for text in read:
            text.truncate(max(room - len(asked), 0))
        return [tokenizer.post_process(asked, text) for text in read]

    def _scores(self, logits: "Array", count: int) -> "Array":
        import numpy as np

        columns = logits.reshape(len(logits), -1).astype("f4") if len(logits) else logits
        if columns.shape not in {(count, 1), (count, 2)}:
            raise self._loaded.broken(
                f"its graph gives scores of the shape {logits.shape} for {count} texts"
            )
        if not np.isfinite(columns).all():
            raise self._loaded.broken("its graph gives a score that is not finite")
        # Two columns are the classes "does not answer" and "answers".
        scores: Array = columns[:, -1] - (columns[:, 0] if columns.shape[1] == 2 else 0)
        return scores


def _logits(ranks: dict[str, int]) -> str:
    flat = [name for name, rank in ranks.items() if rank in {1, 2}]
    return "logits" if "logits" in flat else next(iter(flat), "")


LOGITS = Output(_logits, "gives no score for a question and a text together")
