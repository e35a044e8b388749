"""BM25: the score of a record from its stored stems, with any constants and field weights.

Beside the score stands what speaks for the record whatever else was found: how much of the question
it holds, how much of that in its title, and how much of it side by side.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pinyon.model.query import FIELDS

TITLES = ("title", "aliases")
"""The fields that name a record."""


def idf(documents: int, df: int) -> float:
    """Always positive: a word that stands everywhere still counts a little."""
    return math.log((documents - df + 0.5) / (df + 0.5) + 1)


class Term(NamedTuple):
    """A stem that is asked for: in how many records it stands, in which field it must stand (empty:
    any), and whether it is only the beginning of a word."""

    stem: str
    df: int
    field: str = ""
    prefix: bool = False


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
    ) -> None:
        """`terms` in the order of the question; `tokens` counts the stems of each field over all
        `documents`."""
        searched = [(at, name) for at, name in enumerate(FIELDS) if name in fields]
        self._searched = [at for at, _ in searched]
        mean_length = math.fsum(tokens[name] for _, name in searched) / max(documents, 1)
        self._k1, self._short, self._long = k1, k1 * (1 - b), k1 * b / max(mean_length, 1e-9)
        self._terms = [
            (
                f" {term.stem}" if term.prefix else f" {term.stem} ",
                idf(documents, term.df),
                fields.get("body", 0.0) if term.field in ("", "body") else 0.0,
                [
                    (at, fields[name], name in TITLES)
                    for at, name in searched
                    if name != "body" and term.field in ("", name)
                ],
                _pair(before, term, tuple(self._searched)) if before else None,
            )
            for before, term in zip((None, *terms), terms, strict=False)
        ]
        self._information = math.fsum(term[1] for term in self._terms)
        self._pairs = max(len(self._terms) - 1, 1)

    def __call__(self, lines: str) -> tuple[float, float, float, float]:
        """Of a record with these stems: the BM25 score, the share of the information of all terms
        that it holds, the share that its title or aliases hold, and the share of the pairs of
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
        scores, shares, titles, pairs, before = [], [], [], 0, False
        for needle, weight, boost, places, pair in self._terms:
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
                    titles.append(weight)
            if tf:
                scores.append(weight * tf * (self._k1 + 1) / (tf + norm))
                shares.append(weight)
                if before and pair and (pair[0] in body or pair[0] in rest):
                    pairs += pair[1] is None or _stands(pair[1], pair[2], lines)
            before = bool(tf)
        # fsum, not sum: the order of the terms must not decide a tie.
        return (
            math.fsum(scores),
            math.fsum(shares) / self._information if shares else 0.0,
            math.fsum(titles) / self._information if titles else 0.0,
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
