"""Built: short ways to make what ranking is given, for its tests."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate, Evidence
from pinyon.model.profile import RankSection
from pinyon.search.rank import SIGNALS, Known
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


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def facts(id: str, **parts: Any) -> Facts:
    """Of a plain entry that was made and last changed NOW, unless said otherwise."""
    plain: dict[str, Any] = dict.fromkeys(
        ("domain", "severity", "doc_type", "memory_type", "author", "scope"), ""
    )
    plain |= {"kind": "entry", "tags": (), "importance": 3, "mentions": 0}
    plain |= {"created_at": NOW, "updated_at": NOW, "valid_from": None, "valid_until": None}
    return Facts(**{"id": id, **plain, "half_life": None, **parts})


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
    """What is known of some records NOW; words and meaning answered, unless said otherwise."""
    channels = parts.pop("channels", ("lexical", "vector"))
    given = {"now": NOW, "facts": {one.id: one for one in about}, **parts}
    return Known(channels=frozenset(channels), **given)


def signal(name: str, about: Sequence[Facts], how: RankSection, **parts: Any) -> list[float]:
    """One signal of the records with these facts."""
    candidates = [candidate(one.id) for one in about]
    return SIGNALS[name](candidates, known(*about, **parts), how)
