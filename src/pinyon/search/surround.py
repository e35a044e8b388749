"""Surround: what stands before and after what was found, as the turns of a conversation do.

A turn is often answered by the next one, in other words. So what is said around a record speaks for
it, and what stands beside a good find is a candidate too.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pinyon.model.hit import Found
from pinyon.model.profile import ContextSection
from pinyon.model.query import Match, Neighbours, RankedList

if TYPE_CHECKING:
    from pinyon.store.contract import View

CHANNEL = "context"


class Around(NamedTuple):
    """`near` maps each record to those around it, with what each of them counts; all of a record
    sum to 1 at most. `beside` are the records that stand around finds and were not found."""

    near: Mapping[str, Mapping[str, float]]
    beside: RankedList


NOTHING = Around({}, RankedList(CHANNEL, ()))


def surround(view: "View", found: Sequence[Found], how: ContextSection) -> Around:
    """A record `n` hops away counts `decay` to the power of n. Where a chain ends, there is less
    around a record than in its middle."""
    ids = dict.fromkeys(match.id for one in found for match in one.ranked.matches)
    if not how.depth or not ids:
        return NOTHING
    steps: dict[str, set[str]] = {}
    asked: Iterable[str] = ids
    for _ in range(how.depth):
        new = [id for id in asked if id not in steps]
        if not new:
            break
        steps.update((id, set()) for id in new)
        for step in view.neighbours(Neighbours(tuple(new), relations=how.relations)):
            steps[step.start].add(step.end)
        asked = sorted({end for id in new for end in steps[id]})
    if not any(steps.values()):
        return NOTHING
    # Both ends of a chain that was walked to know each other.
    for start, ends in list(steps.items()):
        for end in ends:
            steps.setdefault(end, set()).add(start)
    whole = math.fsum(2 * how.decay**hop for hop in range(1, how.depth + 1))
    near = {id: _weighed(_hops(id, steps, how.depth), whole, how.decay) for id in steps}
    return Around(near, _beside(found, near))


def _hops(start: str, steps: Mapping[str, set[str]], depth: int) -> dict[str, int]:
    """How many hops away each record around is, on the shortest way."""
    away = {start: 0}
    edge = [start]
    for hop in range(1, depth + 1):
        edge = sorted({end for id in edge for end in steps.get(id, ())} - away.keys())
        away.update(dict.fromkeys(edge, hop))
    del away[start]
    return away


def _weighed(away: Mapping[str, int], whole: float, decay: float) -> dict[str, float]:
    weights = {id: decay**hop for id, hop in away.items()}
    most = max(whole, math.fsum(weights.values()))
    return {id: weight / most for id, weight in weights.items()}


def _beside(found: Sequence[Found], near: Mapping[str, Mapping[str, float]]) -> RankedList:
    """What stands around the best finds, the nearest to the best first."""
    known = {match.id for one in found for match in one.ranked.matches}
    scores: dict[str, list[float]] = defaultdict(list)
    ways: dict[str, str] = {}
    for one in found:
        best = one.ranked.matches[: math.ceil(len(one.ranked.matches) / 2)]
        for rank, match in enumerate(best, 1):
            for id, weight in near.get(match.id, {}).items():
                if id not in known:
                    scores[id].append(weight / rank)
                    ways.setdefault(id, f"beside {match.id}")
    matches = [Match(id, math.fsum(parts), 0.0, via=ways[id]) for id, parts in scores.items()]
    matches.sort(key=lambda match: (-match.score, match.id))
    return RankedList(CHANNEL, tuple(matches))
