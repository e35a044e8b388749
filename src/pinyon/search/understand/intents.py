"""Intents: the wish behind a question, heard in its words, and what it changes in a profile.

Keywords, what they count and what a wish changes are data: intents.toml.
"""

import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from operator import attrgetter, contains
from pathlib import Path
from typing import Any, NamedTuple

from pinyon.model.profile import INTENTS, Profile
from pinyon.model.query import Intent, Query
from pinyon.text.stems import stems, words

MOST = 3
"""The wishes that are told."""

DEFAULT = "understand"
"""The wish where none is heard."""

_WORDS = 40
"""A wish is said at once: further words only happen to be there."""

_BEGINNING = "^"

_LONGEST = 3
"""The words of the longest phrase that is no keyword."""

PARTS = ("primary", "secondary")

_WEIGHTS = ("rank.weights", "rank.with_vectors", "fuse.weights")
"""Where a profile says how much a channel or a signal counts."""

_LEAD = 3.0
"""How many times as much the lead over the next wish makes sure as the score itself."""


def intents_of(query: Query, given: str = "") -> tuple[Intent, ...]:
    """The likeliest wishes, at most three: first the one that is heard, then others that something
    speaks for. Where none reaches the threshold, it is to understand; with `given` it is that one,
    and that is sure."""
    known = _known()
    scores = _scores(_read(query, known.others), known)
    order = sorted(INTENTS, key=lambda name: -scores[name])
    heard = scores[order[0]] >= known.threshold
    first = given or (order[0] if heard else DEFAULT)
    # Unless a wish is heard, the threshold itself speaks for the default.
    against = scores if heard else {**scores, DEFAULT: known.threshold}
    told = [first, *(name for name in order if name != first and scores[name])][:MOST]
    return tuple(
        Intent(name, scores[name], 1.0 if name == given else _sure(name, against, known.threshold))
        for name in told
    )


def override_of(intent: str, profile: Profile | None = None) -> Mapping[str, Any]:
    """What the wish changes, by path: the kinds and types that it raises and, of a profile, the
    weights that it has. It gives it none: a profile without weights is fused by ranks, and stays
    so."""
    wish = _table()[intent]
    changes: dict[str, Any] = {
        f"rank.intent.{part}": wish[part] for part in ("kinds", "doc_types") if part in wish
    }
    for path in _WEIGHTS if profile and "weights" in wish else ():
        own: Mapping[str, float] = attrgetter(path)(profile)
        for name, factor in wish["weights"].items():
            if name in own:
                changes[f"{path}.{name}"] = own[name] * factor
    return changes


Pieces = tuple[frozenset[str], ...]
"""A keyword as stems: one of each, side by side."""


class _Keyword(NamedTuple):
    """`written` is what the data say: pieces side by side, each any of several words."""

    written: str
    intent: str
    counts: float


class _Known(NamedTuple):
    """The keywords by each stem that they may begin with."""

    keywords: Mapping[str, Sequence[_Keyword]]
    others: frozenset[str]
    threshold: float


def _read(query: Query, others: frozenset[str]) -> list[str]:
    """The stems of the question after its beginning, spelt as it was read; of `others` none."""
    respelt = {one.written.lower(): one.read for one in query.changes if one.why == "spelling"}
    found = words(" ".join(query.text.split(maxsplit=_WORDS)[:_WORDS]))
    written = [word.lower() for word, _ in found]
    read = [
        next(iter(stems(respelt[word])), "") if word in respelt else stem
        for word, (_, stem) in zip(written, found, strict=True)
    ]
    for at in range(len(written)):
        for end in range(at + 1, at + 1 + _LONGEST):
            if " ".join(written[at:end]) in others:
                read[at:end] = [""] * len(read[at:end])
    return [_BEGINNING, *read]


def _scores(read: Sequence[str], known: _Known) -> dict[str, float]:
    """What the keywords that stand there count together, each once; "secure" and "security" are
    one."""
    heard = {
        (keyword.intent, pieces, keyword.counts)
        for at, stem in enumerate(read)
        for keyword in known.keywords.get(stem, ())
        if _stand(pieces := _pieces(keyword.written), read[at : at + len(pieces)])
    }
    scores = dict.fromkeys(INTENTS, 0.0)
    for intent, _, counts in heard:
        scores[intent] += counts
    return scores


def _stand(pieces: Pieces, there: Sequence[str]) -> bool:
    return len(there) == len(pieces) and all(map(contains, pieces, there))


def _sure(name: str, scores: Mapping[str, float], threshold: float) -> float:
    """In [0, 1): x / (x + threshold), where x is the score and three times its lead over the best
    other one: it grows with both. Two wishes that just reach the threshold have a half each."""
    lead = scores[name] - max(score for other, score in scores.items() if other != name)
    evidence = scores[name] + _LEAD * max(lead, 0.0)
    return evidence / (evidence + threshold)


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("intents.toml").read_text("utf-8"))


@cache
def _known() -> _Known:
    table = _table()
    keywords: dict[str, list[_Keyword]] = defaultdict(list)
    for intent, part in product(INTENTS, PARTS):
        for written in table[intent][part]:
            keyword = _Keyword(written, intent, table[part])
            for stem in _any_of(written.partition(" ")[0]):
                keywords[stem].append(keyword)
    return _Known(keywords, frozenset(table["others"]), table["threshold"])


@cache
def _pieces(written: str) -> Pieces:
    """Made when the first one is heard: most never are."""
    return tuple(map(_any_of, written.split()))


@cache
def _any_of(piece: str) -> frozenset[str]:
    return frozenset(stems(piece.replace("|", " "))) or frozenset(piece)
