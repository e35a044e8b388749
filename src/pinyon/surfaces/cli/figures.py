"""Figures: what was measured, as a table, in words, as JSON and as the points of a plot."""

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pinyon import __version__
from pinyon.evaluate.collection import Question
from pinyon.evaluate.metrics import MEASURES, Mean
from pinyon.evaluate.paired import Difference, compare
from pinyon.evaluate.plot import Point
from pinyon.evaluate.run import Outcome
from pinyon.evaluate.slices import LENGTHS, Slice, slices
from pinyon.model.profile import ROUTES
from pinyon.surfaces.cli.output import clean, emit, painter

HEADINGS = ("nDCG@10", "recall@10", "recall@100", "MRR@10", "queries", "p50 ms", "p95 ms")

WIDTHS = (13, 9, 10, 8, 8, 9, 9)
"""Columns of the headings, so that a row can be shown as soon as it is known."""

SHOWN = ("ndcg@10", "recall@10", "recall@100", "mrr@10")

TITLES = {"ndcg@10": "nDCG@10", "recall@10": "recall@10"}

PLOTTED = "recall@10"


@dataclass(frozen=True, slots=True)
class Measured:
    """One collection: its questions, and what each profile made of them. `hashes` name the profiles
    as they were, `model` is the one that embedded, if any did."""

    collection: str
    questions: Sequence[Question]
    outcomes: Mapping[str, Outcome]
    hashes: Mapping[str, str]
    model: str
    remarks: Sequence[str] = ()


def to_json(measured: Measured, *, each: bool) -> dict[str, Any]:
    """With `each`, the figures of every question too."""
    return {
        "collection": measured.collection,
        "version": __version__,
        "model": measured.model,
        "profiles": {
            name: {
                **{measure: round(outcome.means[measure].value, 6) for measure in MEASURES},
                "queries": outcome.queries,
                "p50_ms": round(outcome.p50_ms, 3),
                "p95_ms": round(outcome.p95_ms, 3),
                "intervals": {measure: _interval(outcome.means[measure]) for measure in MEASURES},
                "hash": measured.hashes[name],
                "slices": {
                    by: {value: _slice(one) for value, one in found.items()}
                    for by, found in slices(measured.questions, outcome).items()
                },
                **({"each": outcome.each} if each else {}),
            }
            for name, outcome in measured.outcomes.items()
        },
        "comparisons": [
            {
                "profile": other,
                "with": first,
                **{name: {"difference": round(d.value, 6), "p": d.p} for name, d in found.items()},
            }
            for first, other, found in _compared(measured)
        ],
        "remarks": list(measured.remarks),
    }


def points(measured: Sequence[Measured]) -> list[Point]:
    return [
        Point(each.collection, profile, outcome.p50_ms, mean.value, mean.low, mean.high)
        for each in measured
        for profile, outcome in each.outcomes.items()
        for mean in (outcome.means[PLOTTED],)
    ]


def sentences(measured: Sequence[Measured]) -> Iterator[str]:
    """Which differences between the first profile and each other one are real."""
    several = len(measured) > 1
    found: dict[tuple[str, str], list[Difference]] = {}
    for each in measured:
        for first, other, differences in _compared(each):
            found.setdefault((first, other), []).append(differences["ndcg@10"])
            where = f"{clean(each.collection)}: " if several else ""
            yield where + _sentence(first, other, differences)
    for (first, other), all_of in found.items() if several else ():
        real = [each.value for each in all_of if each.real]
        mean = math.fsum(each.value for each in all_of) / len(all_of)
        yield (
            f"{other} against {first} over {len(all_of)} collections: {_signed(mean)} nDCG@10 in"
            f" the mean; better on {sum(value > 0 for value in real)}, worse on"
            f" {sum(value < 0 for value in real)}, no real difference on"
            f" {len(all_of) - len(real)}"
        )


