"""Built: short ways to make what ranking is given, for its tests."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pinyon.model.facts import Facts, microseconds
from pinyon.model.hit import Candidate, Evidence
from pinyon.model.profile import RankSection
from pinyon.search.rank import Known, signal_of
from tests.store.world import NOW

NINE_TYPES: Mapping[str, float] = {
    "working": 1,
    "episodic": 7,
    "prospective": 14,
    "implicit": 30,
    "declarative": 60,
    "procedural": 90,
    "semantic": 180,
    "autobiographical": 365,
    "meta-cognitive": 0,
}
SEVERITY: Mapping[str, float] = {"critical": 1.0, "warning": 0.7, "suggestion": 0.4}
DOC_TYPES: Mapping[str, float] = {
    "spec": 1.4,
    "decision_record": 1.4,
    "plan": 1.3,
    "tasks": 1.1,
    "summary": 1.1,
    "research": 1.1,
    "checklist": 1.0,
    "handover": 1.0,
}


DATES: Mapping[str, str] = {
    "created_at": "created_us",
    "updated_at": "updated_us",
    "valid_from": "valid_from_us",
    "valid_until": "valid_until_us",
    "used_at": "used_us",
}


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def us(date: datetime | None) -> int | None:
    return None if date is None else microseconds(date)


def facts(id: str, **parts: Any) -> Facts:
    """Of a plain entry that was made and last changed NOW, unless said otherwise. Dates are given
    as such: `created_at` and the like."""
    plain: dict[str, Any] = dict.fromkeys(
        ("domain", "severity", "doc_type", "memory_type", "author", "scope"), ""
    )
    plain |= {"kind": "entry", "importance": 3, "mentions": 0}
    plain |= {"created_at": NOW, "updated_at": NOW, "valid_from": None, "valid_until": None}
    given = {"id": id, **plain, "half_life": None, **parts}
    return Facts(**{DATES.get(name, name): _plain(value) for name, value in given.items()})


def _plain(value: Any) -> Any:
    return us(value) if isinstance(value, datetime) else value


def candidate(
    id: str,
    signals: Mapping[str, float] | None = None,
    *,
    ranks: Mapping[str, int] | None = None,
    score: float = 0.0,
    title: float = 0.0,
) -> Candidate:
    """Found by words, first, unless said otherwise."""
    signals = {"lexical": 1.0} if signals is None else signals
    ranks = dict.fromkeys(signals, 1) if ranks is None else ranks
    return Candidate(id, score, 0.0, signals, ranks, evidence=Evidence(title=title))


def known(*about: Facts, **parts: Any) -> Known:
    """What is known of some records NOW; words and meaning answered, unless said otherwise. `now`
    and `period` are given as dates; `df` counts all words of the records."""
    channels = parts.pop("channels", ("lexical", "vector"))
    now, period = parts.pop("now", NOW), parts.pop("period", None)
    given = {"now_us": us(now), "facts": {one.id: one for one in about}, **parts}
    given["period_us"] = period and tuple(map(us, period))
    given["lengths"] = {one.id: _length(one.terms, parts) for one in about}
    return Known(channels=frozenset(channels), **given)


def _length(terms: Mapping[str, int], parts: Mapping[str, Any]) -> float:
    """Of a TF-IDF vector."""
    idf = {stem: math.log((parts["documents"] + 1) / (parts["df"][stem] + 1)) + 1 for stem in terms}
    return math.hypot(*(count * idf[stem] for stem, count in terms.items()))


def signal(name: str, about: Sequence[Facts], how: RankSection, **parts: Any) -> list[float]:
    """One signal of the records with these facts."""
    candidates = [candidate(one.id) for one in about]
    return signal_of(name)(candidates, about, known(*about, **parts), how)
