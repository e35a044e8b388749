"""Rerank: the best candidates in, read again together with the question; the same candidates out,
ordered by both readings.

A first ranking looks at each record by itself, however many there are. A model that reads the
question and a text together judges better, but a text at a time: so it is given the best few, and
the first ranking keeps its say. Where the model cannot be had, the first ranking stands as it was.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pinyon.model.errors import PinyonError
from pinyon.model.hit import Candidate
from pinyon.model.profile import RERANK, RerankSection
from pinyon.model.record import Record
from pinyon.model.trace import Trace
from pinyon.text.passages import passages
from pinyon.text.prepare import prepare
from pinyon.text.snippet import Marker
from pinyon.text.stems import stems

SHORTEST = 0.8
"""What the signal of a text without any length is multiplied by."""


class Reading(NamedTuple):
    """A number for each text, in their order, higher for a better answer; the difference of any two
    is finite. `cached` says that nobody was asked for them now."""

    scores: Sequence[float]
    model: str
    ms: float
    cached: bool = False


Read = Callable[[str, Mapping[str, str]], Reading]
"""Reads a question with texts, by id. Raises PinyonError when it cannot."""


class Reranked(NamedTuple):
    """`told` is what the answer says of it, empty where the first ranking stands."""

    candidates: list[Candidate]
    told: dict[str, Any]


def rerank(
    candidates: Sequence[Candidate],
    records: Mapping[str, Record],
    question: str,
    marker: Marker,
    how: RerankSection,
    read: Read,
    trace: Trace,
) -> Reranked:
    """The best `how.candidates` are read, each by its best passage. `records` are theirs; one
    without a record is not read."""
    best = [one for one in candidates[: how.candidates] if one.id in records]
    if not best:
        return Reranked(list(candidates), {})
    texts = {one.id: text_of(one, records[one.id], marker) for one in best}
    try:
        reading = read(question, texts)
    except PinyonError as error:
        trace.warnings.append(f"not reranked: {error}")
        return Reranked(list(candidates), {})
    sizes = [len(records[one.id].body) or len(texts[one.id]) for one in best]
    heard = dict(zip(texts, signals(reading.scores, sizes, how), strict=True))
    ordered = blended(candidates, heard, how)
    told = {
        "model": reading.model,
        "candidates": len(best),
        "moved": sum(one.id != old.id for one, old in zip(ordered, candidates, strict=True)),
        "ms": round(reading.ms, 3),
        "cached": reading.cached,
    }
    return Reranked(ordered, told)


def text_of(candidate: Candidate, record: Record, marker: Marker) -> str:
    """The passage that meaning found, else the one with most of what was asked for, else the first;
    the id of a record without text."""
    found = passages(record)
    if not found:
        return record.id
    if candidate.span:
        first, last = candidate.span
        return max(found, key=lambda one: min(one.end, last) - max(one.start, first)).text
    return max(found, key=lambda one: _held(one.text, marker)).text


def signals(scores: Sequence[float], sizes: Sequence[int], how: RerankSection) -> list[float]:
    """From 0, the lowest of the scores, to 1, the highest; 1 where all are equal. Less for a text
    of fewer characters than `how.short`: it says too little to be trusted fully."""
    low, wide = min(scores), max(scores) - min(scores)
    return [
        ((score - low) / wide if wide else 1.0) * _trust(size, how.short)
        for score, size in zip(scores, sizes, strict=True)
    ]


def blended(
    candidates: Sequence[Candidate], read: Mapping[str, float], how: RerankSection
) -> list[Candidate]:
    """With the signal of those that were read in their score, by its weight; best first, ties by
    id. What was not read has 0 of it, keeps its order, and stays behind."""
    scored = [_scored(one, read.get(one.id, 0.0), how.weight) for one in candidates]
    again = [one for one in scored if one.id in read]
    again.sort(key=lambda one: (-one.score, one.id))
    return again + [one for one in scored if one.id not in read]


def _scored(candidate: Candidate, signal: float, weight: float) -> Candidate:
    return candidate._replace(
        score=(1 - weight) * candidate.score + weight * signal,
        signals={**candidate.signals, RERANK: signal},
    )


def _trust(size: int, short: int) -> float:
    return 1.0 if size >= short else SHORTEST + (1 - SHORTEST) * size / short


def _held(text: str, marker: Marker) -> int:
    """How many different things of those that were asked for stand in the text."""
    if marker.pieces:
        folded = text.casefold()
        return sum(piece.casefold() in folded for piece in marker.pieces)
    return sum(map(marker.wants, set(stems(prepare(text)))))