class Table:
    """Rows under a heading, each shown when it is known."""

    def __init__(
        self,
        collections: Mapping[str, Sequence[Question]],
        profiles: Sequence[str],
        *,
        sliced: bool,
    ) -> None:
        self._paint = painter(sys.stdout)
        self._sliced = sliced
        names = ["collection", *map(clean, collections), f"mean of {len(collections)}"]
        if sliced:
            known = {q.category for questions in collections.values() for q in questions}
            values = {*map(clean, known), *LENGTHS, *ROUTES}
            names += [_indented("category", value) for value in values]
        self._first = max(map(len, names))
        self._second = max(map(len, ("profile", *profiles)))
        self._begun = False

    def show(self, collection: str, profile: str, outcome: Outcome, of: Sequence[Question]) -> None:
        """The row of a profile and, where they are wanted, those of its slices."""
        if not self._begun:
            emit(self._paint("quiet", self._row("collection", "profile", HEADINGS)))
            self._begun = True
        ndcg = outcome.means["ndcg@10"]
        first, *others = (f"{outcome.means[name].value:.3f}" for name in SHOWN)
        values = (
            f"{first} ± {(ndcg.high - ndcg.low) / 2:.3f}",
            *others,
            f"{outcome.queries:,}",
            f"{outcome.p50_ms:,.1f}",
            f"{outcome.p95_ms:,.1f}",
        )
        emit(self._row(clean(collection), profile, values))
        for by, found in slices(of, outcome).items() if self._sliced else ():
            for name, one in found.items():
                emit(self._row(_indented(by, clean(name)), profile, _figures(one)))

    def finish(self, measured: Sequence[Measured]) -> None:
        """The means over the collections, each counting as one, and what differs."""
        if len(measured) > 1:
            for profile in measured[0].outcomes:
                outcomes = [each.outcomes[profile] for each in measured]
                one = Slice(
                    sum(outcome.queries for outcome in outcomes),
                    {
                        name: math.fsum(each.means[name].value for each in outcomes) / len(outcomes)
                        for name in SHOWN
                    },
                )
                emit(self._row(f"mean of {len(measured)}", profile, _figures(one)))
        said = list(sentences(measured))
        if said:
            emit("\n".join(["", *said]))

    def _row(self, collection: str, profile: str, values: Sequence[str]) -> str:
        cells = (f"{value:>{width}}" for value, width in zip(values, WIDTHS, strict=False))
        return f"{collection:<{self._first}}  {profile:<{self._second}}  {'  '.join(cells)}"


def _figures(one: Slice) -> list[str]:
    """Under the headings up to the number of queries; time belongs to a whole run."""
    first, *others = (f"{one.means[name]:.3f}" for name in SHOWN)
    return [f"{first}        ", *others, f"{one.queries:,}"]


def _indented(by: str, value: str) -> str:
    return f"  {by}: {value}"


def _compared(measured: Measured) -> Iterator[tuple[str, str, dict[str, Difference]]]:
    """Each other profile with the first one."""
    first, *others = measured.outcomes
    for other in others:
        yield (
            first,
            other,
            compare(measured.outcomes[first].each, measured.outcomes[other].each),
        )


def _sentence(first: str, other: str, differences: Mapping[str, Difference]) -> str:
    """It is nDCG@10 that decides; the rest stands behind it."""
    told = (f"{_signed(d.value)} {TITLES[name]} ({_p(d.p)})" for name, d in differences.items())
    ndcg = differences["ndcg@10"]
    if not ndcg.real:
        return f"no real difference between {other} and {first}: {', '.join(told)}"
    return f"{other} is {'better' if ndcg.value > 0 else 'worse'} than {first}: {', '.join(told)}"


def _signed(value: float) -> str:
    """+.031, -.004: without the 0 that all of them share."""
    return f"{value:+.3f}".replace("0.", ".", 1)


def _p(value: float) -> str:
    """Two digits, or three where it matters."""
    if value < 0.0005:
        return "p < .001"
    if value >= 0.995:
        return "p 1"
    return f"p {value:.{3 if value < 0.1 else 2}f}".replace("0.", ".", 1)


def _interval(mean: Mean) -> list[float]:
    return [round(mean.low, 6), round(mean.high, 6)]


def _slice(one: Slice) -> dict[str, Any]:
    figures = {name: round(value, 6) for name, value in one.means.items()}
    return {**figures, "queries": one.queries}
