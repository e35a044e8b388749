"""BM25: the score of a record from its stored stems, with any constants and field weights."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pinyon.model.query import FIELDS


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
        """`tokens` counts the stems of each field over all `documents`."""
        searched = [(at, name) for at, name in enumerate(FIELDS) if name in fields]
        self._searched = [at for at, _ in searched]
        mean_length = math.fsum(tokens[name] for _, name in searched) / max(documents, 1)
        self._k1, self._short, self._long = k1, k1 * (1 - b), k1 * b / max(mean_length, 1e-9)
        self._terms = [
            (
                f" {term.stem}" if term.prefix else f" {term.stem} ",
                re.compile(f" {re.escape(term.stem)}[^ ]*") if term.prefix else None,
                idf(documents, term.df),
                # The body first: where it holds all that there is, no other field is read.
                sorted(
                    ((at, fields[name]) for at, name in searched if term.field in ("", name)),
                    key=lambda place: FIELDS[place[0]] != "body",
                ),
            )
            for term in terms
        ]
        self._information = math.fsum(weight for _, _, weight, _ in self._terms)

    def __call__(self, lines: str) -> tuple[float, float]:
        """The BM25 score of a record with these stems, and the share of the information of all
        terms that it holds."""
        rows = lines.split("\n")
        length = 0
        for at in self._searched:
            if len(rows[at]) > 2:  # a shorter line holds no stem
                length += rows[at].count("  ") + 1
        norm = self._short + self._long * length
        scores, shares = [], []
        for needle, pattern, weight, places in self._terms:
            left = lines.count(needle)
            if not left:
                continue
            tf = 0.0
            for at, boost in places:
                if row := rows[at]:
                    hits = row.count(needle) if pattern is None else _hits(pattern, row)
                    tf += boost * hits
                    left -= hits
                    if not left:
                        break
            if tf:
                scores.append(weight * tf * (self._k1 + 1) / (tf + norm))
                shares.append(weight)
        # fsum, not sum: the order of the terms must not decide a tie.
        return math.fsum(scores), math.fsum(shares) / self._information if shares else 0.0


def _hits(pattern: re.Pattern[str], row: str) -> int:
    return len(pattern.findall(row))
