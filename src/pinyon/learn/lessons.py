"""Lessons: what each verdict says, in numbers: what was preferred less what was passed over."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pinyon.learn.feedback import LIKED
from pinyon.learn.rate import WORTH
from pinyon.store.questions import Feedback

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_OF_ONE = 20
"""Of the verdicts on one record the newest so many are read: a record that is judged all day is
still one record."""

MOST = 2_000
"""Of all verdicts, the newest so many: what was wanted long ago may not be what is wanted now."""

SAME = 0.01
"""Two hits none of whose signals differ by more are the same hit, or cannot be told apart."""

Signals = Mapping[str, float]


class Lesson(NamedTuple):
    """One verdict. Each row of `apart` is a pair: the signals of the preferred hit less those of
    the other. `liked`: the judged hit is the preferred one of every pair, else the other one.
    `worth` is how much it counts."""

    question: str
    record: str
    liked: bool
    worth: float
    apart: "NDArray[np.float64]"


def lessons(given: Sequence[Feedback], names: Sequence[str]) -> list[Lesson]:
    """The verdicts that say something: those whose question found the record, and others beside it.
    The columns are `names`."""
    import numpy as np

    judged: dict[tuple[str, bool], list[Signals]] = defaultdict(list)
    read = [each for each in _newest(given) if each.query and each.signals and each.passed]
    for each in read:
        judged[_question(each), each.verdict in LIKED].append(each.signals)
    found: list[Lesson] = []
    for each in read:
        liked = each.verdict in LIKED
        # What got the same verdict later was not passed over.
        alike = judged[_question(each), liked]
        others = [one for one in each.passed if not any(_same(one, two) for two in alike)]
        if not others:
            continue
        rows = np.array([[one.get(name, 0.0) for name in names] for one in others])
        own = np.array([each.signals.get(name, 0.0) for name in names])
        apart = own - rows if liked else rows - own
        worth = WORTH[each.verdict] if liked else 1.0
        found.append(Lesson(_question(each), each.id, liked, worth, apart))
    return found


def _newest(given: Sequence[Feedback]) -> list[Feedback]:
    """In an order that does not depend on the order in which they are given."""
    seen: Counter[str] = Counter()
    kept: list[Feedback] = []
    for each in sorted(given, key=lambda one: (one.at, one.query, one.id), reverse=True):
        seen[each.id] += 1
        if seen[each.id] <= MOST_OF_ONE and len(kept) < MOST:
            kept.append(each)
    return kept


def _question(given: Feedback) -> str:
    return given.query.casefold()


def _same(one: Signals, two: Signals) -> bool:
    return all(abs(one.get(name, 0.0) - two.get(name, 0.0)) < SAME for name in {*one, *two})
