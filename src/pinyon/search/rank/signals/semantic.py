"""Semantic: how alike the words of the question and of a record are, rare ones before common ones.

The cosine of TF-IDF vectors (Salton and Buckley 1988), smoothed: IDF = ln((N + 1) / (df + 1)) + 1.
"""

import math
from collections.abc import Sequence

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known
from pinyon.search.rank.tf_idf import squares


def semantic(
    candidates: Sequence[Candidate], facts: Sequence[Facts], known: Known, how: RankSection
) -> list[float]:
    """In [0, 1]; 0 where they share no word. Each word of the question counts once."""
    of = squares(known.df, known.documents)
    asked = [(stem, of[stem]) for stem in known.stems if stem in of]
    length = math.sqrt(math.fsum(square for _, square in asked))
    found = []
    for one in facts:
        counts, own = one.terms, known.lengths.get(one.id, 0.0)
        cosine = 0.0
        if counts and own:
            shared = math.fsum([counts[stem] * square for stem, square in asked if stem in counts])
            # At most 1: a record of the very words may be rounded up.
            cosine = min(shared / (length * own), 1.0)
        found.append(cosine)
    return found
