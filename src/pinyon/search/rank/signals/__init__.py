"""Signals: one function each: a number for every candidate, from what is known of it.

All lie in [0, 1], but for doc_type and intent, which multiply, and a channel on the scale "raw".
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module

from pinyon.model.facts import Facts
from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known

Signal = Callable[[Sequence[Candidate], Sequence[Facts], Known, RankSection], list[float]]
"""The facts are those of the candidates, in their order; none where no signal needs them."""

MODULES: Mapping[str, str] = {
    "lexical": "channels",
    "semantic": "semantic",
    "vector": "channels",
    "graph": "channels",
    "severity": "worth",
    "decay": "age",
    "recency": "age",
    "importance": "worth",
    "tags": "named",
    "domain": "named",
    "doc_type": "worth",
    "intent": "worth",
    "agreement": "channels",
    "title": "named",
    "time": "age",
    "name": "named",
    "context": "channels",
}
"""Where each signal stands, in a function of its name."""


@cache
def signal_of(name: str) -> Signal:
    """Imported when it is first asked for: most profiles name few, and a search from the shell
    would wait for all of them."""
    signal: Signal = getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
    return signal
