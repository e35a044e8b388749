"""Late: each word of the question looks for the word of the text that is nearest in meaning.

The score of a text is the mean, over the question's tokens, of the highest cosine with one of its
tokens (MaxSim of ColBERT, Khattab and Zaharia 2020). A text is read without the question, so what
was found out about it is kept; a known text costs next to nothing.

Special tokens and punctuation do not count: they meet anything. Of a token of a text only the signs
are kept, 48 bytes instead of 1,536; the question's vectors stay whole. On LoCoMo, at a weight of
.5, that gives an nDCG@10 of .533 where float32 and int8 give .536: chance explains that much, and
int8 takes eight times the bytes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pinyon.inference.check import readable, unit_rows
from pinyon.inference.models import Packaged
from pinyon.inference.onnx.build import built
from pinyon.inference.onnx.graph import TOKENS
from pinyon.inference.onnx.session import Loaded, Output, batches
from pinyon.inference.remember import TOKENS_FILE, Remembered
from pinyon.text.passages import digest

if TYPE_CHECKING:
    from pinyon.inference.contract import Vectors
    from pinyon.inference.onnx.session import Array

MOST = 20_000
"""Texts that are kept. One of 150 tokens has 7 KB, all of them 140 MB; at worst it is 240 MB."""

WORDLESS = -1.0
"""The score of a text without a word: the lowest that there is."""


class LateInteraction:
    """A Reranker on this machine, over the token vectors of a packaged model that pools by the
    mean. Texts that it has read are kept in the cache by their digests."""

    def __init__(
        self, model: Packaged, cache: Path, *, threads: int | None = None, most: int = MOST
    ) -> None:
        self.name = f"late:{model.identity}+signs"
        self._dims = model.dims
        self._loaded = Loaded(
            model.name,
            lambda: built(model, cache),
            PER_TOKEN,
            tokens=model.tokens,
            threads=threads,
        )
        self._remembered = Remembered(cache / TOKENS_FILE, most=most)
        self._words: Array | None = None

    def prepare(self, texts: Sequence[str]) -> None:
        self._signs(texts)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        (asked,) = self._read([query])
        return scores(asked, self._signs(texts))

    def close(self) -> None:
        self._loaded.close()
        self._remembered.close()
        self._words = None

    def _signs(self, texts: Sequence[str]) -> "list[Array]":
        """Of each text, a row of packed signs for each of its tokens."""
        import numpy as np

        width = -(-self._dims // 8)
        digests = [digest(text) for text in texts]
        known = {
            key: signs
            for key, signs in self._remembered.get(self.name, digests).items()
            if len(signs) % width == 0
        }
        missing = {key: text for key, text in zip(digests, texts, strict=True) if key not in known}
        if missing:
            read = self._read(list(missing.values()))
            fresh = {key: packed(each).tobytes() for key, each in zip(missing, read, strict=True)}
            self._remembered.put(self.name, fresh.items())
            known |= fresh
        return [np.frombuffer(known[key], np.uint8).reshape(-1, width) for key in digests]

    def _read(self, texts: Sequence[str]) -> "list[Vectors]":
        """Of each text, a vector of length 1 for each token that counts."""
        import numpy as np

        encodings = self._loaded.tokenizer().encode_batch_fast([*map(readable, texts)])
        counts = self._counts()
        found: list[Vectors] = [np.zeros((0, self._dims), np.float32)] * len(texts)
        for batch in batches([len(encoding) for encoding in encodings]):
            states, feed = self._loaded.run([encodings[at] for at in batch])
            chosen = counts[feed["input_ids"]] & (feed["attention_mask"] == 1)
            try:
                rows = unit_rows(states[chosen], int(chosen.sum()), self._dims)
            except ValueError as problem:
                raise self._loaded.broken(str(problem)) from problem
            ends = chosen.sum(axis=1).cumsum()[:-1]
            for at, part in zip(batch, np.split(rows, ends), strict=True):
                found[at] = part
        return found

    def _counts(self) -> "Array":
        """By the number of a token, whether it counts: it has a letter or a digit."""
        import numpy as np

        if self._words is None:
            vocabulary = self._loaded.tokenizer().get_vocab()
            special = self._loaded.tokenizer().get_added_tokens_decoder()
            words = np.zeros(max(vocabulary.values(), default=0) + 1, bool)
            words[[id for token, id in vocabulary.items() if any(map(str.isalnum, token))]] = True
            words[list(special)] = False
            self._words = words
        return self._words


def packed(vectors: "Vectors") -> "Array":
    """The signs of each row, eight to a byte."""
    import numpy as np

    return np.packbits(vectors > 0, axis=1)


def scores(asked: "Vectors", texts: "Sequence[Array]") -> list[float]:
    """The mean over the question's vectors of the highest cosine with the signs of one token, for
    each text. 0 for all where the question has no vectors."""
    import numpy as np

    if not len(asked):
        return [0.0] * len(texts)
    dims = asked.shape[1]
    sizes = np.array([len(text) for text in texts], np.int64)
    found = np.full(len(texts), WORDLESS)
    filled = np.flatnonzero(sizes)
    if len(filled):
        bits = np.unpackbits(np.concatenate(texts), axis=1, count=dims).astype(np.float32)
        # A sign is 2 bit - 1, and a vector of signs has the length of the root of `dims`.
        cosines = (2 * (bits @ asked.T) - asked.sum(axis=1)) / np.sqrt(dims)
        starts = (sizes.cumsum() - sizes)[filled]
        found[filled] = np.maximum.reduceat(cosines, starts, axis=0).mean(axis=1)
    result: list[float] = found.tolist()
    return result


PER_TOKEN = Output(
    lambda ranks: TOKENS if ranks.get(TOKENS) == 3 else "", "gives no vectors of tokens"
)
