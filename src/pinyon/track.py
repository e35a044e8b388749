"""Track: what searches leave behind, written after the answer: what was used, what was asked.

Nothing here may delay or fail a search. `answered` only puts something into a queue; a thread, or
the close of the store, writes it in one go, and what cannot be written at once is dropped.
"""

import math
import threading
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.facts import DAY_US, Facts, microseconds
from pinyon.model.hit import Answer
from pinyon.model.profile import Profile, RankSection
from pinyon.profiles.configured import PLAIN
from pinyon.search.rank.half_life import faded, half_life_of, strength_at

if TYPE_CHECKING:
    from pinyon.model.use import Asked, Noted, Use
    from pinyon.store.contract import Store, View

RISE = 0.1
"""What a use adds to the strength of a record."""

GROWTH = 2.0
"""How much a use adds to the stability of a record of difficulty 1 that was wholly forgotten, in
stabilities."""

USUAL, EASIEST, HARDEST = 5.0, 1.0, 10.0
"""The difficulty that records begin with, and its limits."""

PULL = 0.1
"""The part of the way back to the usual difficulty that each use goes."""

LONGEST_DAYS = 36_500.0
"""The most stable record: a century."""

DELAY_S = 1.0
"""How long what searches left waits for more of it."""

PATIENCE_S = 1.0
"""How long a close waits for the thread to write."""

MOST_WAITING = 1_000
"""Searches; the oldest are dropped first."""

LONGEST_TEXT = 1_000
"""Characters of a question that are logged."""

SHOWN = 10
"""Questions in each list of a summary."""


def used(use: "Use | None", facts: Facts, now: datetime, how: RankSection) -> "Use":
    """The use of a record that is used now, once more.

    The strength rises by RISE from what time left of it, to at most 1. The rest is spaced
    repetition, after the ideas of FSRS (Ye 2022) but simpler, for there are no grades:

    - R = 2 ^ (-days since the last review / stability) is what is left of the memory;
      the first stability is the half-life of the record, counted from its last change.
    - Stability grows by the factor 1 + GROWTH x (11 - difficulty) / 10 x (1 - R): most where it was
      nearly forgotten, and hardly where it was used a moment ago.
    - Difficulty, from 1 to 10, rises by 1/2 - R: what was hardly kept is hard. Then it goes a tenth
      of the way back to the usual 5.
    """
    from pinyon.model.use import Use

    half_life = half_life_of(facts, how.half_lives, how.fading) or LONGEST_DAYS
    stability = use.stability if use else half_life
    difficulty = use.difficulty if use else USUAL
    now_us = microseconds(now)
    reviewed_us = facts.updated_us if facts.used_us is None else facts.used_us
    if use and use.reviewed_at:
        reviewed_us = microseconds(use.reviewed_at)
    left = faded((now_us - reviewed_us) / DAY_US, stability)
    growth = 1 + GROWTH * (HARDEST + 1 - difficulty) / 10 * (1 - left)
    shifted = difficulty + 0.5 - left
    pulled = shifted + PULL * (USUAL - shifted)
    return Use(
        times=(use.times if use else 0) + 1,
        used_at=now,
        strength=min(1.0, strength_at(now_us, facts, how) + RISE),
        stability=min(stability * growth, LONGEST_DAYS),
        difficulty=min(max(pulled, EASIEST), HARDEST),
        reviews=(use.reviews if use else 0) + 1,
        reviewed_at=now,
    )


class Left(NamedTuple):
    """What one search left behind. Without `ids` it counts no use; without a `text` it is not
    logged."""

    at: datetime
    text: str
    profile: str
    how: RankSection
    ids: tuple[str, ...]
    kinds: tuple[str, ...]
    found: int
    ms: float


