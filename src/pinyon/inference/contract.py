"""Contract: what models promise that turn text into vectors, or that read a question and texts
together, and how they fail.

ModelError
├── NoModel         there is no such model, or its files are not here
├── BrokenModel     its files are here, but cannot be used
└── ProviderError   a server refused, failed, or answered with something else than vectors
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pinyon.model.errors import PinyonError

if TYPE_CHECKING:
    import numpy as np

    Vectors = np.ndarray[Any, np.dtype[np.float32]]


class Embedder(Protocol):
    """A model of meaning. Made without cost: files are read or a server is asked on first use.

    Any number of threads may use one at a time. Every method but `close` raises ModelError when
    the model cannot be used; then there are no vectors at all, never some of them.
    """

    @property
    def name(self) -> str:
        """The model and its revision: vectors of two names are never compared."""

    @property
    def dims(self) -> int:
        """The length of every vector."""

    @property
    def tokens(self) -> int:
        """The longest passage in tokens; the rest of a longer one is not read."""

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        """One row of length 1 (L2) per text, float32, in the order of the texts."""

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        """The same for texts that are to be found."""

    def count_tokens(self, text: str) -> int:
        """The tokens of a passage as the model reads it, all that it adds included.

        A server's model is estimated, rather too high than too low.
        """

    def close(self) -> None:
        """Frees what the model holds. A later call loads it again."""


class Reranker(Protocol):
    """A model that reads a question and texts together, and says how well each text answers it.

    Made without cost, and used by any number of threads, as an Embedder is. Every method but
    `close` raises ModelError when the model cannot be used; then there are no scores at all.
    """

    @property
    def name(self) -> str:
        """The model and its revision: scores of two names are never compared."""

    def prepare(self, texts: Sequence[str]) -> None:
        """Makes once what is kept of each text, so that `score` finds it; what a model does not
        keep, it does not prepare."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One finite number per text, in their order, higher for a better answer. Numbers of two
        calls are not comparable. What is too long for the model is cut."""

    def close(self) -> None:
        """Frees what the model holds. A later call loads it again."""


class ModelError(PinyonError):
    """Nothing can be had from this model now; search goes on without it."""


class NoModel(ModelError):
    """There is no such model, or its files are not here."""


class BrokenModel(ModelError):
    """Its files are here, but cannot be used."""


class ProviderError(ModelError):
    """`status` is the HTTP status, None when no answer came; `retryable` says whether the same
    request may succeed later."""

    def __init__(
        self, problem: str, *, remedy: str, status: int | None = None, retryable: bool = False
    ) -> None:
        super().__init__(problem, remedy=remedy)
        self.status = status
        self.retryable = retryable
