"""BM25: the score of a record from its stored stems, with any constants and field weights.

Beside the score stands what speaks for the record whatever else was found: how much of the question
it holds, how much of that in its title, and how much of it side by side.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pinyon.model.query import FIELDS, Phrase

TITLES = ("title", "aliases")
"""The fields that name a record."""


def idf(documents: int, df: int) -> float:
    """Always positive: a word that stands everywhere still counts a little."""
    return math.log((documents - df + 0.5) / (df + 0.5) + 1)


def length_counts(mean: float, half: float) -> float:
    """The b of a store: how much a length is held against a text. A long page holds the words of
    any question; but of two remarks of a conversation the shorter one is not the better answer."""
    times = half / mean if mean else math.inf
    return 1 / (1 + times * times)


def units(phrase: Phrase) -> tuple[str, ...]:
    """What is counted of a phrase: its stems; of a light one of several all together, as they stand
    side by side in the stored form. Else what an acronym may stand for would bring all that holds
    one word of it."""
    joined = phrase.weight < 1 and len(phrase.stems) > 1
    return ("  ".join(phrase.stems),) if joined else phrase.stems


class Term(NamedTuple):
    """A stem that is asked for: in how many records it stands, in which field it must stand (empty:
    any), and whether it is only the beginning of a word. One of a `weight` below 1 is *light*: not
    what was asked, but what it may also mean. Its information counts times that, and less what
    the record holds of the stems that it stands `instead` of."""

    stem: str
    df: int
    field: str = ""
    prefix: bool = False
    weight: float = 1.0
    instead: tuple[str, ...] = ()


class Scorer:
    """Built once per question, then called for each record."""

    def __init__(
        self,
        terms: Sequence[Term],
        fields: Mapping[str, float],
        documents: int,
        tokens: Mapping[str, int],
        k1: float,
        b: float,
        half: float = 0.0,
    ) -> None:
        """`terms` in the order of the question; `tokens` counts the stems of each field over all
        `documents`. Light terms make no pairs, and a record can do without them: shares are those
        of the other terms, where there are any. `half` is the mean length of which b is .5; without
        it, b is what is given."""
        searched = [(at, name) for at, name in enumerate(FIELDS) if name in fields]
        self._searched = [at for at, _ in searched]
        mean_length = math.fsum(tokens[name] for _, name in searched) / max(documents, 1)
        b = length_counts(mean_length, half) if half else b
        self._k1, self._short, self._long = k1, k1 * (1 - b), k1 * b / max(mean_length, 1e-9)
        full = [term for term in terms if term.weight >= 1]
        before = dict(zip(full[1:], full, strict=False))
        self._terms = [
            (
                f" {term.stem}" if term.prefix else f" {term.stem} ",
                idf(documents, term.df) * term.weight,
                fields.get("body", 0.0) if term.field in ("", "body") else 0.0,
                [
                    (at, fields[name], name in TITLES)
                    for at, name in searched
                    if name != "body" and term.field in ("", name)
                ],
                _pair(before[term], term, tuple(self._searched)) if term in before else None,
                term.weight < 1,
            )
            for term in terms
        ]
        self._instead = [
            (at, [i for i, other in enumerate(terms) if other.stem in term.instead and i != at])
            for at, term in enumerate(terms)
            if term.instead
        ]
        counted = [term for term in self._terms if not term[-1]] or self._terms
        self._information = math.fsum(term[1] for term in counted)
        self._pairs = max(len(full) - 1, 1)

    def __call__(self, lines: str) -> tuple[float, float, float, float]:
        """Of a record with these stems: the BM25 score, the share of the information asked for that
        it holds, the share that its title or aliases hold, and the share of the pairs of
        neighbouring terms that stand side by side in one field; 0 where there is a single term."""
        rows = lines.split("\n")
        length = 0
        for at in self._searched:
            if len(rows[at]) > 2:  # a shorter line holds no stem
                length += rows[at].count("  ") + 1
        norm = self._short + self._long * length
        # The body apart: it is most of the text, and is to be read once.
        body, rows[_BODY] = rows[_BODY], ""
        rest = "\n".join(rows)
        scores, shares, titles = ([0.0] * len(self._terms) for _ in range(3))
        pairs, before = 0, False
        for number, (needle, weight, boost, places, pair, light) in enumerate(self._terms):
            tf = boost * body.count(needle) if boost else 0.0
            if left := rest.count(needle):
                titled = False
                for at, more, is_title in places:
                    if hits := rows[at].count(needle):
                        tf += more * hits
                        titled = titled or is_title
                        left -= hits
                        if not left:
                            break
                if titled:
                    titles[number] = weight
            if tf:
                scores[number] = weight * tf * (self._k1 + 1) / (tf + norm)
                shares[number] = weight
                if before and pair and (pair[0] in body or pair[0] in rest):
                    pairs += pair[1] is None or _stands(pair[1], pair[2], lines)
            before = before if light else bool(tf)
        for number, others in self._instead:
            for values in (scores, shares, titles):
                said = math.fsum(values[other] for other in others)
                values[number] = max(values[number] - said, 0.0)
        # fsum, not sum: the order of the terms must not decide a tie.
        return (
            math.fsum(scores),
            min(math.fsum(shares) / self._information, 1.0) if any(shares) else 0.0,
            min(math.fsum(titles) / self._information, 1.0) if any(titles) else 0.0,
            pairs / self._pairs,
        )


_BODY = FIELDS.index("body")

_Pair = tuple[str, re.Pattern[str] | None, tuple[int, ...]]
"""What stands in every record that has a pair; where that is not enough, what to look for, and in
which lines."""


def _pair(first: Term, second: Term, searched: tuple[int, ...]) -> _Pair:
    beginning = f" {first.stem}" if first.prefix else f" {first.stem} "
    end = f" {second.stem}" if second.prefix else f" {second.stem} "
    bound = {term.field for term in (first, second) if term.field}
    within = tuple(at for at in searched if bound <= {FIELDS[at]})
    if not first.prefix and len(within) == len(FIELDS):
        return beginning + end, None, within
    pattern = re.compile(re.escape(beginning) + ("[^ ]* " if first.prefix else "") + re.escape(end))
    return (beginning if first.prefix else beginning + end), pattern, within


def _stands(pattern: re.Pattern[str], within: tuple[int, ...], lines: str) -> bool:
    rows = lines.split("\n")
    return any(pattern.search(rows[at]) for at in within)
