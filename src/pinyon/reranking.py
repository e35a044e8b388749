"""Reranking: which model reads the best hits again, whether text may be sent to it, what it said a
moment ago, and when it is too slow to be asked.

What a profile or a store names is only a choice; whether text may be sent to a server is this
user's to say. Everything here lasts as long as the process.
"""

import hashlib
import json
import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from pinyon import settings
from pinyon.inference.contract import BrokenModel, ModelError, NoModel, Reranker
from pinyon.model.profile import Profile
from pinyon.search.rerank import Reading

AUTO = "auto"
"""The choice that takes the first server whose key is set, else the first model that is here."""

KEPT_S = 300.0
KEPT = 1_000
"""For how long scores are kept, and how many lists of them."""

LAST = 100
"""As many readings say how slow a model is."""

LEAST = 5
"""From so many on. Fewer may be bad luck; with more, too many searches would have waited. The 95th
percentile of five is the slowest of them, so one hiccup among the first few may switch a model off:
that costs a pause, while twenty slow searches cost somebody's patience."""

PAUSE_S, LONGEST_PAUSE_S = 60.0, 600.0
"""How long a slow model rests before it is tried again, at first and at most."""

Clock = Callable[[], float]
"""Seconds that only ever grow."""

Open = Callable[[str, Path, str | None], Reranker]
"""The reranker of a name, with this cache and key. Raises ModelError."""


def open_named(name: str, cache: Path, key: str | None) -> Reranker:
    from pinyon.inference.rerank.open import open_reranker

    return open_reranker(name, cache, key=key)


class Reranking:
    """The rerankers of this process, each opened once. Any number of threads may share it."""

    def __init__(self, opener: Open = open_named, clock: Clock = time.monotonic) -> None:
        self._opener = opener
        self._clock = clock
        self._lock = threading.Lock()
        self._open: dict[tuple[str, Path, str | None], Reranker] = {}
        self._guards: dict[str, Guard] = {}
        self._recent = Recent(clock)

    def read(
        self,
        question: str,
        texts: Mapping[str, str],
        profile: Profile,
        revision: int,
        *,
        named: bool = False,
    ) -> Reading:
        """How well each of the texts, by id, answers the question. `revision` is that of the store;
        `named` says that the caller chose the model in this call, and so agreed to it. Raises
        ModelError: also where a server was not agreed to, or the model is too slow for now."""
        begun = self._clock()
        model = self._opened(profile, named=named)
        key = key_of(question, texts, model.name, revision)
        scores = self._recent.get(key)
        cached = scores is not None
        if scores is None:
            read = [*texts.values()]
            with self._guard(model.name).watching(profile.rerank.slow_ms) as from_here:
                # New texts cost once what no later search pays: it does not count.
                model.prepare(read)
                from_here()
                scores = _checked(model.name, model.score(question, read), len(texts))
            self._recent.put(key, scores)
        return Reading(scores, model.name, (self._clock() - begun) * 1e3, cached)

    def _opened(self, profile: Profile, *, named: bool) -> Reranker:
        choice = chosen(profile.rerank.model)
        url = server(choice)
        if url and not named and not settings.allowed(url):
            raise NoModel(
                f"{choice} reads on {url}, and you have not agreed to send text there",
                remedy=f"name it in the search: --reranker {choice}; or for good: pinyon config set"
                f" profiles.{profile.name}.rerank.model {choice}",
            )
        known = (choice, settings.cache_folder(), settings.provider_key(choice))
        with self._lock:
            if known not in self._open:
                self._open[known] = self._opener(*known)
            return self._open[known]

    def _guard(self, model: str) -> "Guard":
        with self._lock:
            return self._guards.setdefault(model, Guard(model, self._clock))


def chosen(name: str) -> str:
    """What a choice stands for. Raises NoModel where it stands for nothing."""
    if not name:
        raise NoModel("the profile names no reranker", remedy="name one with --reranker")
    if name != AUTO:
        return name
    from pinyon.inference.models import known
    from pinyon.inference.rerank.open import first_available

    keyed = [each for each in known().rerankers if settings.provider_key(each)]
    found = first_available(settings.cache_folder(), keyed)
    if not found:
        raise NoModel(
            "auto found no reranker: no key is set, and no model is here",
            remedy="fetch one with `pinyon model pull minilm`, and take `late`",
        )
    return found


def server(choice: str) -> str:
    """The address that text is sent to, "" for a model on this machine."""
    from pinyon.inference.rerank.open import reranker_server

    return reranker_server(choice)


