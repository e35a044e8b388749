"""Trust: which of words and meaning is surer in this search, and so counts more.

No fixed weight is right everywhere: in a manual every page holds the words of a question, and only
meaning tells them apart; in a conversation a rare word names the one turn that is sought, and much
is near in meaning. How far the first find of a channel stands above its thirtieth tells which it
is.
"""

import math
from collections.abc import Mapping, Sequence

from pinyon.model.profile import TrustSection
from pinyon.model.query import RankedList

LEAST = 0.005
"""The smallest lead that is told from none."""

MOST = 50.0
"""The logarithm of the largest odds: any more would say the same."""


def trust(
    lists: Sequence[RankedList],
    weights: Mapping[str, float],
    how: TrustSection,
    usual: float | None,
    kinds: Sequence[str] = (),
) -> dict[str, float]:
    """What the signals of words and meaning count times in this search; together, under their
    `weights`, they count as much as ever. `usual` is the cosine of what has nothing to do with a
    question, `kinds` are those of the first finds. Nothing where that cosine is not known, or where
    one of the two did not answer."""
    found = {one.channel: [match.score for match in one.matches] for one in lists}
    words, meaning = found.get("lexical", []), found.get("vector", [])
    of_words, of_meaning = weights.get("lexical", 0.0), weights.get("vector", 0.0)
    weighed = (how.slope or how.kinds) and of_words > 0 and of_meaning > 0
    if not weighed or usual is None or not words or len(meaning) < 2:
        return {}
    lead = _lead(meaning, min(how.depth, len(meaning)), 1 - usual)
    surer = math.log(lead / _lead(words, how.depth, words[0]) / how.even)
    odds = math.exp(min(max(how.slope * surer, -MOST), MOST))
    odds *= math.prod(how.kinds.get(kind, 1.0) ** (1 / len(kinds)) for kind in kinds)
    share = odds * of_meaning / (odds * of_meaning + of_words)
    both = of_words + of_meaning
    return {"lexical": both * (1 - share) / of_words, "vector": both * share / of_meaning}


def _lead(scores: Sequence[float], depth: int, whole: float) -> float:
    """Of the first over the one at `depth`, or over nothing where there are fewer."""
    there = scores[depth - 1] if len(scores) >= depth else 0.0
    return min(max((scores[0] - there) / whole, LEAST), 1.0) if whole > 0 else 1.0
