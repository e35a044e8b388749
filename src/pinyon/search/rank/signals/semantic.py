"""Semantic: how alike the words of the question and of a record are, rare ones before common ones.

The cosine of TF-IDF vectors (Salton and Buckley 1988), smoothed: IDF = ln((N + 1) / (df + 1)) + 1.
"""

import math
from collections.abc import Mapping, Sequence
from operator import mul

from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known


def semantic(candidates: Sequence[Candidate], known: Known, how: RankSection) -> list[float]:
    """In [0, 1]; 0 where they share no word. Each word of the question counts once."""
    squares = _squares(known)
    asked = [(stem, squares[stem]) for stem in known.stems if stem in squares]
    length = math.sqrt(math.fsum(square for _, square in asked))
    found = []
    for candidate in candidates:
        counts = known.facts[candidate.id].terms
        shared = math.fsum([counts[stem] * square for stem, square in asked if stem in counts])
        if shared:
            # At most 1: a record of the very words may be rounded up.
            shared = min(shared / (length * _length(counts, squares)), 1.0)
        found.append(shared)
    return found


def _squares(known: Known) -> dict[str, float]:
    """The square of the IDF of each stem: few values, for many stems stand in as many records."""
    every = known.documents + 1
    of = {df: (math.log(every / (df + 1)) + 1) ** 2 for df in set(known.df.values())}
    return {stem: of[df] for stem, df in known.df.items()}


def _length(counts: Mapping[str, int], squares: Mapping[str, float]) -> float:
    # Three maps, not a loop: it runs over all words of all candidates, and takes half as long.
    twice = map(mul, counts.values(), counts.values())
    return math.sqrt(sum(map(mul, twice, map(squares.__getitem__, counts))))
