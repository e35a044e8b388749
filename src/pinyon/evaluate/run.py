"""Run: every question of a collection asked with one profile, and what the answers are worth."""

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pinyon.evaluate.collection import Question
from pinyon.evaluate.metrics import MEASURES, Mean, mean, measure
from pinyon.model.hit import Answer

DEPTH = 100
"""How many hits an answer must have room for: recall@100 looks no deeper."""

Ask = Callable[[Question], Answer]
"""Puts one question to an engine, inside its scope, for DEPTH hits, whose ids are those that the
labels name, each once."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The `means` of every measure over `queries` questions. `each` keeps the values themselves, by
    question, so that two runs can be compared in pairs. `remarks` counts the answers' warnings,
    `routes` says how each question was understood."""

    means: Mapping[str, Mean]
    queries: int
    p50_ms: float
    p95_ms: float
    each: Mapping[str, Mapping[str, float]]
    remarks: Mapping[str, int]
    routes: Mapping[str, str] = field(default_factory=dict)


def evaluate(
    questions: Sequence[Question],
    ask: Ask,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    timer: Callable[[], float] = time.perf_counter,
) -> Outcome:
    """Ask all of them, one after the other. Everything but the milliseconds is the same each time.

    The first question is asked twice, and timed the second time: what an engine loads once would
    otherwise stand in the p95 of a small collection.
    """
    each: dict[str, dict[str, float]] = {}
    routes: dict[str, str] = {}
    spent_ms: list[float] = []
    remarks: Counter[str] = Counter()
    for question in questions[:1]:
        ask(question)
    for done, question in enumerate(questions, 1):
        begun = timer()
        answer = ask(question)
        spent_ms.append((timer() - begun) * 1e3)
        each[question.id] = measure([hit.id for hit in answer], question.labels)
        routes[question.id] = answer.meta.get("route", "")
        remarks.update(answer.meta.get("warnings", ()))
        progress(done, len(questions))
    return Outcome(
        means={name: mean([values[name] for values in each.values()]) for name in MEASURES},
        queries=len(questions),
        p50_ms=percentile(spent_ms, 50),
        p95_ms=percentile(spent_ms, 95),
        each=each,
        remarks=dict(remarks),
        routes=routes,
    )


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that so many percent do not exceed."""
    return sorted(values)[max(math.ceil(len(values) * percent / 100), 1) - 1]
