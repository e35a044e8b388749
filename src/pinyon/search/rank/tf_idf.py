"""TF-IDF: what each word counts, and how long the vector of a record is.

A length needs all words of a record, and in how many records each of them stands; but it is the
same for every question. So it is worked out once for a revision, and kept.
"""

import math
from collections.abc import Mapping, Sequence
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pinyon.store.contract import View

MOST = 100_000
"""Lengths that are kept."""


def squares(df: Mapping[str, int], documents: int) -> dict[str, float]:
    """The square of the IDF of each stem: few values, for many stems stand in as many records."""
    every = documents + 1
    of = {count: (math.log(every / (count + 1)) + 1) ** 2 for count in set(df.values())}
    return {stem: of[count] for stem, count in df.items()}


def lengths(
    view: "View", ids: Sequence[str], fields: tuple[str, ...], documents: int
) -> Mapping[str, float]:
    """Those of the vectors of these records, at least; a record that cannot be read any more has
    none. `documents` is the number of all that there are."""
    scratch = view.scratch
    kept: dict[str, float] = scratch.get("lengths", {})
    kept = kept if len(kept) <= MOST else {}  # not cleared: another thread may read it
    missing = tuple(id for id in ids if id not in kept)
    if not missing:
        return kept
    # Imported here: few searches come so far.
    from pinyon.store.questions import Terms, Vocabulary

    terms = view.survey(Terms(missing, fields))
    df = view.survey(Vocabulary(tuple(set().union(*terms.values()))))
    of = squares(df, documents)
    found = {id: _length(counts, of) for id, counts in terms.items()}
    if view.scratch is not scratch:
        return {**kept, **found}  # a tier failed meanwhile: this holds for one search only
    kept.update(found)
    scratch["lengths"] = kept
    return kept


def _length(counts: Mapping[str, int], squares: Mapping[str, float]) -> float:
    # Three maps, not a loop: it runs over all words of a record, and takes half as long.
    twice = map(mul, counts.values(), counts.values())
    return math.sqrt(sum(map(mul, twice, map(squares.__getitem__, counts))))