def agree(name: str) -> str:
    """Keep that this user agreed to send text to the server of a choice; its address, "" where it
    has none. For what the user chose himself, on his own machine."""
    try:
        url = server(chosen(name))
    except NoModel:  # auto, with nothing to take yet
        return ""
    if url:
        settings.allow(url)
    return url


class Recent:
    """Scores of a moment ago: at most so many lists, the oldest leave first, each for KEPT_S. Any
    number of threads may share it."""

    def __init__(self, clock: Clock, most: int = KEPT) -> None:
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[bytes, tuple[float, list[float]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> list[float] | None:
        with self._lock:
            at, scores = self._kept.get(key, (-math.inf, []))
            return list(scores) if self._clock() - at < KEPT_S else None

    def put(self, key: bytes, scores: Sequence[float]) -> None:
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = (self._clock(), list(scores))
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def key_of(question: str, texts: Mapping[str, str], model: str, revision: int) -> bytes:
    """SHA-256 of all that scores depend on. The texts are in it because one process may have
    several stores open, with the same ids at the same revision."""
    whole = json.dumps([question, model, revision, *texts.items()])
    return hashlib.sha256(whole.encode()).digest()


class Guard:
    """Watches how long one model takes, and lets it rest while it is too slow: when the 95th
    percentile of its last readings is more than `slow_ms`. After a pause one search tries it again;
    a fast one ends the rest, a slow one begins a longer one. Any number of threads may share it.

    The first reading loads the model, which no later one does: it does not count. One that failed
    counts where it was slow, for somebody waited for it.
    """

    def __init__(self, model: str, clock: Clock) -> None:
        self._model = model
        self._clock = clock
        self._lock = threading.Lock()
        self._last_ms: deque[float] = deque(maxlen=LAST)
        self._loaded = False
        self._trying = False
        self._rests_until = -math.inf
        self._pause_s = PAUSE_S

    @contextmanager
    def watching(self, slow_ms: float) -> Iterator[Callable[[], None]]:
        """Around one reading; gives what begins its time anew. Raises ModelError instead while the
        model rests."""
        trial = self._admit(slow_ms)
        begun = self._clock()
        failed = True

        def from_here() -> None:
            nonlocal begun
            begun = self._clock()

        try:
            yield from_here
            failed = False
        finally:
            self._note((self._clock() - begun) * 1e3, slow_ms, trial=trial, failed=failed)

    def _admit(self, slow_ms: float) -> bool:
        """Whether this is a trial of a model that rests."""
        with self._lock:
            p95_ms = self._p95_ms()
            if p95_ms <= slow_ms:
                return False
            rest_s = self._rests_until - self._clock()
            if rest_s <= 0 and not self._trying:
                self._trying = True
                return True
        again = f"in {math.ceil(rest_s)} s" if rest_s > 0 else "just now"
        raise ModelError(
            f"{self._model} is too slow: {p95_ms:,.0f} ms, and rerank.slow_ms is {slow_ms:,.0f}",
            remedy=f"it is tried again {again}; raise rerank.slow_ms, lower rerank.candidates or"
            " choose another rerank.model",
        )

    def _note(self, ms: float, slow_ms: float, *, trial: bool, failed: bool) -> None:
        with self._lock:
            loaded, self._loaded = self._loaded, True
            slow = ms > slow_ms
            if trial:
                self._trying = False
                if not slow and not failed:
                    self._last_ms.clear()
                    self._pause_s = PAUSE_S
                else:
                    self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
                    self._rests_until = self._clock() + self._pause_s
            if loaded and (slow or not failed):
                self._last_ms.append(ms)
            if not trial and self._p95_ms() > slow_ms:
                self._rests_until = self._clock() + self._pause_s

    def _p95_ms(self) -> float:
        """0 where too few are known."""
        if len(self._last_ms) < LEAST:
            return 0.0
        ordered = sorted(self._last_ms)
        return ordered[math.ceil(0.95 * len(ordered)) - 1]


def _checked(model: str, scores: Sequence[float], count: int) -> list[float]:
    """The scores, if they are as a reranker promises. Raises BrokenModel."""
    good = len(scores) == count and all(map(math.isfinite, scores))
    if not good or not math.isfinite(max(scores) - min(scores)):
        raise BrokenModel(
            f"{model} did not give a finite number for each of {count} texts",
            remedy="choose another one with --reranker",
        )
    return list(scores)


SHARED = Reranking()
"""Those that every engine of this process asks."""
