"""Server: one that takes JSON and gives JSON, asked with patience; what fails is one clear error.

The key goes into the Authorization header and nowhere else. Redirects are not followed: they would
carry the texts to somebody else.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pinyon.inference.check import readable
from pinyon.inference.contract import ProviderError
from pinyon.model.patience import check, left_s

if TYPE_CHECKING:
    import httpx

BYTES_PER_TOKEN = 3
"""An English token has about four bytes, a Chinese one three: this estimates rather too high."""

PIECE = 6
"""Characters of a key that a server may not be quoted with: some shorten it, or quote its end."""

MOST_BYTES = 2**26
"""Of an answer: four times the vectors of the largest request."""

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


@dataclass(frozen=True, slots=True)
class Clock:
    """What pauses need of the time."""

    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time


class Server:
    """A server by its name, its address, and the name of the variable that holds its key."""

    def __init__(
        self, name: str, url: str, *, variable: str, key: str | None, clock: Clock | None = None
    ) -> None:
        self.url = url
        self._name = name
        self._variable = variable
        self._key = (key or "").strip()
        self._clock = clock or Clock()
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def answer(self, path: str, body: Mapping[str, Any], patience: Patience) -> Any:
        """The JSON of the first good answer, None where it is none; ProviderError for the last
        refusal or failure. It takes no longer than a search has time that asks for it: OutOfTime.
        """
        attempt = 0
        while True:
            check()
            attempt += 1
            pause_s: float | None = None
            try:
                response = self._post(path, body, min(patience.timeout_s, left_s()))
                if response.status_code == 200:
                    return _json(response)
                pause_s = self._asked_pause_s(response)
                failure = self._refusal(response)
            except ProviderError as problem:
                failure = problem
            if pause_s is None:
                pause_s = patience.pause_s(attempt)
            longest_pause_s = min(patience.longest_pause_s, left_s())
            last = attempt == patience.attempts or pause_s > longest_pause_s
            if last or not failure.retryable:
                raise failure
            self._clock.sleep(pause_s)

    def error(
        self, problem: str, remedy: str, status: int | None = None, *, retryable: bool = False
    ) -> ProviderError:
        return ProviderError(
            f"{self._name} {problem}", remedy=remedy, status=status, retryable=retryable
        )

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = None

    def _post(self, path: str, body: Mapping[str, Any], timeout_s: float) -> "httpx.Response":
        import httpx

        url = f"{self.url.rstrip('/')}/{path}"
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        if not (self._key.isascii() and self._key.isprintable()):
            raise self.error("has a key with a character that no key has", self._key_remedy())
        try:
            asks = self._opened().stream("POST", url, json=body, headers=headers, timeout=timeout_s)
            with asks as response:
                content = self._read(response, time.monotonic() + timeout_s)
            plain = {"Retry-After": response.headers.get("retry-after", "")}
            return httpx.Response(response.status_code, headers=plain, content=content)
        except httpx.TimeoutException:
            raise self.error(
                f"did not answer in {timeout_s:g} s", "try again later", retryable=True
            ) from None
        except httpx.UnsupportedProtocol:
            raise self.error(
                f"has an address that cannot be used: {url}", "begin it with https:// or http://"
            ) from None
        except httpx.InvalidURL:
            raise self.error(f"has an address that is none: {url}", "correct it") from None
        except httpx.HTTPError as problem:
            raise self.error(
                f"cannot be reached: {type(problem).__name__}",
                f"check the network and that a server runs at {self.url}",
                retryable=True,
            ) from None

    def _read(self, response: "httpx.Response", until: float) -> bytes:
        """All of the answer. One that comes drop by drop takes no longer than any other."""
        import httpx

        content = bytearray()
        for part in response.iter_bytes():
            content += part
            if time.monotonic() > until:
                raise httpx.ReadTimeout("the whole took too long")
            if len(content) > MOST_BYTES:
                raise self.error("answered with too much", "check that it is such a server")
        return bytes(content)

    def _opened(self) -> "httpx.Client":
        import httpx

        with self._lock:
            if self._client is None:
                self._client = httpx.Client(follow_redirects=False)
            return self._client

    def _refusal(self, response: "httpx.Response") -> ProviderError:
        status = response.status_code
        if status in {401, 403}:  # what a server says here may repeat the key
            return self.error(f"refused the key ({status})", self._key_remedy(), status)
        later = status in AGAIN or status >= 500
        remedy = "try again later" if later else "check the model and the address in the settings"
        said = self._said(response)
        return self.error(f"answered {status}{said}", remedy, status, retryable=later)

    def _said(self, response: "httpx.Response") -> str:
        """What the server says is wrong, in one line without the key; each has its own place."""
        answer = _json(response)
        if not isinstance(answer, dict):
            return ""
        message = answer.get("error") or answer.get("detail") or answer.get("message")
        message = message.get("message") if isinstance(message, dict) else message
        line = " ".join(map(self._masked, str(message or "").split()))
        return f": {line[:200]}" if line else ""

    def _masked(self, word: str) -> str:
        """The word, unless it holds the key or a piece of it that would help somebody."""
        key = self._key
        pieces = {key[at : at + PIECE] for at in range(max(1, len(key) - PIECE + 1))}
        return "***" if key and any(piece in word for piece in pieces) else word

    def _asked_pause_s(self, response: "httpx.Response") -> float | None:
        """The pause of the Retry-After header, in seconds or as a date."""
        from email.utils import parsedate_to_datetime

        value = response.headers.get("retry-after", "")
        try:
            pause_s = float(value)
        except ValueError:
            try:
                pause_s = parsedate_to_datetime(value).timestamp() - self._clock.now()
            except ValueError:
                return None
        return max(0.0, pause_s) if math.isfinite(pause_s) else None

    def _key_remedy(self) -> str:
        return f"set {self._variable} to a valid key"


def cut(text: str, tokens: int) -> str:
    """The text without what is over so many tokens, estimated, and without what cannot be sent."""
    return readable(text).encode()[: tokens * BYTES_PER_TOKEN].decode(errors="ignore")


def _json(response: "httpx.Response") -> Any:
    try:
        return response.json()
    except (ValueError, RecursionError):
        return None