class Tracker:
    """Writes what searches left into their store, now and then. Any number of threads may use one.
    With `background` a thread does it, `delay_s` after a search; else nothing is written before
    `flush` or `close`."""

    def __init__(
        self, store: "Store", *, background: bool = False, delay_s: float = DELAY_S
    ) -> None:
        self._store = store
        self._background = background
        self._delay_s = delay_s
        self._left: deque[Left] = deque(maxlen=MOST_WAITING)
        self._writing = threading.Lock()
        self._starting = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def answered(self, answer: Answer, text: str, profile: Profile, now: datetime) -> None:
        """A search was answered. Never raises, never waits, does not touch the file."""
        track, hits = profile.track, answer.hits
        if self._closing.is_set() or not (track.use or track.log):
            return
        self._left.append(
            Left(
                now,
                text[:LONGEST_TEXT] if track.log else "",
                profile.name,
                profile.rank,
                tuple(hit.id for hit in hits) if track.use else (),
                tuple(dict.fromkeys(hit.kind for hit in hits)),
                len(hits),
                float(answer.meta.get("ms", 0.0)),
            )
        )
        if self._background:
            self._wake.set()
            if self._thread is None:
                self._begin()

    def flush(self) -> bool:
        """Write what is there; False where it was dropped. Never raises."""
        with self._writing:
            left = [self._left.popleft() for _ in range(len(self._left))]
            if not left:
                return True
            try:
                with self._store.snapshot() as view:
                    noted = _noted(view, left)
                return noted is None or self._store.note(noted)
            except Exception:  # whatever it is: use may be lost, but no search fails for it
                return False

    def close(self) -> None:
        """Write what is left. A second close does nothing."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(PATIENCE_S)
        if self._thread is None or not self._thread.is_alive():
            self.flush()

    def _begin(self) -> None:
        with self._starting:
            if self._thread is None:
                thread = threading.Thread(target=self._work, name="pinyon-track", daemon=True)
                try:
                    thread.start()
                except RuntimeError:
                    return  # no more threads: it is written at the close
                self._thread = thread

    def _work(self) -> None:
        while not self._closing.is_set():
            self._wake.wait()
            if not self._closing.wait(self._delay_s):
                self._wake.clear()
                self.flush()


def _noted(view: "View", left: Sequence[Left]) -> "Noted | None":
    """What is to be written, as far as the settings of the store allow it."""
    from pinyon.model.use import Asked, Noted

    settings = {**PLAIN, **view.settings()}
    logged = [one for one in left if one.text.strip() and settings["log_queries"] == "true"]
    counted = [one for one in left if one.ids and settings["track_use"] == "true"]
    if not logged and not counted:
        return None
    return Noted(
        used=_uses(view, counted),
        asked=[
            Asked(one.at, one.text, one.profile, one.kinds, one.found, one.ms) for one in logged
        ],
        keep=int(settings["log_most"]),
        keep_since=left[-1].at - timedelta(days=int(settings["log_days"])),
    )


def _uses(view: "View", left: Iterable[Left]) -> "dict[str, Use]":
    """The use of each record as it is now, with what was added to its counts."""

    ids = tuple(dict.fromkeys(id for one in left for id in one.ids))
    if not ids:
        return {}
    facts, before = view.facts(ids), view.uses(ids)
    after = dict(before)
    for one in left:
        for id in one.ids:
            if id in facts:
                after[id] = use = used(after.get(id), facts[id], one.at, one.how)
                used_us = microseconds(use.used_at)
                facts[id] = facts[id]._replace(strength=use.strength, used_us=used_us)
    return {
        id: use._replace(
            times=use.times - (before[id].times if id in before else 0),
            reviews=use.reviews - (before[id].reviews if id in before else 0),
        )
        for id, use in after.items()
        if id in facts
    }


class Day(NamedTuple):
    """The questions of one day, in UTC; `unanswered` of them found nothing."""

    day: str
    asked: int
    unanswered: int
    p50_ms: float
    p95_ms: float


class QueryStats(NamedTuple):
    """What was asked. `common` and `unanswered` are questions, without regard to capitals and
    spaces, with the number of times that they were asked or found nothing, most first; `kinds`
    counts the answers that held a kind; `days` are those with questions, oldest first. Milliseconds
    are percentiles: of a hundred answers, so many were as fast or faster."""

    asked: int
    common: tuple[tuple[str, int], ...]
    unanswered: tuple[tuple[str, int], ...]
    kinds: Mapping[str, int]
    profiles: Mapping[str, int]
    mean_found: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    days: tuple[Day, ...] = ()


def summary(log: "Sequence[Asked]") -> QueryStats:
    """The questions of a log in a few numbers."""
    # Imported here: every search from the shell loads this module, and few sum up.
    from pinyon.evaluate.run import percentile

    times = [asked.ms for asked in log] or [0.0]
    return QueryStats(
        asked=len(log),
        common=tuple(_most(_folded(asked.text) for asked in log)[:SHOWN]),
        unanswered=tuple(_most(_folded(asked.text) for asked in log if not asked.found)[:SHOWN]),
        kinds=dict(_most(kind for asked in log for kind in asked.kinds)),
        profiles=dict(_most(asked.profile for asked in log)),
        mean_found=math.fsum(asked.found for asked in log) / len(log) if log else 0.0,
        p50_ms=percentile(times, 50),
        p95_ms=percentile(times, 95),
        p99_ms=percentile(times, 99),
        days=_days(log),
    )


def _days(log: "Sequence[Asked]") -> tuple[Day, ...]:
    """Only days with questions, in their order."""
    from pinyon.evaluate.run import percentile

    by_day: dict[str, list[Asked]] = {}
    for asked in log:
        by_day.setdefault(asked.at.date().isoformat(), []).append(asked)
    return tuple(
        Day(
            day,
            len(some),
            sum(not asked.found for asked in some),
            percentile([asked.ms for asked in some], 50),
            percentile([asked.ms for asked in some], 95),
        )
        for day, some in sorted(by_day.items())
    )


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _most(values: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))
