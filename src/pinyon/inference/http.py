"""HTTP: vectors from a server that speaks OpenAI's protocol (OpenAI, Voyage, Ollama, vLLM, ...).

A request is POST URL/embeddings with `model` and `input` (a list of texts); the answer is
`{"data": [{"index": 0, "embedding": [...]}, ...]}`. The key goes into the Authorization header and
nowhere else. Redirects are not followed: they would carry the texts to somebody else.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pinyon.inference.check import readable, unit_rows
from pinyon.inference.contract import ProviderError
from pinyon.inference.models import Provider, known

if TYPE_CHECKING:
    import httpx

    from pinyon.inference.contract import Vectors

BYTES_PER_TOKEN = 3
"""An English token has about four bytes, a Chinese one three: this estimates rather too high."""

AGAIN = {408, 409, 425, 429}
"""Besides 500 and above, what may succeed later."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for an answer, how often to ask, and the longest pause between.

    A server that asks for a longer pause is not asked again in this call.
    """

    timeout_s: float
    attempts: int
    longest_pause_s: float

    def pause_s(self, attempt: int) -> float:
        """The pause after the attempt (from 1) where the server names none: .5, 1, 2, ..."""
        return min(self.longest_pause_s, 0.25 * 2.0**attempt)


# Somebody waits for a query, and words alone answer it too; nobody waits for passages.
QUERY = Patience(timeout_s=5.0, attempts=2, longest_pause_s=1.0)
PASSAGES = Patience(timeout_s=60.0, attempts=5, longest_pause_s=30.0)
HURRIED = Patience(timeout_s=2.0, attempts=1, longest_pause_s=0.0)
"""For passages while somebody waits after all: what is not done is done later."""


class HttpEmbedder:
    """An Embedder that asks a server. `sleep` and `now` are the clock, for pauses."""

    def __init__(
        self,
        provider: Provider,
        key: str | None = None,
        *,
        query: Patience = QUERY,
        passages: Patience = PASSAGES,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        size = f"@{provider.dims}" if provider.dims_field else ""
        where = "" if provider.url == known().providers[provider.name].url else f" {provider.url}"
        self.name = f"{provider.name}:{provider.model}{size}{where}"
        self.tokens = provider.tokens
        self._provider = provider
        self._key = (key or "").strip()
        self._query, self._passages = query, passages
        self._sleep, self._now = sleep, now
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._dims = provider.dims

    @property
    def dims(self) -> int:
        if not self._dims:
            rows = self._rows(["dimensions"], {}, self._query)
            first = rows[0] if isinstance(rows[0], list) else []
            self._dims = self._checked(rows, 1, len(first)).shape[1]
        return self._dims

    def embed_queries(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, self._provider.query, self._query)

    def embed_passages(self, texts: Sequence[str]) -> "Vectors":
        return self._embed(texts, self._provider.passage, self._passages)

    def count_tokens(self, text: str) -> int:
        return max(1, math.ceil(len(readable(text).encode()) / BYTES_PER_TOKEN))

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = None

    def _embed(
        self, texts: Sequence[str], extra: Mapping[str, Any], patience: Patience
    ) -> "Vectors":
        import numpy as np

        dims = self.dims
        parts = [np.zeros((0, dims), np.float32)]
        for batch in self._batches(texts):
            parts.append(self._checked(self._rows(batch, extra, patience), len(batch), dims))
        return np.concatenate(parts)

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """In order, at most as many texts and tokens as the provider takes at once."""
        longest = self.tokens * BYTES_PER_TOKEN
        batch: list[str] = []
        size = 0
        for text in texts:
            cut = readable(text).encode()[:longest].decode(errors="ignore")
            cost = self.count_tokens(cut)
            if batch and (len(batch) == self._provider.inputs or size + cost > self._provider.size):
                yield batch
                batch, size = [], 0
            batch.append(cut or " ")  # an empty text is refused by the protocol
            size += cost
        if batch:
            yield batch

    def _rows(self, batch: list[str], extra: Mapping[str, Any], patience: Patience) -> list[Any]:
        """The vectors of one request as they came, in the order of the texts."""
        body: dict[str, Any] = {"model": self._provider.model, "input": batch, **extra}
        if self._provider.dims_field:
            body[self._provider.dims_field] = self._provider.dims
        response = self._answer(body, patience)
        try:
            data = response.json()["data"]
            rows = {item.get("index", at): item["embedding"] for at, item in enumerate(data)}
            return [rows[at] for at in range(max(len(batch), len(data)))]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise self._error(
                "answered with something else than a vector for each text",
                f"check that {self._provider.url} is the address of an embedding server",
            ) from None

    def _checked(self, rows: list[Any], count: int, dims: int) -> "Vectors":
        try:
            return unit_rows(rows, count, dims)
        except ValueError as problem:
            raise self._error(
                f"sent vectors that cannot be used: {problem}",
                "check the model and the number of dimensions in the settings",
            ) from None

    def _answer(self, body: dict[str, Any], patience: Patience) -> "httpx.Response":
        """The first good answer; ProviderError for the last bad one."""
        attempt = 0
        while True:
            attempt += 1
            pause_s: float | None = None
            try:
                response = self._post(body, patience.timeout_s)
                if response.status_code == 200:
                    return response
                pause_s = self._asked_pause_s(response)
                failure = self._refusal(response)
            except ProviderError as problem:
                failure = problem
            if pause_s is None:
                pause_s = patience.pause_s(attempt)
            last = attempt == patience.attempts or pause_s > patience.longest_pause_s
            if last or not failure.retryable:
                raise failure
            self._sleep(pause_s)

    def _post(self, body: dict[str, Any], timeout_s: float) -> "httpx.Response":
        import httpx

        url = f"{self._provider.url.rstrip('/')}/embeddings"
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        if not (self._key.isascii() and self._key.isprintable()):
            raise self._error("has a key with a character that no key has", self._key_remedy())
        try:
            return self._opened().post(url, json=body, headers=headers, timeout=timeout_s)
        except httpx.TimeoutException:
            raise self._error(
                f"did not answer in {timeout_s:g} s", "try again later", retryable=True
            ) from None
        except httpx.UnsupportedProtocol:
            raise self._error(
                f"has an address that cannot be used: {url}", "begin it with https:// or http://"
            ) from None
        except httpx.InvalidURL:
            raise self._error(f"has an address that is none: {url}", "correct it") from None
        except httpx.HTTPError as problem:
            raise self._error(
                f"cannot be reached: {type(problem).__name__}",
                f"check the network and that a server runs at {self._provider.url}",
                retryable=True,
            ) from None

    def _opened(self) -> "httpx.Client":
        import httpx

        with self._lock:
            if self._client is None:
                self._client = httpx.Client(follow_redirects=False)
            return self._client

    def _refusal(self, response: "httpx.Response") -> ProviderError:
        status = response.status_code
        if status in {401, 403}:  # what a server says here may repeat the key
            return self._error(f"refused the key ({status})", self._key_remedy(), status)
        later = status in AGAIN or status >= 500
        remedy = "try again later" if later else "check the model and the address in the settings"
        said = self._said(response)
        return self._error(f"answered {status}{said}", remedy, status, retryable=later)

    def _said(self, response: "httpx.Response") -> str:
        """What the server says is wrong, in one line without the key; OpenAI and Voyage differ."""
        try:
            answer = response.json()
            error = answer.get("error") or answer.get("detail")
            message = error["message"] if isinstance(error, dict) else error
        except (ValueError, LookupError, AttributeError, RecursionError):
            return ""
        line = " ".join(str(message or "").split())
        line = line.replace(self._key, "***") if self._key else line
        return f": {line[:200]}" if line else ""

    def _asked_pause_s(self, response: "httpx.Response") -> float | None:
        """The pause of the Retry-After header, in seconds or as a date."""
        from email.utils import parsedate_to_datetime

        value = response.headers.get("retry-after", "")
        try:
            pause_s = float(value)
        except ValueError:
            try:
                pause_s = parsedate_to_datetime(value).timestamp() - self._now()
            except ValueError:
                return None
        return max(0.0, pause_s) if math.isfinite(pause_s) else None

    def _key_remedy(self) -> str:
        return f"set {self._provider.key} to a valid key"

    def _error(
        self, problem: str, remedy: str, status: int | None = None, *, retryable: bool = False
    ) -> ProviderError:
        return ProviderError(
            f"{self._provider.name} {problem}", remedy=remedy, status=status, retryable=retryable
        )
